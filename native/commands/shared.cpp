#include "native/commands/shared.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "core/error.hpp"
#include "native/data/normalise.hpp"
#include "native/system/files.hpp"

namespace softalign::commands {

ModelFile parse_model(const FileBytes& bytes, const std::string& path) {
    try {
        return read_model(bytes);
    } catch (const FormatError& error) {
        throw FormatError("'" + path + "' cannot be used as a model: " + error.what());
    }
}

ModelFile load_model(const std::string& path) {
    return parse_model(file_bytes(read_file(path)), path);
}

std::unique_ptr<Translator> load_translator(const std::string& path) {
    return std::make_unique<Translator>(load_model(path), to_nfc);
}

void refuse_odd_values(CLI::App& app) {
    const CLI::Validator not_empty(
        [](const std::string& given) { return given.empty() ? std::string("its value is empty") : std::string(); }, "");
    const CLI::Validator whole_number(
        [](const std::string& given) {
            std::uint64_t number = 0;
            const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
            const bool whole = error == std::errc() && end == given.data() + given.size();
            return whole ? std::string() : given + " is no whole number from 0 on that 64 bits hold";
        },
        "");
    for (CLI::Option* option : app.get_options()) {
        option->check(not_empty);
        if (option->get_type_name().rfind("UINT", 0) == 0) option->check(whole_number);
    }
    for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) refuse_odd_values(*command);
}

CLI::Validator number_between(double least, double most) {
    const auto complaint = [=](const std::string& given) {
        double number = 0;
        const bool inside = CLI::detail::lexical_cast(given, number) && number >= least && number <= most;
        return inside ? std::string() : fmt::format("{} is no number from {} to {}", given, least, most);
    };
    return {complaint, fmt::format("FLOAT in [{} - {}]", least, most)};
}

void add_seed(CLI::App& command, std::uint64_t& seed, const std::string& help) {
    command.add_option("--seed", seed, help)->capture_default_str();
}

void add_model(CLI::App& command, std::string& path) {
    command.add_option("MODEL", path, "the model file, NAME.safetensors")->required();
}

void add_threads(CLI::App& command, std::size_t& threads) {
    command.add_option("--threads", threads, "how many threads compute; 0: one per processor. Never changes a result")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
}

void add_search(CLI::App& command, SearchOptions& options) {
    command.add_option("--beam", options.beam, "hypotheses that are followed at a time; 1: greedy")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command
        .add_option("--length-penalty", options.length_penalty,
                    "alpha: a hypothesis scores its log-probability / length^alpha")
        ->check(number_between(0.0, 10.0))
        ->capture_default_str();
    command
        .add_option(
            "--max-length", options.max_length,
            "longest translation in symbols; 0: 2 S + 5 for a source of S symbols, 67108864 / S where that is less")
        ->check(CLI::Range(0, 1000000))
        ->capture_default_str();
}

}  // namespace softalign::commands

#include "native/options/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>

namespace softalign {

namespace {

constexpr std::uint64_t kMostThreads = 1024;
constexpr std::uint64_t kWidestBeam = 1000;
constexpr std::uint64_t kLongestTranslation = 1'000'000;

constexpr std::uint64_t kMost64 = std::numeric_limits<std::uint64_t>::max();

std::string complaint(const std::string& given, const WholeNumbers& range) {
    const auto [least, most] = range;
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
    const bool whole = error == std::errc() && end == given.data() + given.size();
    if (whole && number >= least && number <= most) return {};
    const std::string last = most == kMost64 ? "2^64 - 1" : std::to_string(most);
    return fmt::format("must be a whole number between {} and {}, not '{}'", least, last, given);
}

std::string complaint(const std::string& given, const Numbers& range) {
    double number = 0;
    const bool inside = CLI::detail::lexical_cast(given, number) && number >= range.least && number <= range.most;
    return inside ? "" : fmt::format("must be a number between {} and {}, not '{}'", range.least, range.most, given);
}

/// A range as a check, and as the help shows it.
template <typename Range>
CLI::Validator within(const Range& range) {
    return {[=](const std::string& given) { return complaint(given, range); },
            fmt::format("in [{} - {}]", range.least, range.most)};
}

}  // namespace

void refuse_odd_values(CLI::App& app) {
    const CLI::Validator not_empty(
        [](const std::string& given) { return given.empty() ? std::string("its value is empty") : std::string(); }, "");
    const CLI::Validator whole_number(
        [](const std::string& given) {
            return complaint(given, WholeNumbers{0, kMost64});
        },
        "");
    for (CLI::Option* option : app.get_options()) {
        option->check(not_empty);
        if (option->get_type_name().rfind("UINT", 0) == 0) option->check(whole_number);
    }
    for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) refuse_odd_values(*command);
}

CLI::Option* add_whole_number(CLI::App& command, const char* flag, std::uint64_t& value, const WholeNumbers& range,
                              const char* help) {
    return command.add_option(flag, value, help)->check(within(range))->capture_default_str();
}

CLI::Option* add_number(CLI::App& command, const char* flag, double& value, const Numbers& range, const char* help) {
    return command.add_option(flag, value, help)->check(within(range))->capture_default_str();
}

CLI::Option* add_number(CLI::App& command, const char* flag, float& value, const Numbers& range, const char* help) {
    return command.add_option(flag, value, help)->check(within(range))->capture_default_str();
}

CLI::Option* add_text(CLI::App& command, const char* flag, std::string& value, const char* help) {
    return command.add_option(flag, value, help);
}

CLI::Option* require_text(CLI::App& command, const char* flag, std::string& value, const char* help) {
    return add_text(command, flag, value, help)->required();
}

CLI::Option* add_names(CLI::App& command, const char* flag, const std::vector<std::string>& names,
                       const std::function<void(const std::string&)>& take, const char* help) {
    return command.add_option_function<std::string>(flag, take, help)->check(CLI::IsMember(names));
}

void add_model(CLI::App& command, std::string& path) {
    command.add_option("MODEL", path, "the model file, NAME.safetensors")->required();
}

void add_seed(CLI::App& command, std::uint64_t& seed, const char* help) {
    command.add_option("--seed", seed, std::string("random seed ") + help)->capture_default_str();
}

void add_threads(CLI::App& command, std::size_t& threads) {
    add_whole_number(command, "--threads", threads, {0, kMostThreads},
                     "threads to compute with; 0: one per processor. Results do not depend on it");
}

void add_search(CLI::App& command, SearchOptions& options) {
    add_whole_number(command, "--beam", options.beam, {1, kWidestBeam}, "hypotheses to follow at a time; 1: greedy");
    add_number(command, "--length-penalty", options.length_penalty, {0, 10},
               "alpha: the score of a hypothesis is log-probability / length^alpha");
    add_whole_number(command, "--max-length", options.max_length, {0, kLongestTranslation},
                     "longest translation in symbols; 0: 2 S + 5 for a source of S symbols, but at most 67108864 / S");
}

}  // namespace softalign

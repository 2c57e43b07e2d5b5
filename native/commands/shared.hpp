#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>

#include "core/format/model_file.hpp"
#include "core/search/search.hpp"
#include "core/translator.hpp"

namespace softalign::commands {

/// The model in a file's bytes. Throws FormatError that begins with the path.
ModelFile parse_model(const FileBytes& bytes, const std::string& path);
/// Throws as above, or Error where the file cannot be read.
ModelFile load_model(const std::string& path);
std::unique_ptr<Translator> load_translator(const std::string& path);

/// Makes wrong usage, for all options of a command and its subcommands, of values that CLI11 reads as other ones: it
/// takes an empty value (a shell variable that is not set) for 0 or for no option at all, and a whole number that is
/// negative or beyond 64 bits for a huge one. To be called when all options are there.
void refuse_odd_values(CLI::App& app);

/// Takes a number from `least` to `most`; nan is none, which CLI11's own range takes.
CLI::Validator number_between(double least, double most);

/// --seed. @param help of what
void add_seed(CLI::App& command, std::uint64_t& seed, const std::string& help);

/// An option whose value is one of a few names.
template <typename Value>
CLI::Option* add_choice(CLI::App& command, const std::string& flag, Value& value,
                        const std::map<std::string, Value>& choices, const std::string& help) {
    return command
        .add_option_function<std::string>(
            flag, [&value, choices](const std::string& name) { value = choices.at(name); }, help)
        ->check(CLI::IsMember(choices));
}

/// The positional MODEL.
void add_model(CLI::App& command, std::string& path);
/// --threads
void add_threads(CLI::App& command, std::size_t& threads);
/// --beam, --length-penalty, --max-length
void add_search(CLI::App& command, SearchOptions& options);

}  // namespace softalign::commands

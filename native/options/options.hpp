#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/search/search.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace softalign {

/// Refuses, for all options of a command and its subcommands, values that CLI11 misreads: it takes an empty value (an
/// unset shell variable) for 0 or for no option at all, and a whole number that is negative or beyond 64 bits for a
/// huge one. Call it after all options are added.
void refuse_odd_values(CLI::App& app);

/// The values of an option: numbers from `least` to `most`, neither infinite nor nan.
struct Numbers {
    double least;
    double most;
};
/// Whole numbers, written with digits only.
struct WholeNumbers {
    std::uint64_t least;
    std::uint64_t most;
};

/// An option that is a whole number from `least` to `most`, with its default in the help.
CLI::Option* add_whole_number(CLI::App& command, const char* flag, std::uint64_t& value, const WholeNumbers& range,
                              const char* help);

/// An option that is a number, with its default in the help.
CLI::Option* add_number(CLI::App& command, const char* flag, double& value, const Numbers& range, const char* help);
CLI::Option* add_number(CLI::App& command, const char* flag, float& value, const Numbers& range, const char* help);

/// An option that is text, such as a path.
CLI::Option* add_text(CLI::App& command, const char* flag, std::string& value, const char* help);
/// The same, but required.
CLI::Option* require_text(CLI::App& command, const char* flag, std::string& value, const char* help);

/// An option whose value is one of a few names. @param take gets the name
CLI::Option* add_names(CLI::App& command, const char* flag, const std::vector<std::string>& names,
                       const std::function<void(const std::string&)>& take, const char* help);

/// The same for values with names.
template <typename Value>
CLI::Option* add_choice(CLI::App& command, const char* flag, Value& value, const std::map<std::string, Value>& choices,
                        const char* help) {
    std::vector<std::string> names;
    for (const auto& choice : choices) names.push_back(choice.first);
    return add_names(
        command, flag, names, [&value, choices](const std::string& name) { value = choices.at(name); }, help);
}

/// The positional MODEL.
void add_model(CLI::App& command, std::string& path);
/// --seed. @param help what it is the seed of, such as "of weights and data"
void add_seed(CLI::App& command, std::uint64_t& seed, const char* help);
/// --threads
void add_threads(CLI::App& command, std::size_t& threads);
/// --beam, --length-penalty, --max-length
void add_search(CLI::App& command, SearchOptions& options);

}  // namespace softalign

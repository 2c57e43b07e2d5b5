#include <fmt/format.h>

#include <algorithm>

#include "core/format/safetensors.hpp"
#include "core/json.hpp"
#include "native/commands/commands.hpp"
#include "native/data/load_model.hpp"
#include "native/options/options.hpp"
#include "native/say/output.hpp"
#include "native/say/printable.hpp"
#include "native/system/files.hpp"

namespace softalign::commands {

namespace {

using nlohmann::ordered_json;

struct InspectCommand {
    std::string model;
    bool json = false;
};

ordered_json describe_tokenizer(const Tokenizer& tokenizer) {
    return {{"kind", tokenizer.kind()},
            {"vocabulary", tokenizer.vocabulary_size()},
            {"append_eos", tokenizer.appends_eos()}};
}

ordered_json describe(const std::string& path) {
    const auto bytes = file_bytes(read_file(path));
    const ModelDescription model = parse_model(bytes, path).description;
    ordered_json tensors = ordered_json::array();
    const SafeTensors stored = parse_safetensors(bytes->data(), bytes->size());
    for (const auto& [name, tensor] : stored.tensors) {
        tensors.push_back(
            {{"name", name}, {"type", softalign::name(tensor.type)}, {"shape", tensor.shape}, {"bytes", tensor.bytes}});
    }
    return {{"file", path},
            {"bytes", bytes->size()},
            {"parameters", parameter_count(model.configuration)},
            {"checkpoint", std::any_of(stored.metadata.begin(), stored.metadata.end(),
                                       [](const auto& entry) { return entry.first.rfind(kTrainingPrefix, 0) == 0; })},
            {"configuration", configuration_to_json(model.configuration)},
            {"tokenizers",
             {{"source", describe_tokenizer(*model.source_tokenizer)},
              {"target", describe_tokenizer(*model.target_tokenizer)}}},
            {"card", model.card},
            {"tensors", tensors}};
}

std::string shape_text(const ordered_json& shape) {
    std::string text;
    for (const auto& extent : shape) text += (text.empty() ? "" : " x ") + extent.dump();
    return text;
}

std::string value_text(const ordered_json& value) {
    return printable(value.is_string() ? value.get<std::string>() : value.dump());
}

void append_section(std::string& text, const std::string& title, const ordered_json& object) {
    text += "\n" + title + "\n";
    for (const auto& [key, value] : object.items())
        text += fmt::format("  {:<16} {}\n", printable(key), value_text(value));
}

std::string table(const ordered_json& description) {
    std::string text =
        fmt::format("{}: {} with {} parameters, {:.2f} MB\n", value_text(description["file"]),
                    description["checkpoint"].get<bool>() ? "a checkpoint of a training run" : "a model",
                    description["parameters"].get<std::size_t>(), description["bytes"].get<double>() / 1e6);
    append_section(text, "Configuration", description["configuration"]);
    for (const char* side : {"source", "target"}) {
        append_section(text, fmt::format("Tokenizer of the {}", side), description["tokenizers"][side]);
    }
    if (!description["card"].empty()) append_section(text, "Card", description["card"]);

    std::size_t widest = 0;
    for (const auto& tensor : description["tensors"]) widest = std::max(widest, value_text(tensor["name"]).size());
    text += "\nTensors\n";
    for (const auto& tensor : description["tensors"]) {
        text +=
            fmt::format("  {:<{}}  {:<4}  {:>13}  {:>11} bytes\n", value_text(tensor["name"]), widest,
                        value_text(tensor["type"]), shape_text(tensor["shape"]), tensor["bytes"].get<std::size_t>());
    }
    return text;
}

void inspect(const InspectCommand& command) {
    const ordered_json description = describe(command.model);
    write_output(command.json ? description.dump(2) + "\n" : table(description));
}

}  // namespace

void add_inspect(CLI::App& app) {
    const auto options = std::make_shared<InspectCommand>();
    CLI::App* command = app.add_subcommand("inspect", "print what is in a model file");
    command->footer(
        "Prints the configuration, the tokenizers, the card (task, data, licence, figures) and every tensor with its\n"
        "type and shape. The whole file is checked; if it is damaged, the message says where.\n\n"
        "Example: softalign inspect en-fr.safetensors --json | jq .configuration");
    add_model(*command, options->model);
    command->add_flag("--json", options->json, "print JSON, for programs");
    command->callback([options] { inspect(*options); });
}

}  // namespace softalign::commands

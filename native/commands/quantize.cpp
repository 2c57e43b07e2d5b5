#include <fmt/format.h>

#include "core/error.hpp"
#include "core/json.hpp"
#include "native/commands/commands.hpp"
#include "native/data/load_model.hpp"
#include "native/options/options.hpp"
#include "native/say/output.hpp"
#include "native/system/files.hpp"

namespace softalign::commands {

namespace {

struct QuantizeCommand {
    std::string model;
    std::string out;
    std::string card;
    Storage storage = Storage::i8;
};

nlohmann::json card_of_recipe(const std::string& path) {
    const nlohmann::json recipe = parse_json(read_text_file(path), path);
    const nlohmann::json& card = member(recipe, "card", path);
    if (!card.is_object()) throw FormatError(path + ": card is not an object");
    return card;
}

void quantize(const QuantizeCommand& command) {
    auto [description, stored] = load_model(command.model);
    if (!command.card.empty()) description.card = card_of_recipe(command.card);
    const std::vector<std::uint8_t> bytes =
        write_model(description, *floats_of(stored, description.configuration), command.storage);
    write_file(command.out, bytes);
    write_message(fmt::format("{:.2f} MB\n", static_cast<double>(bytes.size()) / 1e6));
    write_output(command.out + "\n");
}

}  // namespace

void add_quantize(CLI::App& app) {
    const auto options = std::make_shared<QuantizeCommand>();
    CLI::App* command = app.add_subcommand("quantize", "store a model in fewer bytes");
    command->footer(
        "i8 stores each matrix as 8-bit integers with one scale per row, a quarter of the size; f16 as half-precision\n"
        "numbers; f32 as they were trained. Biases stay f32. From a checkpoint, only the model is kept. With --card "
        "you\n"
        "can add figures that were measured after training.\n\n"
        "Example: softalign quantize en-fr.f32.safetensors --out en-fr.safetensors");
    add_model(*command, options->model);
    command->add_option("--out", options->out, "the model file to write, NAME.safetensors")->required();
    command->add_option("--card", options->card, "a recipe, JSON, whose \"card\" replaces the model's");
    add_choice<Storage>(*command, "--storage", options->storage,
                        {{"i8", Storage::i8}, {"f16", Storage::f16}, {"f32", Storage::f32}},
                        "numbers of a matrix, i8 by default");
    command->callback([options] { quantize(*options); });
}

}  // namespace softalign::commands

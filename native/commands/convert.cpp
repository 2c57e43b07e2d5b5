#include "core/error.hpp"
#include "core/format/model_file.hpp"
#include "core/json.hpp"
#include "native/commands/commands.hpp"
#include "native/say/output.hpp"
#include "native/system/files.hpp"

namespace softalign::commands {

namespace {

struct ConvertCommand {
    std::string state_dict;
    std::string config;
    std::string out;
};

void convert(const ConvertCommand& command) {
    const auto config = parse_json(read_text_file(command.config), command.config);
    ModelDescription description;
    Parameters parameters;
    try {
        require_keys_among(config, {"configuration", "tokenizers", "card"}, "it");
        const auto& tokenizers = member(config, "tokenizers", "it");
        require_keys_among(tokenizers, {"source", "target"}, "tokenizers");
        description.configuration = configuration_from_json(member(config, "configuration", "it"));
        description.source_tokenizer = tokenizer_from_json(member(tokenizers, "source", "tokenizers"));
        description.target_tokenizer = tokenizer_from_json(member(tokenizers, "target", "tokenizers"));
        if (config.contains("card")) description.card = config["card"];
    } catch (const FormatError& error) {
        throw FormatError("'" + command.config + "': " + error.what());
    }
    const std::vector<std::uint8_t> bytes = read_file(command.state_dict);
    try {
        parameters =
            parameters_from_state_dict(parse_safetensors(bytes.data(), bytes.size()), description.configuration);
    } catch (const FormatError& error) {
        throw FormatError("'" + command.state_dict + "': " + error.what());
    }
    write_file(command.out, write_model(description, parameters, Storage::f32));
    write_output(command.out + "\n");
}

}  // namespace

void add_convert(CLI::App& app) {
    const auto options = std::make_shared<ConvertCommand>();
    CLI::App* command = app.add_subcommand("convert", "make a model from a PyTorch state_dict");
    command->footer(
        "STATE_DICT is what safetensors.torch.save_file(model.state_dict(), \"weights.safetensors\") wrote. --config "
        "FILE is\n"
        "JSON with everything that is not in a state_dict:\n"
        "    {\"configuration\": {\"src_vocab\": 40, \"tgt_vocab\": 20, \"embed\": 64, \"enc_hidden\": 64, "
        "\"dec_hidden\": 64,\n"
        "                       \"attn\": 64, \"style\": \"bahdanau\", \"score\": \"additive\"},\n"
        "     \"tokenizers\": {\"source\": {\"kind\": \"chars\", \"symbols\": [\"a\", \"b\"], \"append_eos\": false},\n"
        "                    \"target\": {\"kind\": \"words\", \"symbols\": [\"AH\", \"B\"], \"append_eos\": false}},\n"
        "     \"card\": {\"task\": \"spelling to pronunciation\"}}\n"
        "The configuration may also have layers, bidirectional, bridge, cell, input_feeding, readout and tied; a "
        "tokenizer "
        "of kind\n"
        "\"bpe\" has \"pieces\" instead of \"symbols\", in the order they were learned. Ids 0 to 3 are PAD, BOS, EOS "
        "and UNK.\n\n"
        "Example: softalign convert weights.safetensors --config model.json --out model.safetensors");
    command->add_option("STATE_DICT", options->state_dict, "the weights, a safetensors file")->required();
    command->add_option("--config", options->config, "configuration, tokenizers and card, JSON")->required();
    command->add_option("--out", options->out, "the model file to write, NAME.safetensors")->required();
    command->callback([options] { convert(*options); });
}

}  // namespace softalign::commands

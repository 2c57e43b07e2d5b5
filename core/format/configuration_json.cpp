#include <limits>

#include "core/error.hpp"
#include "core/format/model_file.hpp"
#include "core/json.hpp"

namespace softalign {

using nlohmann::json;

namespace {

constexpr const char* kWhat = "configuration";

std::size_t size_from(const json& value, const char* key) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max()) {
        throw FormatError(std::string("configuration: ") + key + ": it must be an integer that is not negative.");
    }
    return static_cast<std::size_t>(value.get<std::uint64_t>());
}

bool flag_from(const json& value, const char* key) {
    if (!value.is_boolean()) throw FormatError(std::string("configuration: ") + key + ": it must be true or false.");
    return value.get<bool>();
}

std::string text_from(const json& value, const char* key) {
    if (!value.is_string()) throw FormatError(std::string("configuration: ") + key + ": it must be a string.");
    return value.get<std::string>();
}

}  // namespace

nlohmann::json configuration_to_json(const Configuration& c) {
    return {{"src_vocab", c.src_vocab},
            {"tgt_vocab", c.tgt_vocab},
            {"embed", c.embed},
            {"enc_hidden", c.enc_hidden},
            {"dec_hidden", c.dec_hidden},
            {"attn", c.attn},
            {"layers", c.layers},
            {"bidirectional", c.bidirectional},
            {"bridge", c.bridge},
            {"cell", kind(c.cell).name},
            {"style", kind(c.style).name},
            {"score", kind(c.score).name},
            {"input_feeding", c.input_feeding},
            {"readout", c.readout},
            {"tied", c.tied}};
}

Configuration configuration_from_json(const json& object) {
    require_keys_among(object,
                       {"src_vocab", "tgt_vocab", "embed", "enc_hidden", "dec_hidden", "attn", "layers",
                        "bidirectional", "bridge", "cell", "style", "score", "input_feeding", "readout", "tied"},
                       kWhat);
    const auto optional_size = [&](const char* key, std::size_t& value) {
        if (object.contains(key)) value = size_from(object[key], key);
    };
    const auto optional_flag = [&](const char* key, bool& value) {
        if (object.contains(key)) value = flag_from(object[key], key);
    };
    Configuration c;
    c.src_vocab = size_from(member(object, "src_vocab", kWhat), "src_vocab");
    c.tgt_vocab = size_from(member(object, "tgt_vocab", kWhat), "tgt_vocab");
    c.embed = size_from(member(object, "embed", kWhat), "embed");
    c.enc_hidden = size_from(member(object, "enc_hidden", kWhat), "enc_hidden");
    c.dec_hidden = size_from(member(object, "dec_hidden", kWhat), "dec_hidden");
    c.style = value_named(kStyles, text_from(member(object, "style", kWhat), "style"), "style");
    c.score = value_named(kScores, text_from(member(object, "score", kWhat), "score"), "score");
    if (object.contains("cell")) c.cell = value_named(kCells, text_from(object["cell"], "cell"), "cell");
    optional_size("attn", c.attn);
    optional_size("layers", c.layers);
    optional_size("readout", c.readout);
    optional_flag("bidirectional", c.bidirectional);
    optional_flag("bridge", c.bridge);
    optional_flag("input_feeding", c.input_feeding);
    optional_flag("tied", c.tied);
    c.validate();
    return c;
}

}  // namespace softalign

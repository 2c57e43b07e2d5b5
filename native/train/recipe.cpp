#include "native/train/recipe.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "core/json.hpp"

namespace softalign {

using nlohmann::json;

namespace {

constexpr std::array<Named<TokenizerKind>, 3> kTokenizerKinds{
    {{TokenizerKind::chars, "chars"}, {TokenizerKind::words, "words"}, {TokenizerKind::bpe, "bpe"}}};
constexpr std::array<Named<Decay>, 3> kDecays{
    {{Decay::constant, "constant"}, {Decay::cosine, "cosine"}, {Decay::plateau, "plateau"}}};
constexpr std::array<Named<Criterion>, 2> kCriteria{{{Criterion::loss, "loss"}, {Criterion::bleu, "bleu"}}};
constexpr std::array<Named<simd::Precision>, 2> kPrecisions{
    {{simd::Precision::f32, "f32"}, {simd::Precision::bf16, "bf16"}}};

void from_name(const std::string& name, Style& value) {
    value = value_named(kStyles, name, "style");
}
void from_name(const std::string& name, Cell& value) {
    value = value_named(kCells, name, "cell");
}
void from_name(const std::string& name, Score& value) {
    value = value_named(kScores, name, "score");
}
void from_name(const std::string& name, TokenizerKind& value) {
    value = value_named(kTokenizerKinds, name, "tokenizer");
}
void from_name(const std::string& name, Decay& value) {
    value = value_named(kDecays, name, "decay");
}
void from_name(const std::string& name, Criterion& value) {
    value = value_named(kCriteria, name, "criterion");
}
void from_name(const std::string& name, simd::Precision& value) {
    value = value_named(kPrecisions, name, "products");
}

void require(const Limits& limits, double number) {
    const std::string wrong = complaint(limits, number);
    if (!wrong.empty()) throw FormatError(wrong);
}

template <typename Value>
void read_value(const json& from, const Limits& limits, Value& value) {
    if constexpr (std::is_same_v<Value, bool>) {
        if (!from.is_boolean()) throw FormatError("it must be true or false");
        value = from.get<bool>();
    } else if constexpr (std::is_integral_v<Value>) {
        if (!from.is_number_unsigned() || from.get<std::uint64_t>() > std::numeric_limits<Value>::max()) {
            throw FormatError("it must be a whole number, 0 or more");
        }
        value = static_cast<Value>(from.get<std::uint64_t>());
        require(limits, static_cast<double>(value));
    } else if constexpr (std::is_floating_point_v<Value>) {
        if (!from.is_number()) throw FormatError("it must be a number");
        value = static_cast<Value>(from.get<double>());
        if (!std::isfinite(value)) throw FormatError("it must be a number that 32 bits can hold");
        require(limits, static_cast<double>(value));
    } else {
        if (!from.is_string()) throw FormatError("it must be a name in quotes");
        from_name(from.get<std::string>(), value);
    }
}

template <typename Value>
json written_value(Value value) {
    if constexpr (std::is_enum_v<Value>) {
        return value_name(value);
    } else {
        return value;
    }
}

/// Checks that involve more than one entry.
void validate(const Recipe& recipe) {
    const TrainingRecipe& t = recipe.training;
    if (t.criterion == Criterion::bleu && t.validation_sentences == 0) {
        throw FormatError("training.criterion: bleu needs validation_sentences");
    }
    const TokenizersRecipe& k = recipe.tokenizers;
    if (k.joint && (k.source != k.target || k.source_size != k.target_size)) {
        throw FormatError("tokenizers.joint: source and target must have the same kind and size");
    }
}

}  // namespace

std::string in_words(const Limits& limits) {
    const std::string least = fmt::format("{} {}", limits.above_least ? "above" : "at least", limits.least);
    if (std::isinf(limits.most)) return least;
    return fmt::format("{} and {} {}", least, limits.below_most ? "below" : "at most", limits.most);
}

std::string complaint(const Limits& limits, double number) {
    const bool enough = limits.above_least ? number > limits.least : number >= limits.least;
    const bool few = limits.below_most ? number < limits.most : number <= limits.most;
    return enough && few ? "" : "it must be " + in_words(limits);
}

std::string value_name(Style value) {
    return kind(value).name;
}
std::string value_name(Score value) {
    return kind(value).name;
}
std::string value_name(Cell value) {
    return kind(value).name;
}
std::string value_name(TokenizerKind value) {
    return row_of(kTokenizerKinds, value).name;
}
std::string value_name(Decay value) {
    return row_of(kDecays, value).name;
}
std::string value_name(Criterion value) {
    return row_of(kCriteria, value).name;
}
std::string value_name(simd::Precision value) {
    return row_of(kPrecisions, value).name;
}

Recipe::Recipe() {
    model.embed = 256;
    model.enc_hidden = 256;
    model.dec_hidden = 512;
    model.attn = 512;
    model.bidirectional = true;
    model.bridge = true;
    model.readout = 256;
    model.tied = true;
}

void apply(const json& changes, const std::string& where, Recipe& recipe) {
    require_keys_among(changes, {"model", "tokenizers", "training", "card"}, where);
    json left = changes;  // entries that have not been used yet
    left.erase("card");
    for_each_entry(recipe, [&](const Entry& entry, auto& value) {
        const auto [section, key] = std::pair(entry.section, entry.key);
        if (!left.contains(section)) return;
        if (!left[section].is_object()) throw FormatError(where + ": " + section + ": it must be a JSON object");
        const auto found = left[section].find(key);
        if (found == left[section].end()) return;
        try {
            read_value(*found, entry.limits, value);
        } catch (const FormatError& error) {
            throw FormatError(where + ": " + section + "." + key + ": " + error.what());
        }
        left[section].erase(found);
    });
    for (const auto& [section, rest] : left.items()) {
        if (!rest.empty()) throw FormatError(where + ": unknown key " + shown_text(section + "." + rest.begin().key()));
    }
    if (changes.contains("card")) {
        if (!changes["card"].is_object()) throw FormatError(where + ": card: it must be a JSON object");
        recipe.card = changes["card"];
    }
    try {
        validate(recipe);
    } catch (const FormatError& error) {
        throw FormatError(where + ": " + error.what());
    }
}

json to_json(const Recipe& recipe) {
    json result = json::object();
    Recipe copy = recipe;
    for_each_entry(copy,
                   [&](const Entry& entry, auto& value) { result[entry.section][entry.key] = written_value(value); });
    result["card"] = recipe.card;
    return result;
}

}  // namespace softalign

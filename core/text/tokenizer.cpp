#include "core/text/tokenizer.hpp"

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/text/bpe.hpp"
#include "core/text/chars.hpp"
#include "core/text/words.hpp"

namespace softalign {
namespace {

constexpr const char* kWhat = "tokenizer";

/// Moves the strings of a list out of the object.
std::vector<std::string> strings(nlohmann::json& object, const char* key) {
    member(object, key, kWhat);
    nlohmann::json& list = object[key];
    if (!list.is_array()) throw FormatError(std::string("tokenizer: ") + key + " must be a list of strings.");
    std::vector<std::string> texts;
    texts.reserve(list.size());
    for (nlohmann::json& entry : list) {
        if (!entry.is_string()) {
            throw FormatError(std::string("tokenizer: entry ") + std::to_string(texts.size()) + " of " + key +
                              " is not a string.");
        }
        texts.push_back(std::move(entry.get_ref<std::string&>()));
    }
    return texts;
}

}  // namespace

std::unique_ptr<Tokenizer> tokenizer_from_json(nlohmann::json object) {
    if (!object.is_object()) throw FormatError("tokenizer: it must be a JSON object.");
    const nlohmann::json& kind = member(object, "kind", kWhat);
    const bool is_bpe = kind == "bpe";
    if (!is_bpe && kind != "chars" && kind != "words") {
        throw FormatError("tokenizer: kind must be \"chars\", \"words\" or \"bpe\".");
    }
    const char* list = is_bpe ? "pieces" : "symbols";
    require_keys_among(object, {"kind", list, "append_eos"}, kWhat);
    const nlohmann::json& append_eos = member(object, "append_eos", kWhat);
    if (!append_eos.is_boolean()) throw FormatError("tokenizer: append_eos must be true or false.");

    std::vector<std::string> texts = strings(object, list);
    if (is_bpe) return make_bpe_tokenizer(std::move(texts), append_eos.get<bool>());
    if (kind == "chars") return make_chars_tokenizer(std::move(texts), append_eos.get<bool>());
    return make_words_tokenizer(std::move(texts), append_eos.get<bool>());
}

}  // namespace softalign

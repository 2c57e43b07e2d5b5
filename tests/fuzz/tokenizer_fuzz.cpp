// Before the first NUL: the JSON of a tokenizer, or what is none. After it: a text, which every tokenizer takes into
// tokens whose offsets agree with it and whose ids it can read again.

#include <memory>

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/text/bpe.hpp"
#include "core/text/unicode.hpp"
#include "tests/fuzz/require.hpp"

using namespace softalign;

namespace {

void check(const Tokenizer& tokenizer, const std::string& text) {
    std::vector<int> ids;
    for (const Token& token : tokenizer.encode(text)) {
        require(token.begin <= token.end && token.end <= text.size());
        require(token.special || text.substr(token.begin, token.end - token.begin) == token.text);
        ids.push_back(token.id);
    }
    const DecodedText decoded = tokenizer.decode(ids);
    require(decoded.tokens.size() == ids.size());
    require(is_valid_utf8(decoded.text));
    for (const Token& token : decoded.tokens) {
        require(token.special || decoded.text.substr(token.begin, token.end - token.begin) == token.text);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto fallback = make_bpe_tokenizer({"▁a", "ab", "▁ab", "aa", "▁▁", "▁", "a", "b"}, true);
    const std::string input(reinterpret_cast<const char*>(data), size);
    const std::size_t end = input.find('\0');
    const std::string text = repair_utf8(end == std::string::npos ? input : input.substr(end + 1));
    require(is_valid_utf8(text));
    require(repair_utf8(text) == text);
    check(*fallback, text);
    try {
        const auto tokenizer = tokenizer_from_json(parse_json(input.substr(0, end), "tokenizer"));
        const auto again = tokenizer_from_json(tokenizer->to_json());
        require(again->to_json() == tokenizer->to_json());
        check(*tokenizer, text);
    } catch (const FormatError&) {
    }
    return 0;
}

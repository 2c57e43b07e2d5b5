// Translates sentences natively and prints everything that WebAssembly is to reproduce:
//   parity_dump MODEL < sentences > one JSON object a line

#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/model/teacher_forcing.hpp"
#include "core/text/units.hpp"
#include "core/translator.hpp"
#include "native/data/normalise.hpp"
#include "native/system/files.hpp"

namespace {

using namespace softalign;

std::vector<int> ids_of(const std::vector<Token>& tokens) {
    std::vector<int> ids;
    for (const Token& token : tokens) ids.push_back(token.id);
    return ids;
}

/// What `softalign attention` draws rows and columns of.
std::vector<std::string> units(std::string_view text, const std::vector<Token>& tokens, const Tokenizer& tokenizer) {
    std::vector<std::string> texts;
    for (const TextUnit& unit : units_of(text, tokens, natural_grouping(tokenizer))) texts.push_back(unit.text);
    return texts;
}

nlohmann::json dump(const Translator& translator, const std::string& text) {
    simd::SerialExecutor executor;
    const Translation translation = translator.translate(text, {}, executor);
    const TranslatedHypothesis& best = translation.hypotheses.at(0);
    const std::vector<int> source = ids_of(translation.source);
    std::vector<int> target{BOS};
    target.insert(target.end(), best.hypothesis.ids.begin(), best.hypothesis.ids.end());
    if (!best.hypothesis.finished) target.push_back(EOS);
    const auto forced = forced_decode(executor, translator.model(), {source}, {target}, true);
    const Matrix& logits = forced.at(0).logits;
    return {{"text", text},
            {"translation", best.text},
            {"source", source},
            {"target", target},
            {"columns", units(translation.input, translation.source, *translator.description().source_tokenizer)},
            {"rows", units(best.text, best.target, *translator.description().target_tokenizer)},
            {"alignment", std::vector<float>(best.hypothesis.alignment.begin(), best.hypothesis.alignment.end())},
            {"logits", std::vector<float>(logits.begin(), logits.end())}};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: parity_dump MODEL < sentences\n";
        return 2;
    }
    try {
        const auto bytes = file_bytes(read_file(argv[1]));
        const Translator translator(read_model(bytes), to_nfc);
        for (std::string line; std::getline(std::cin, line);) std::cout << dump(translator, line).dump() << '\n';
    } catch (const std::exception& error) {
        std::cerr << "parity_dump: " << error.what() << '\n';
        return 1;
    }
}

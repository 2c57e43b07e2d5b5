#pragma once

#include "tests/catch.hpp"
#include "tests/native/command.hpp"

namespace softalign::testing {

/// The toy task: words in, the same in capitals and backwards out.
inline std::string toy_data(unsigned seed, int lines) {
    std::string text;
    unsigned state = seed;
    const auto next = [&](unsigned below) { return ((state = state * 1664525U + 1013904223U) >> 16U) % below; };
    for (int i = 0; i < lines; ++i) {
        std::string source;
        std::string target;
        for (unsigned word = 0; word < 1 + next(6); ++word) {
            const char letter = static_cast<char>('a' + next(6));
            const char capital = static_cast<char>(letter - 'a' + 'A');
            source = source.empty() ? std::string(1, letter) : source + " " + letter;
            target = target.empty() ? std::string(1, capital) : std::string(1, capital) + " " + target;
        }
        text += source + "\t" + target + "\n";
    }
    return text;
}

/// A tiny model, and a batch size that gives the toy data some twenty batches.
inline const char* toy_recipe() {
    return R"({"model": {"embed": 12, "enc_hidden": 12, "dec_hidden": 16, "attn": 12, "readout": 12},
               "tokenizers": {"source": "words", "target": "words"},
               "training": {"batch_words": 120, "learning_rate": 0.01, "warmup_steps": 5, "epochs": 3,
                            "output_dropout": 0.1, "embedding_dropout": 0.1, "word_dropout": 0.05,
                            "teacher_forcing": 0.8, "label_smoothing": 0.05, "average_decay": 0.9},
               "card": {"task": "toy"}})";
}

/// A folder with toy data and the recipe.
inline void prepare_toy(const TemporaryFolder& folder) {
    folder.file("train.tsv", toy_data(1, 300));
    folder.file("valid.tsv", toy_data(2, 30));
    folder.file("toy.json", toy_recipe());
}

/// A folder with toy data, the recipe and the trained models: toy.safetensors learnt for 8 epochs, dot.safetensors
/// (luong, dot, input feeding) and none.safetensors (no attention) for 2. They are copies: a test may write beside
/// them. Cases with one are tagged [toy], so that ctest trains the models before them, once.
class ToyFolder : public TemporaryFolder {
  public:
    ToyFolder() {
        INFO("the test case [train toy] makes " SOFTALIGN_TOY);
        REQUIRE(std::filesystem::exists(SOFTALIGN_TOY));
        std::filesystem::copy(SOFTALIGN_TOY, *this / "");
    }
};

}  // namespace softalign::testing

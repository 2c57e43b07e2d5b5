#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "core/model/configuration.hpp"
#include "core/train/schedule.hpp"
#include "core/train/training.hpp"
#include "native/data/tokenizers.hpp"

namespace softalign {

/// The number that decides which of two models is better.
enum class Criterion { loss, bleu };

struct TrainingRecipe {
    std::uint64_t epochs = 10;
    std::uint64_t steps = 0;                 ///< stop after this many; 0: no limit
    std::size_t batch_words = 3000;          ///< source and target symbols of a batch
    std::size_t longest = 0;                 ///< leave out pairs with more symbols on one side; 0: none
    float source_noise = 0.0F;               ///< probability that a source is disturbed (source_noise.hpp)
    float renaming = 0.0F;                   ///< probability that a pair with names gets others (renaming.hpp)
    float average_decay = 0.0F;              ///< of the moving average of the weights; 0: no averaging
    std::uint64_t validate_every = 0;        ///< steps; 0: every epoch
    std::size_t validation_sentences = 500;  ///< translated for BLEU
    Criterion criterion = Criterion::loss;
    std::uint32_t patience = 0;  ///< stop after this many validations without improvement; 0: never
    TrainingOptions options;
    ScheduleOptions schedule;
};

/// Everything that decides what a training run does with its data. `--config` holds it, flags change it, and
/// checkpoints store it.
struct Recipe {
    Recipe();  ///< a middle-sized attentional model

    Configuration model;  ///< without the vocabularies' sizes
    TokenizersRecipe tokenizers;
    TrainingRecipe training;
    nlohmann::json card = nlohmann::json::object();  ///< copied into the model file
};

/// The range of a number in a recipe. All whole numbers are at least 0.
struct Limits {
    double least = 0;
    double most = std::numeric_limits<double>::infinity();
    bool above_least = false;  ///< `least` itself is excluded
    bool below_most = false;   ///< `most` itself is excluded
};

/// "at least 0 and below 1"
std::string in_words(const Limits& limits);

/// What is wrong with a number: "it must be at least 0 and below 1"; empty if nothing is.
std::string complaint(const Limits& limits, double number);

/// An entry of a recipe: its place in the JSON, its flag on the command line, and its help.
struct Entry {
    const char* section;
    const char* key;
    const char* flag;
    std::string help;
    Limits limits = {};  ///< of a number
};

/// Calls visit(entry, value) for every entry of a recipe. JSON, flags and help are all made from this one list.
template <typename Visit>
void for_each_entry(Recipe& recipe, const Visit& visit) {
    const auto between = [](double least, double most) { return Limits{least, most}; };
    const Limits share{0, 1, false, true};
    const Limits positive{0, std::numeric_limits<double>::infinity(), true};
    const Limits size{1};                   // the configuration checks the largest
    const Limits count = between(0, 1e15);  // epochs times batches stay within 64 bits

    Configuration& m = recipe.model;
    const char* model = "model";
    visit(Entry{model, "embed", "--embed", "size of both embeddings", size}, m.embed);
    visit(Entry{model, "enc_hidden", "--enc-hidden", "encoder units per direction", size}, m.enc_hidden);
    visit(Entry{model, "dec_hidden", "--dec-hidden", "decoder units", size}, m.dec_hidden);
    visit(Entry{model, "attn", "--attn", "attention units (scores additive and concat)"}, m.attn);
    visit(Entry{model, "cell", "--cell", "kind of the recurrent layers: " + names_of(kCells)}, m.cell);
    visit(Entry{model, "layers", "--layers", "recurrent layers on each side", size}, m.layers);
    visit(Entry{model, "bidirectional", "--bidirectional", "read the source in both directions"}, m.bidirectional);
    visit(Entry{model, "bridge", "--bridge", "learn how to make the decoder's first state from the encoder's last"},
          m.bridge);
    visit(Entry{model, "style", "--style", names_of(kStyles)}, m.style);
    visit(Entry{model, "score", "--score", names_of(kScores) + "; none with style none"}, m.score);
    visit(Entry{model, "input_feeding", "--input-feeding", "luong: the next step reads the attentional vector"},
          m.input_feeding);
    visit(Entry{model, "readout", "--readout", "units between decoder and output layer; 0: none"}, m.readout);
    visit(Entry{model, "tied", "--tied", "use the target embedding as the output layer"}, m.tied);

    TokenizersRecipe& k = recipe.tokenizers;
    const char* tokenizers = "tokenizers";
    visit(Entry{tokenizers, "source", "--source-tokenizer", "chars, words or bpe"}, k.source);
    visit(Entry{tokenizers, "target", "--target-tokenizer", "chars, words or bpe"}, k.target);
    visit(Entry{tokenizers, "source_size", "--source-size", "largest source vocabulary"}, k.source_size);
    visit(Entry{tokenizers, "target_size", "--target-size", "largest target vocabulary"}, k.target_size);
    visit(Entry{tokenizers, "joint", "--joint", "one vocabulary for both sides"}, k.joint);
    visit(Entry{tokenizers, "minimum_count", "--minimum-count", "chars, words: rarer symbols become unknown", count},
          k.minimum_count);
    visit(Entry{tokenizers, "append_eos", "--append-eos", "end every source with EOS"}, k.append_eos);

    TrainingRecipe& t = recipe.training;
    const char* training = "training";
    visit(
        Entry{training, "epochs", "--epochs", "passes over the data; cosine decay ends with the last", between(1, 1e9)},
        t.epochs);
    visit(Entry{training, "steps", "--steps", "stop after this many batches in all; 0: after the epochs", count},
          t.steps);
    visit(Entry{training, "batch_words", "--batch-words", "source and target symbols of a batch", between(1, 1e9)},
          t.batch_words);
    visit(Entry{training, "longest", "--longest", "leave out pairs with more symbols on one side; 0: keep all", count},
          t.longest);
    visit(Entry{training, "seed", "--seed", "random seed of weights, order and dropout"}, t.options.seed);
    visit(Entry{training, "learning_rate", "--learning-rate", "Adam's learning rate at its highest", positive},
          t.schedule.peak);
    visit(Entry{training, "warmup_steps", "--warmup-steps", "batches until the highest rate is reached", count},
          t.schedule.warmup_steps);
    visit(Entry{training, "decay", "--decay", "constant, cosine or plateau"}, t.schedule.decay);
    visit(Entry{training, "total_steps", "--total-steps", "cosine: batches until the last rate; 0: all epochs", count},
          t.schedule.total_steps);
    visit(Entry{training, "floor", "--floor", "cosine: the last rate as a share of the highest", between(0, 1)},
          t.schedule.floor);
    visit(Entry{training,
                "plateau_factor",
                "--plateau-factor",
                "plateau: multiply the rate by this ...",
                {0, 1, true, false}},
          t.schedule.plateau_factor);
    visit(Entry{training, "plateau_patience", "--plateau-patience",
                "... after this many validations without improvement", between(0, 1e9)},
          t.schedule.plateau_patience);
    visit(Entry{training, "label_smoothing", "--label-smoothing", "share of the probability that is spread evenly",
                share},
          t.options.label_smoothing);
    visit(Entry{training, "embedding_dropout", "--embedding-dropout", "after the embeddings", share},
          t.options.embedding_dropout);
    visit(Entry{training, "layer_dropout", "--layer-dropout", "between recurrent layers", share},
          t.options.layer_dropout);
    visit(Entry{training, "output_dropout", "--output-dropout", "before the output layer", share},
          t.options.output_dropout);
    visit(Entry{training, "word_dropout", "--word-dropout", "share of source symbols that become unknown", share},
          t.options.word_dropout);
    visit(Entry{training, "source_noise", "--source-noise",
                "share of sources put in upper or lower case, stripped of their full stop, or given a typing mistake",
                share},
          t.source_noise);
    visit(Entry{training, "renaming", "--renaming",
                "share of pairs whose names, the same in both languages, are replaced by made-up ones", share},
          t.renaming);
    visit(Entry{training, "teacher_forcing", "--teacher-forcing", "probability that a step reads the reference's word",
                between(0, 1)},
          t.options.teacher_forcing);
    visit(Entry{training, "clip_norm", "--clip-norm", "largest gradient norm; 0: no limit"}, t.options.adam.clip_norm);
    visit(Entry{training, "beta1", "--beta1", "Adam's", share}, t.options.adam.beta1);
    visit(Entry{training, "beta2", "--beta2", "Adam's", share}, t.options.adam.beta2);
    visit(Entry{training, "epsilon", "--epsilon", "Adam's", positive}, t.options.adam.epsilon);
    visit(Entry{training, "products", "--products",
                "f32, or bf16: about 1.7 times as fast, but rounds the factors of products by up to 1/256; needs "
                "AVX512_BF16"},
          t.options.products);
    visit(Entry{training, "average_decay", "--average-decay", "moving average of the weights, such as 0.999; 0: none",
                share},
          t.average_decay);
    visit(Entry{training, "validate_every", "--validate-every", "batches between validations; 0: every epoch", count},
          t.validate_every);
    visit(Entry{training, "validation_sentences", "--validation-sentences",
                "sentences translated for BLEU at every validation", count},
          t.validation_sentences);
    visit(Entry{training, "criterion", "--criterion", "how to choose the best model: loss or bleu"}, t.criterion);
    visit(Entry{training, "patience", "--patience", "stop after this many validations without improvement; 0: never",
                between(0, 1e9)},
          t.patience);
}

/// Applies {"model": {...}, "tokenizers": {...}, "training": {...}, "card": {...}} to a recipe; absent entries stay.
/// Throws FormatError that begins with `where` and names the key that is unknown or has an impossible value.
void apply(const nlohmann::json& changes, const std::string& where, Recipe& recipe);

nlohmann::json to_json(const Recipe& recipe);

// Values as the JSON has them: names for enumerations.
std::string value_name(Style value);
std::string value_name(Score value);
std::string value_name(Cell value);
std::string value_name(TokenizerKind value);
std::string value_name(Decay value);
std::string value_name(Criterion value);
std::string value_name(simd::Precision value);

}  // namespace softalign

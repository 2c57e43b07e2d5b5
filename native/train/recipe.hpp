#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "core/model/configuration.hpp"
#include "core/train/schedule.hpp"
#include "core/train/training.hpp"
#include "native/data/tokenizers.hpp"

namespace softalign {

/// Which number says that a model is better than another.
enum class Criterion { loss, bleu };

struct TrainingRecipe {
    std::uint64_t epochs = 10;
    std::uint64_t steps = 0;                 ///< stop after so many; 0: no such limit
    std::size_t batch_words = 3000;          ///< source and target symbols of a batch
    std::size_t longest = 0;                 ///< leave out pairs with more symbols on one side; 0: none
    float source_noise = 0.0F;               ///< probability that a source is disturbed (source_noise.hpp)
    float renaming = 0.0F;                   ///< probability that a pair with names gets others (renaming.hpp)
    float average_decay = 0.0F;              ///< of the moving average of the weights; 0: no averaging
    std::uint64_t validate_every = 0;        ///< steps; 0: every epoch
    std::size_t validation_sentences = 500;  ///< translated for BLEU
    Criterion criterion = Criterion::loss;
    std::uint32_t patience = 0;  ///< stop after so many validations without improvement; 0: never
    TrainingOptions options;
    ScheduleOptions schedule;
};

/// All that decides what a training run does with its data: what `--config` holds, flags change, and a checkpoint
/// keeps.
struct Recipe {
    Recipe();  ///< a middle-sized attentional model

    Configuration model;  ///< without the vocabularies' sizes
    TokenizersRecipe tokenizers;
    TrainingRecipe training;
    nlohmann::json card = nlohmann::json::object();  ///< goes into the model file as it is
};

/// Calls visit(section, key, flag, value, help) for every entry of a recipe: the one list that the JSON, the flags and
/// their help are made from. A `flag` of the command line starts with --.
template <typename Visit>
void for_each_entry(Recipe& recipe, const Visit& visit) {
    Configuration& m = recipe.model;
    const char* model = "model";
    visit(model, "embed", "--embed", m.embed, "size of both embeddings");
    visit(model, "enc_hidden", "--enc-hidden", m.enc_hidden, "encoder units per direction");
    visit(model, "dec_hidden", "--dec-hidden", m.dec_hidden, "decoder units");
    visit(model, "attn", "--attn", m.attn, "attention units (scores additive and concat)");
    visit(model, "layers", "--layers", m.layers, "LSTM layers of both sides");
    visit(model, "bidirectional", "--bidirectional", m.bidirectional, "read the source in both directions");
    visit(model, "bridge", "--bridge", m.bridge, "learn how the decoder's first state follows from the encoder's last");
    visit(model, "style", "--style", m.style, "none, bahdanau or luong");
    visit(model, "score", "--score", m.score, "additive, concat, general, dot, scaled_dot; none with style none");
    visit(model, "input_feeding", "--input-feeding", m.input_feeding,
          "luong: the next step reads the attentional vector");
    visit(model, "readout", "--readout", m.readout, "units between decoder and output layer; 0: none");
    visit(model, "tied", "--tied", m.tied, "use the target embedding as the output layer");

    TokenizersRecipe& k = recipe.tokenizers;
    const char* tokenizers = "tokenizers";
    visit(tokenizers, "source", "--source-tokenizer", k.source, "chars, words or bpe");
    visit(tokenizers, "target", "--target-tokenizer", k.target, "chars, words or bpe");
    visit(tokenizers, "source_size", "--source-size", k.source_size, "source vocabulary (chars, words: at most)");
    visit(tokenizers, "target_size", "--target-size", k.target_size, "target vocabulary (chars, words: at most)");
    visit(tokenizers, "joint", "--joint", k.joint, "one vocabulary for both sides");
    visit(tokenizers, "minimum_count", "--minimum-count", k.minimum_count, "chars, words: rarer symbols are unknown");
    visit(tokenizers, "append_eos", "--append-eos", k.append_eos, "end every source with EOS");

    TrainingRecipe& t = recipe.training;
    const char* training = "training";
    visit(training, "epochs", "--epochs", t.epochs, "passes over the data; cosine decay ends with the last");
    visit(training, "steps", "--steps", t.steps, "stop after so many batches in all; 0: after the epochs");
    visit(training, "batch_words", "--batch-words", t.batch_words, "source and target symbols of a batch");
    visit(training, "longest", "--longest", t.longest, "leave out pairs with more symbols on one side; 0: keep all");
    visit(training, "seed", "--seed", t.options.seed, "of weights, order and dropout");
    visit(training, "learning_rate", "--learning-rate", t.schedule.peak, "Adam's, at its highest");
    visit(training, "warmup_steps", "--warmup-steps", t.schedule.warmup_steps, "batches until it is reached");
    visit(training, "decay", "--decay", t.schedule.decay, "constant, cosine or plateau");
    visit(training, "total_steps", "--total-steps", t.schedule.total_steps, "cosine: its length; 0: all epochs");
    visit(training, "floor", "--floor", t.schedule.floor, "cosine: last rate as a share of the highest");
    visit(training, "plateau_factor", "--plateau-factor", t.schedule.plateau_factor, "plateau: rate times this ...");
    visit(training, "plateau_patience", "--plateau-patience", t.schedule.plateau_patience,
          "... after so many validations without improvement");
    visit(training, "label_smoothing", "--label-smoothing", t.options.label_smoothing,
          "share of probability spread evenly");
    visit(training, "embedding_dropout", "--embedding-dropout", t.options.embedding_dropout, "after the embeddings");
    visit(training, "layer_dropout", "--layer-dropout", t.options.layer_dropout, "between LSTM layers");
    visit(training, "output_dropout", "--output-dropout", t.options.output_dropout, "before the output layer");
    visit(training, "word_dropout", "--word-dropout", t.options.word_dropout, "source symbols that become unknown");
    visit(training, "source_noise", "--source-noise", t.source_noise,
          "share of sources put in capitals or small letters, or that lose their final stop or get a typing mistake");
    visit(training, "renaming", "--renaming", t.renaming,
          "share of pairs whose names, the same in both languages, are replaced by made-up ones");
    visit(training, "teacher_forcing", "--teacher-forcing", t.options.teacher_forcing,
          "probability that a step reads the reference's word");
    visit(training, "clip_norm", "--clip-norm", t.options.adam.clip_norm, "longest gradient; 0: any");
    visit(training, "beta1", "--beta1", t.options.adam.beta1, "Adam's");
    visit(training, "beta2", "--beta2", t.options.adam.beta2, "Adam's");
    visit(training, "epsilon", "--epsilon", t.options.adam.epsilon, "Adam's");
    visit(training, "products", "--products", t.options.products,
          "f32, or bf16: about 1.7 times as fast, factors of products rounded by up to 1/256; needs AVX512_BF16");
    visit(training, "average_decay", "--average-decay", t.average_decay,
          "moving average of the weights, such as 0.999; 0: none");
    visit(training, "validate_every", "--validate-every", t.validate_every, "batches; 0: every epoch");
    visit(training, "validation_sentences", "--validation-sentences", t.validation_sentences,
          "how many are translated for BLEU while training");
    visit(training, "criterion", "--criterion", t.criterion, "what the best model is best in: loss or bleu");
    visit(training, "patience", "--patience", t.patience,
          "stop after so many validations without improvement; 0: never");
}

/// Changes a recipe as {"model": {...}, "tokenizers": {...}, "training": {...}, "card": {...}} says; what is absent
/// stays. Throws FormatError that begins with `where` and names the key that is unknown or has a value that cannot be.
void apply(const nlohmann::json& changes, const std::string& where, Recipe& recipe);

nlohmann::json to_json(const Recipe& recipe);

// Values as the JSON has them: names for enumerations.
std::string value_name(Style value);
std::string value_name(Score value);
std::string value_name(TokenizerKind value);
std::string value_name(Decay value);
std::string value_name(Criterion value);
std::string value_name(simd::Precision value);

}  // namespace softalign

#include "native/lab/reverse_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/nn/random.hpp"
#include "core/search/search.hpp"
#include "core/text/vocabulary.hpp"
#include "native/options/options.hpp"

namespace softalign::lab {

namespace {

constexpr std::size_t kMostLetters = 26;  // each has a name of its own

}  // namespace

void add_reverse_task(CLI::App& command, ReverseOptions& options) {
    constexpr std::uint64_t most = 1'000'000;
    add_whole_number(command, "--letters", options.letters, {1, kMostLetters}, "letters of the alphabet");
    add_whole_number(command, "--longest", options.longest, {1, 1000}, "letters of the longest source");
    add_whole_number(command, "--hidden", options.hidden, {4, 4096},
                     "units of the decoder, and of the encoder's two directions together");
    add_whole_number(command, "--steps", options.steps, {1, most}, "batches that each model is trained on");
    add_whole_number(command, "--batch", options.batch, {1, most}, "sequences of a batch");
    add_number(command, "--learning-rate", options.learning_rate, {1e-6, 1}, "Adam's learning rate at its highest");
    add_seed(command, options.seed, "of weights and data");
}

const char* name(Reader reader) {
    switch (reader) {
        case Reader::none:
            return "none";
        case Reader::additive:
            return "additive";
        case Reader::dot:
            break;
    }
    return "dot";
}

const char* description(Reader reader) {
    switch (reader) {
        case Reader::none:
            return "no attention";
        case Reader::additive:
            return "additive (Bahdanau)";
        case Reader::dot:
            break;
    }
    return "dot (Luong)";
}

Configuration reverse_configuration(const ReverseOptions& options, Reader reader) {
    if (options.letters == 0 || options.letters > kMostLetters) throw UsageError("the alphabet has 1 to 26 letters");
    if (options.hidden % 2 != 0) throw UsageError("--hidden must be even: both directions share it");
    Configuration configuration;
    configuration.src_vocab = configuration.tgt_vocab = kSymbols + options.letters;
    configuration.embed = options.hidden / 4;
    configuration.enc_hidden = options.hidden / 2;
    configuration.dec_hidden = options.hidden;
    configuration.bidirectional = true;
    switch (reader) {
        case Reader::none:
            configuration.style = Style::none;
            configuration.score = Score::none;
            break;
        case Reader::additive:
            configuration.attn = options.hidden / 2;
            configuration.style = Style::bahdanau;
            configuration.score = Score::additive;
            break;
        case Reader::dot:
            configuration.style = Style::luong;
            configuration.score = Score::dot;
            break;
    }
    configuration.validate();
    return configuration;
}

Batch reverse_batch(const ReverseOptions& options, const std::vector<std::size_t>& lengths, std::uint64_t seed,
                    std::uint64_t stream) {
    const RandomStream random(seed, RandomUse::batch_order, stream);
    std::uint64_t position = 0;
    Batch batch;
    for (const std::size_t length : lengths) {
        std::vector<int> source(length);
        for (int& id : source) {
            id = kSymbols + static_cast<int>(random.uniform(position++) * static_cast<double>(options.letters));
        }
        std::vector<int> target{BOS};
        target.insert(target.end(), source.rbegin(), source.rend());
        target.push_back(EOS);
        batch.sources.push_back(std::move(source));
        batch.targets.push_back(std::move(target));
    }
    return batch;
}

std::uint64_t unseen_seed(const ReverseOptions& options) {
    return ~options.seed;
}

Batch reverse_training_batch(const ReverseOptions& options, std::uint64_t step) {
    const double share = static_cast<double>(step) / (0.4 * static_cast<double>(options.steps));
    const auto longest = static_cast<double>(options.longest);
    const double limit = std::min(longest, 4.0 + share * longest);
    const RandomStream random(options.seed, RandomUse::word_dropout, step);
    std::vector<std::size_t> lengths;
    for (std::size_t i = 0; i < options.batch; ++i) {
        lengths.push_back(1 + static_cast<std::size_t>(random.uniform(i) * limit));
    }
    return reverse_batch(options, lengths, options.seed, step);
}

ScheduleOptions reverse_schedule(const ReverseOptions& options) {
    ScheduleOptions schedule;
    schedule.peak = options.learning_rate;
    schedule.warmup_steps = options.steps / 20;
    schedule.total_steps = options.steps;
    schedule.floor = 0.01F;
    return schedule;
}

std::shared_ptr<const Parameters> train_reverse(const Tools& tools, const ReverseOptions& options,
                                                const Configuration& configuration, const std::string& label) {
    TrainingOptions training_options;
    training_options.seed = options.seed;
    Training training(configuration, training_options);
    const ScheduleOptions schedule = reverse_schedule(options);
    const OnWork progress = tools.begin(label, options.steps);
    for (std::uint64_t step = 0; step < options.steps; ++step) {
        const StepResult result =
            training.step(tools.executor, reverse_training_batch(options, step), learning_rate(schedule, step, {}));
        progress(step + 1, fmt::format("loss {:.3f}", result.batch.loss));
    }
    return training.parameters();
}

ReverseAccuracy reverse_accuracy(simd::Executor& executor, const ReverseOptions& options, const Seq2Seq& model,
                                 const UnseenSequences& unseen) {
    const auto [length, sequences] = unseen;
    const Batch batch =
        reverse_batch(options, std::vector<std::size_t>(sequences, length), unseen_seed(options), length);
    const auto found = search(model, executor, batch.sources, SearchOptions{});
    std::size_t letters = 0;
    std::size_t whole = 0;
    for (std::size_t i = 0; i < sequences; ++i) {
        const Hypothesis& hypothesis = found[i].front();
        std::size_t right = 0;
        for (std::size_t t = 0; t < length && t < hypothesis.ids.size(); ++t) {
            right += hypothesis.ids[t] == batch.targets[i][t + 1];
        }
        letters += right;
        whole += right == length && hypothesis.finished && hypothesis.ids.size() == length + 1;
    }
    const auto count = static_cast<double>(sequences);
    return {static_cast<double>(letters) / (count * static_cast<double>(length)), static_cast<double>(whole) / count};
}

ModelDescription reverse_description(const ReverseOptions& options, Reader reader, const std::string& figures) {
    std::string alphabet;
    for (std::size_t i = 0; i < options.letters; ++i) alphabet += static_cast<char>('a' + i);
    ModelDescription model;
    model.configuration = reverse_configuration(options, reader);
    model.source_tokenizer = build_chars_tokenizer({alphabet}, {});
    model.target_tokenizer = model.source_tokenizer;
    model.card = {
        {"title", fmt::format("Letters backwards: {}", description(reader))},
        {"description", fmt::format("Writes 1 to {} letters from a to {} backwards. Nothing can be guessed: what comes "
                                    "out right was carried over from the source.",
                                    options.longest, alphabet.back())},
        {"task", "reverse"},
        {"source", {{"name", "Letters"}}},
        {"target", {{"name", "Letters backwards"}}},
        {"data", "random letters, generated"},
        {"licence", "CC0: nobody's data is in it"},
        {"command", fmt::format("softalign lab length-curve --save FOLDER --seed {}", options.seed)},
        {"figures", figures}};
    return model;
}

}  // namespace softalign::lab

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <type_traits>

#include "core/error.hpp"
#include "core/json.hpp"
#include "native/commands/commands.hpp"
#include "native/options/options.hpp"
#include "native/say/output.hpp"
#include "native/system/file_lock.hpp"
#include "native/system/files.hpp"
#include "native/system/thread_pool.hpp"
#include "native/train/trainer.hpp"

namespace softalign::commands {

namespace {

using nlohmann::json;

std::atomic<bool> interrupted{false};

/// The first signal asks for an orderly end; a second one ends the process at once.
void on_signal(int signal) {
    interrupted = true;
    std::signal(signal, SIG_DFL);
}

struct TrainCommand {
    std::string train;
    std::string valid;
    std::string out;
    std::string config;
    bool resume = false;
    bool overwrite = false;
    double minutes = 0;
    std::size_t threads = 0;
    json flags = json::object();  ///< values of flags, in the form of a recipe
};

/// Accepts values within the entry's limits.
CLI::Validator within(const Entry& entry) {
    return {[limits = entry.limits](const std::string& given) {
                double number = 0;
                if (!CLI::detail::lexical_cast(given, number)) return "it must be a number, not '" + given + "'";
                const std::string wrong = complaint(limits, number);
                return wrong.empty() ? wrong : wrong + ", not '" + given + "'";
            },
            in_words(entry.limits)};
}

/// A flag for an entry of a recipe. @param value the default
template <typename Value>
void add_flag(CLI::App& command, json& flags, const Entry& entry, const Value& value) {
    const auto take = [&flags, section = entry.section, key = entry.key](const auto& given) {
        flags[section][key] = given;
    };
    if constexpr (std::is_same_v<Value, bool>) {
        const std::string names = fmt::format("{0},!--no-{1}", entry.flag, entry.flag + 2);
        command
            .add_flag_function(
                names, [take](std::int64_t given) { take(given > 0); }, fmt::format("{} [{}]", entry.help, value))
            ->group(entry.section);
    } else if constexpr (std::is_enum_v<Value>) {
        command
            .add_option_function<std::string>(entry.flag, take, fmt::format("{} [{}]", entry.help, value_name(value)))
            ->group(entry.section);
    } else {
        command.add_option_function<Value>(entry.flag, take, fmt::format("{} [{}]", entry.help, value))
            ->check(within(entry))
            ->group(entry.section);
    }
}

/// The configuration of the model that a recipe and its tokenizers make.
Configuration configuration_of(const Recipe& recipe, const Tokenizers& tokenizers) {
    Configuration configuration = recipe.model;
    configuration.src_vocab = tokenizers.source->vocabulary_size();
    configuration.tgt_vocab = tokenizers.target->vocabulary_size();
    // A style or score drops what it has no use for, so that --style none alone is enough.
    if (configuration.style == Style::none) configuration.score = Score::none;
    if (!kind(configuration.score).has_units) configuration.attn = 0;
    configuration.validate();
    return configuration;
}

void leave_out_long_pairs(TrainingData& data, std::size_t longest) {
    if (longest == 0) return;
    const std::size_t before = data.training.size();
    PreparedCorpus& texts = data.training_texts;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < before; ++i) {
        if (is_longer(data.training[i], longest)) continue;
        if (kept != i) {
            data.training[kept] = std::move(data.training[i]);
            texts.sources[kept] = std::move(texts.sources[i]);
            texts.targets[kept] = std::move(texts.targets[i]);
        }
        ++kept;
    }
    if (kept == 0) throw Error("no pair is left: all have more than " + std::to_string(longest) + " symbols");
    data.training.resize(kept);
    texts.sources.resize(kept);
    texts.targets.resize(kept);
    if (kept < before) {
        write_message(fmt::format("{} of {} pairs left out: more than {} symbols\n", before - kept, before, longest));
    }
}

/// Reports the first difference in what a resumed run must keep: the model's shape, the settings that decide which
/// pairs are in a batch, and the criterion of the best value so far.
void require_same_run(const json& before, const json& now) {
    const auto require_same = [&](const char* section, const std::string& key) {
        const json& was = before.at(section).at(key);
        const json& is = now.at(section).at(key);
        if (was == is) return;
        throw UsageError(fmt::format("cannot resume with another {}.{}: it was {}, now it is {}", section, key,
                                     was.dump(), is.dump()));
    };
    for (const char* section : {"model", "tokenizers"}) {
        for (const auto& entry : before.at(section).items()) require_same(section, entry.key());
    }
    for (const char* key : {"seed", "batch_words", "criterion"}) require_same("training", key);
    if (now.at("training").at("criterion") == value_name(Criterion::bleu)) {
        require_same("training", "validation_sentences");
    }
}

Recipe resolve_recipe(const TrainCommand& command, const Checkpoint* checkpoint) {
    Recipe recipe;
    if (checkpoint != nullptr) apply(checkpoint->recipe, "checkpoint", recipe);
    if (!command.config.empty())
        apply(parse_json(read_text_file(command.config), command.config), command.config, recipe);
    try {
        apply(command.flags, "command line", recipe);
    } catch (const FormatError& error) {
        throw UsageError(error.what());
    }
    if (checkpoint != nullptr) require_same_run(checkpoint->recipe, to_json(recipe));
    return recipe;
}

/// Reports that a text has fewer pieces than requested, as a beginner's small data does.
void describe_pieces(const char* side, TokenizerKind kind, std::size_t wanted, std::size_t found) {
    if (kind != TokenizerKind::bpe || found == wanted) return;
    write_message(
        fmt::format("the {} texts have only {} pieces; --{}-size {} asks for more\n", side, found, side, wanted));
}

void describe(const ModelDescription& model, const TrainingData& data, const simd::Executor& executor) {
    const Configuration& c = model.configuration;
    write_message(fmt::format("{} pairs to train on, {} to validate on; vocabularies {} and {}\n", data.training.size(),
                              data.validation.size(), c.src_vocab, c.tgt_vocab));
    write_message(fmt::format("{} parameters, style {}, score {}; {} threads\n", parameter_count(c), kind(c.style).name,
                              kind(c.score).name, executor.workers()));
}

const char* sentence(TrainingEnd end) {
    switch (end) {
        case TrainingEnd::epochs:
            return "all epochs are done";
        case TrainingEnd::steps:
            return "all steps are done";
        case TrainingEnd::patience:
            return "no improvement any more";
        case TrainingEnd::minutes:
            return "the time is up; --resume goes on";
        case TrainingEnd::interrupted:
            break;
    }
    return "interrupted; --resume goes on";
}

void train(const TrainCommand& command) {
    const TrainingFiles files(command.out);
    const FileLock lock(files.lock, "'" + files.last + "'");
    std::optional<Checkpoint> checkpoint;
    if (command.resume) {
        checkpoint = read_checkpoint(file_bytes(read_file(files.last)), files.last);
    } else if (!command.overwrite && std::filesystem::exists(files.last)) {
        throw UsageError("'" + files.last + "' exists: --resume continues that run, --overwrite starts afresh");
    }
    const Recipe recipe = resolve_recipe(command, checkpoint ? &*checkpoint : nullptr);

    ThreadPool executor(command.threads);
    const std::vector<SentencePair> training_pairs = read_parallel(command.train);
    const std::vector<SentencePair> validation_pairs = read_parallel(command.valid);
    PreparedCorpus training = prepare(training_pairs, command.train);
    const PreparedCorpus validation = prepare(validation_pairs, command.valid);

    ModelDescription model;
    if (checkpoint) {
        model = checkpoint->model;
    } else {
        const Tokenizers tokenizers = build_tokenizers(recipe.tokenizers, training);
        model.source_tokenizer = tokenizers.source;
        model.target_tokenizer = tokenizers.target;
        model.configuration = configuration_of(recipe, tokenizers);
        describe_pieces("source", recipe.tokenizers.source, recipe.tokenizers.source_size,
                        tokenizers.source->vocabulary_size());
        describe_pieces("target", recipe.tokenizers.target, recipe.tokenizers.target_size,
                        tokenizers.target->vocabulary_size());
        model.card = recipe.card;
    }
    TrainingData data;
    data.training = encode(training, *model.source_tokenizer, *model.target_tokenizer);
    data.training_texts = std::move(training);
    data.validation = encode(validation, *model.source_tokenizer, *model.target_tokenizer);
    for (const SentencePair& pair : validation_pairs) data.references.push_back(pair.targets);
    leave_out_long_pairs(data, recipe.training.longest);
    describe(model, data, executor);

    interrupted = false;
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
    // The terminal was closed; under nohup this is ignored.
    if (std::signal(SIGHUP, on_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
    Trainer trainer = checkpoint ? Trainer(executor, recipe, std::move(*checkpoint), std::move(data), files)
                                 : Trainer(executor, recipe, std::move(model), std::move(data), files);
    const TrainingEnd end = trainer.run({command.minutes, &interrupted});
    if (end == TrainingEnd::interrupted) throw Error(sentence(end));
    write_message(fmt::format("{}\n", sentence(end)));
    write_output(command.out + "\n");
}

}  // namespace

void add_train(CLI::App& app) {
    const auto options = std::make_shared<TrainCommand>();
    CLI::App* command = app.add_subcommand("train", "train a model on parallel text");
    command->footer(
        "TRAIN.tsv and VALID.tsv hold source<TAB>target lines in UTF-8, gzipped or not. Training reads the first "
        "target\n"
        "of a line; further columns of VALID.tsv are further references for BLEU.\n\n"
        "MODEL.safetensors is the model that did best on VALID.tsv. MODEL.last.safetensors beside it is the "
        "checkpoint\n"
        "from which --resume continues, and MODEL.log.jsonl holds the figures, one JSON object a line. Ctrl-C saves "
        "and\n"
        "stops. A resumed run gives the same model, byte for byte, as an uninterrupted one.\n\n"
        "--config FILE is JSON with the sections \"model\", \"tokenizers\", \"training\" and \"card\" (which is copied "
        "into the\n"
        "model file). Its keys are the flags above, with underscores; a flag overrides the file.\n\n"
        "Example: softalign train train.tsv.gz --valid valid.tsv.gz --out en-fr.safetensors --joint --epochs 8\n"
        "             --batch-words 3000 --embedding-dropout 0.2 --output-dropout 0.2 --label-smoothing 0.1");
    command->add_option("TRAIN", options->train, "parallel text to train on")->required();
    command->add_option("--valid", options->valid, "parallel text to validate the model on")->required();
    command->add_option("--out", options->out, "the model file to write, NAME.safetensors")->required();
    command->add_option("--config", options->config, "a recipe to start from, JSON");
    CLI::Option* resume = command->add_flag("--resume", options->resume, "continue from MODEL.last.safetensors");
    command->add_flag("--overwrite", options->overwrite, "start afresh although there is a checkpoint")
        ->excludes(resume);
    add_number(*command, "--minutes", options->minutes, {0, 1e9}, "stop after this many minutes; 0: no limit");
    add_threads(*command, options->threads);
    Recipe defaults;
    for_each_entry(defaults,
                   [&](const Entry& entry, auto& value) { add_flag(*command, options->flags, entry, value); });
    command->callback([options] { train(*options); });
}

}  // namespace softalign::commands

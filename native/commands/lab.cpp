#include <filesystem>
#include <functional>

#include "core/error.hpp"
#include "native/commands/commands.hpp"
#include "native/commands/shared.hpp"
#include "native/lab/align.hpp"
#include "native/lab/cost.hpp"
#include "native/lab/credit.hpp"
#include "native/lab/faithfulness.hpp"
#include "native/lab/length_curve.hpp"
#include "native/lab/scan.hpp"
#include "native/lab/translation_length.hpp"
#include "native/lab/worked_example.hpp"
#include "native/lab/wrong_axis.hpp"
#include "native/say/output.hpp"
#include "native/system/files.hpp"
#include "native/system/thread_pool.hpp"

namespace softalign::commands {

namespace {

/// What every experiment is told.
struct Common {
    std::string out;
    bool json_only = false;
    std::size_t threads = 0;
};

std::string picture_extension(const std::string& path) {
    const std::string extension = std::filesystem::path(path).extension().string();
    if (extension != ".svg" && extension != ".png") {
        throw UsageError("--out must end with .svg or .png, not '" + path + "'");
    }
    return extension;
}

void run(const Common& common, const std::function<lab::Report(simd::Executor&)>& experiment) {
    // A name that cannot be drawn to is told before minutes of work.
    const std::string extension = common.json_only ? "" : picture_extension(common.out);
    ThreadPool executor(common.threads);
    const lab::Report report = experiment(executor);
    if (!common.json_only) {
        write_file(common.out, extension == ".svg" ? chart_svg(report.chart) : chart_png(report.chart));
    }
    write_output(report.json.dump(2) + "\n");
}

/// One experiment: its options beside the common ones, and what runs it.
template <typename Options>
void add_experiment(CLI::App& app, const std::string& name, const std::string& description, const std::string& footer,
                    const std::function<void(CLI::App&, Options&)>& add_options,
                    const std::function<lab::Report(const Options&, simd::Executor&)>& experiment) {
    struct Given {
        Common common;
        Options options;
    };
    const auto given = std::make_shared<Given>();
    given->common.out = name + ".svg";
    CLI::App* command = app.add_subcommand(name, description);
    command->footer(footer);
    add_options(*command, given->options);
    CLI::Option* out =
        command->add_option("--out", given->common.out, "the picture: NAME.svg or NAME.png")->capture_default_str();
    command->add_flag("--json-only", given->common.json_only, "draw no picture")->excludes(out);
    add_threads(*command, given->common.threads);
    command->callback([given, experiment] {
        run(given->common, [&](simd::Executor& executor) { return experiment(given->options, executor); });
    });
}

struct NoOptions {};

void add_worked_example(CLI::App& app) {
    add_experiment<NoOptions>(
        app, "worked-example", "two calculations of attention by hand, with every number in between",
        "Energies to weights, and one whole step of additive attention: with the library's own layers, so that a\n"
        "calculation on paper can be held against the code.",
        [](CLI::App&, NoOptions&) {},
        [](const NoOptions&, simd::Executor& executor) { return lab::worked_example(executor); });
}

/// What the toy task of several experiments is trained with.
void add_reverse_task(CLI::App& command, lab::ReverseOptions& options) {
    const auto positive = CLI::Range(1, 1000000);
    command.add_option("--letters", options.letters, "of the alphabet")
        ->check(CLI::Range(1, 26))
        ->capture_default_str();
    command.add_option("--longest", options.longest, "letters of the longest source")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    command
        .add_option("--hidden", options.hidden, "units of the decoder, and of the encoder's two directions together")
        ->check(CLI::Range(4, 4096))
        ->capture_default_str();
    command.add_option("--steps", options.steps, "batches that each model learns from")
        ->check(positive)
        ->capture_default_str();
    command.add_option("--batch", options.batch, "sequences of a batch")->check(positive)->capture_default_str();
    command.add_option("--learning-rate", options.learning_rate, "Adam's, at its highest")
        ->check(number_between(1e-6, 1.0))
        ->capture_default_str();
    add_seed(command, options.seed, "of weights and data");
}

/// The experiments that ask trained models.
struct GivenModels {
    std::vector<std::string> paths;
    std::string data;

    std::vector<lab::NamedModel> load() const {
        std::vector<lab::NamedModel> models;
        for (const std::string& path : paths) {
            models.push_back({std::filesystem::path(path).stem().string(), load_model(path)});
        }
        return models;
    }
};

void add_models(CLI::App& command, GivenModels& given, const std::string& data_help) {
    command.add_option("--model", given.paths, "a model file; more than once to compare several")->required();
    command.add_option("--data", given.data, data_help)->required();
}

void add_align_experiment(CLI::App& app) {
    add_experiment<GivenModels>(
        app, "align", "how well attention agrees with alignments by people, and which row is a word's",
        "Every target word is linked to the source word it was read from most, by the row of the step that writes it,\n"
        "that of the step before and that of the step after; the alignment error rate (0 is perfect) says that the\n"
        "first is right in both styles. A diagonal that knows nothing but lengths stands beside.\n\n"
        "Example: softalign lab align --model en-fr.safetensors --data alibi.tsv.gz",
        [](CLI::App& command, GivenModels& given) {
            add_models(command, given,
                       "gold alignments: source words<TAB>target words<TAB>sure links<TAB>possible links");
        },
        [](const GivenModels& given, simd::Executor& executor) {
            return lab::align(given.load(), given.data, executor);
        });
}

void add_length_curve(CLI::App& app) {
    add_experiment<lab::LengthCurveOptions>(
        app, "length-curve", "accuracy by the source's length: no attention, additive, dot",
        "The toy task: random letters in, the same backwards out. Three models of one size learn from the same\n"
        "sequences; then each is judged on unseen ones of every length. Beside them the lesson's own figures.",
        [](CLI::App& command, lab::LengthCurveOptions& options) {
            add_reverse_task(command, options.task);
            command.add_option("--sequences", options.sequences, "that are judged, of every length")
                ->check(CLI::Range(1, 1000000))
                ->capture_default_str();
            command.add_option("--save", options.save, "a folder for the models: reverse-none.safetensors and so on");
        },
        lab::length_curve);
}

void add_credit(CLI::App& app) {
    add_experiment<lab::CreditOptions>(
        app, "credit", "how strongly a late target's loss reaches each source position, with and without attention",
        "The toy task's last letter stands first in the source. Without attention its gradient has to come through\n"
        "every step of the decoder and the encoder; with attention one weighted edge leads there. Two models are\n"
        "trained, and the gradient's norm is taken at every source position, before and after.",
        [](CLI::App& command, lab::CreditOptions& options) {
            add_reverse_task(command, options.task);
            command.add_option("--sequences", options.sequences, "that the norms are averaged over")
                ->check(CLI::Range(1, 100000))
                ->capture_default_str();
        },
        lab::credit);
}

void add_wrong_axis(CLI::App& app) {
    add_experiment<lab::WrongAxisOptions>(
        app, "wrong-axis", "training with the softmax over target steps instead of source positions",
        "The same model is trained with either axis on the same batches of the toy task. The loss falls all the same;\n"
        "the diagnostic, which asks whether every row of weights sums to 1 over the source, tells them apart, and so\n"
        "does generating, where the target's later steps are not there yet.",
        [](CLI::App& command, lab::WrongAxisOptions& options) {
            add_reverse_task(command, options.task);
            command.add_option("--sequences", options.sequences, "unseen ones that both are judged on")
                ->check(CLI::Range(1, 100000))
                ->capture_default_str();
        },
        lab::wrong_axis);
}

void add_cost(CLI::App& app) {
    add_experiment<lab::CostOptions>(
        app, "cost", "what attention adds to a training step, and what dot saves against additive",
        "Three models that differ in the attention alone take turns, step by step, at several lengths; the medians "
        "are\n"
        "told. --threads matters here: figures are of as many threads as are given.",
        [](CLI::App& command, lab::CostOptions& options) {
            command.add_option("--hidden", options.hidden, "units of all layers")
                ->check(CLI::Range(4, 4096))
                ->capture_default_str();
            command.add_option("--vocabulary", options.vocabulary, "words of both sides")
                ->check(CLI::Range(8, 1000000))
                ->capture_default_str();
            command.add_option("--batch", options.batch, "pairs of a batch")
                ->check(CLI::Range(1, 10000))
                ->capture_default_str();
            command.add_option("--rounds", options.rounds, "timed steps of each model at each length")
                ->check(CLI::Range(1, 100000))
                ->capture_default_str();
            add_seed(command, options.seed, "of weights and data");
        },
        lab::cost);
}

struct TranslationLength {
    GivenModels given;
    lab::TranslationLengthOptions options;
};

void add_translation_length(CLI::App& app) {
    add_experiment<TranslationLength>(
        app, "translation-length", "BLEU by the length of the source, of one or several models",
        "Example: softalign lab translation-length --model en-fr.safetensors --model en-fr-none.safetensors\n"
        "             --data valid.refs.tsv.gz",
        [](CLI::App& command, TranslationLength& experiment) {
            add_models(command, experiment.given, "source<TAB>reference[<TAB>references], gzipped or not");
            add_search(command, experiment.options.search);
            command
                .add_option("--least", experiment.options.least,
                            "sentences of a bin; a bin of fewer is joined with the one before")
                ->check(CLI::Range(1, 1000000))
                ->capture_default_str();
        },
        [](const TranslationLength& experiment, simd::Executor& executor) {
            return lab::translation_length(experiment.given.load(), experiment.given.data, experiment.options,
                                           executor);
        });
}

struct Faithfulness {
    GivenModels given;
    lab::FaithfulnessOptions options;
};

void add_faithfulness(CLI::App& app) {
    add_experiment<Faithfulness>(
        app, "faithfulness", "whether the weights explain the output: other weights, and what the output does",
        "Jain and Wallace's question (2019) put to a translation model. Along given translations the weights of one\n"
        "step are permuted, made uniform, or lose their strongest: how far does the next word's distribution move?\n"
        "And which weights, as different as can be found, leave it as it is?\n\n"
        "Example: softalign lab faithfulness --model en-fr.safetensors --data valid.tsv.gz",
        [](CLI::App& command, Faithfulness& experiment) {
            add_models(command, experiment.given, "source<TAB>translation, gzipped or not");
            lab::FaithfulnessOptions& options = experiment.options;
            command.add_option("--sentences", options.sentences, "of the data, the first ones")
                ->check(CLI::Range(1, 1000000))
                ->capture_default_str();
            command.add_option("--permutations", options.permutations, "of every step's weights")
                ->check(CLI::Range(1, 1000))
                ->capture_default_str();
            command
                .add_option("--tolerance", options.tolerance, "total variation up to which two outputs are the same")
                ->check(number_between(0.0, 1.0))
                ->capture_default_str();
            add_seed(command, options.seed, "of the permutations");
        },
        [](const Faithfulness& experiment, simd::Executor& executor) {
            return lab::faithfulness(experiment.given.load(), experiment.given.data, experiment.options, executor);
        });
}

void add_scan(CLI::App& app) {
    add_experiment<lab::ScanOptions>(
        app, "scan", "SCAN: commands to actions, on the splits simple, length and jump",
        "--data FOLDER holds simple, length and addprim_jump, each as .train.tsv and .test.tsv, gzipped or not:\n"
        "command<TAB>actions (Lake and Baroni 2018). A model is trained on each split and judged by exact match.",
        [](CLI::App& command, lab::ScanOptions& options) {
            command.add_option("--data", options.folder, "the folder of the splits")->required();
            command.add_option("--hidden", options.hidden, "units of the decoder")
                ->check(CLI::Range(2, 4096))
                ->capture_default_str();
            command.add_option("--epochs", options.epochs, "passes over the training commands")
                ->check(CLI::Range(1, 100000))
                ->capture_default_str();
            command.add_option("--batch-words", options.batch_words, "source and target symbols of a batch")
                ->check(CLI::Range(1, 1000000))
                ->capture_default_str();
            command.add_option("--learning-rate", options.learning_rate, "Adam's, at its highest")
                ->check(number_between(1e-6, 1.0))
                ->capture_default_str();
            command.add_option("--dropout", options.dropout, "of the embeddings and before the output layer")
                ->check(CLI::Range(0.0F, 0.9F))
                ->capture_default_str();
            add_seed(command, options.seed, "of weights and order");
        },
        lab::scan);
}

}  // namespace

void add_lab(CLI::App& app) {
    CLI::App* command = app.add_subcommand("lab", "experiments with attention, as JSON and as a picture");
    command->require_subcommand(1);
    command->footer(
        "Every experiment prints its figures as JSON on standard output and draws EXPERIMENT.svg, or what --out "
        "names.\n"
        "softalign lab EXPERIMENT --help tells what it asks and how.\n\n"
        "Example: softalign lab length-curve --out curve.png >curve.json");
    add_length_curve(*command);
    add_align_experiment(*command);
    add_credit(*command);
    add_wrong_axis(*command);
    add_cost(*command);
    add_translation_length(*command);
    add_faithfulness(*command);
    add_scan(*command);
    add_worked_example(*command);
}

}  // namespace softalign::commands

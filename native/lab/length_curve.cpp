#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include "core/error.hpp"
#include "native/lab/experiment.hpp"
#include "native/lab/reverse_task.hpp"
#include "native/options/options.hpp"
#include "native/system/files.hpp"

namespace softalign::lab {

namespace {

struct LengthCurveOptions {
    ReverseOptions task;
    std::size_t sequences = 200;  ///< that are judged, of every length
    std::string save;             ///< a folder for the models, as reverse-NAME.safetensors; empty: none
};

using nlohmann::ordered_json;

// What the lesson prints of its own run.
const std::vector<std::pair<double, double>> kLessonWithAttention{{1, 1.000},  {5, 0.997},  {10, 0.985}, {15, 0.972},
                                                                  {20, 0.958}, {30, 0.941}, {40, 0.912}};
constexpr double kLessonPlainBeyondTen = 0.31;

struct Curve {
    std::vector<double> letters;
    std::vector<double> sequences;
};

ordered_json json_of(const Curve& curve, const Configuration& configuration, double seconds) {
    ordered_json result;
    result["style"] = kind(configuration.style).name;
    result["score"] = kind(configuration.score).name;
    result["parameters"] = parameter_count(configuration);
    result["training_seconds"] = figure(seconds);
    result["least_accuracy"] = figure(*std::min_element(curve.letters.begin(), curve.letters.end()));
    result["accuracy"] = figures(curve.letters);
    result["whole_sequences"] = figures(curve.sequences);
    return result;
}

/// The cost of a fixed-size bottleneck: accuracy by source length without attention, with additive and with dot, at the
/// same size and number of steps (Bahdanau, Cho and Bengio 2015, figure 2, on a task without words).
Report length_curve(const LengthCurveOptions& options, const Tools& tools) {
    if (!options.save.empty()) make_folder(options.save);
    Report report;
    report.json["experiment"] = "length-curve";
    report.json["task"] = "random letters in, the same backwards out";
    report.json["letters"] = options.task.letters;
    report.json["steps"] = options.task.steps;
    report.json["batch"] = options.task.batch;
    report.json["seed"] = options.task.seed;
    report.json["sequences_of_each_length"] = options.sequences;
    std::vector<std::size_t> lengths(options.task.longest);
    for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = i + 1;
    report.json["lengths"] = lengths;

    report.chart.title = "Without attention a long source does not fit into one vector";
    report.chart.subtitle =
        fmt::format("Letters written at the right place, in {} unseen sequences of each length", options.sequences);
    report.chart.x_label = "letters of the source";
    report.chart.y_label = "accuracy";
    report.chart.y_most = 1;

    for (const Reader reader : kReaders) {
        const Configuration configuration = reverse_configuration(options.task, reader);
        const auto begin = std::chrono::steady_clock::now();
        const std::shared_ptr<const Parameters> parameters =
            train_reverse(tools, options.task, configuration, name(reader));
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        const Seq2Seq model(configuration, parameters);
        Curve curve;
        Series series{description(reader), {}, false};
        for (const std::size_t length : lengths) {
            const ReverseAccuracy accuracy =
                reverse_accuracy(tools.executor, options.task, model, {length, options.sequences});
            curve.letters.push_back(accuracy.letters);
            curve.sequences.push_back(accuracy.sequences);
            series.points.emplace_back(static_cast<double>(length), accuracy.letters);
        }
        report.json["models"][name(reader)] = json_of(curve, configuration, seconds.count());
        report.chart.series.push_back(std::move(series));
        if (options.save.empty()) continue;
        const std::string figures =
            fmt::format("letters at the right place, lengths 1 to {}: at least {:.4f}", options.task.longest,
                        *std::min_element(curve.letters.begin(), curve.letters.end()));
        write_file((std::filesystem::path(options.save) / fmt::format("reverse-{}.safetensors", name(reader))).string(),
                   write_model(reverse_description(options.task, reader, figures), *parameters, Storage::f32));
    }

    for (const auto& [length, accuracy] : kLessonWithAttention) {
        report.json["lesson"]["attention"][std::to_string(static_cast<int>(length))] = accuracy;
    }
    report.json["lesson"]["none_beyond_10"] = kLessonPlainBeyondTen;
    report.chart.series.push_back({"the lesson's attention", kLessonWithAttention, true});
    return report;
}

}  // namespace

Experiment length_curve_experiment() {
    return {"length-curve", "accuracy by source length: no attention, additive, dot",
            "The toy task: random letters in, the same letters backwards out. Three models of one size learn from\n"
            "the same sequences; then each is tested on unseen ones of every length, beside the lesson's own figures.",
            [](CLI::App& command) -> Run {
                const auto options = std::make_shared<LengthCurveOptions>();
                add_reverse_task(command, options->task);
                add_whole_number(command, "--sequences", options->sequences, {1, 1'000'000},
                                 "test sequences of every length");
                add_text(command, "--save", options->save,
                         "write the models to this folder: reverse-none.safetensors and so on");
                return [options](const Tools& tools) { return length_curve(*options, tools); };
            }};
}

}  // namespace softalign::lab

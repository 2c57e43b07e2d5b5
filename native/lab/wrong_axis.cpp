#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "native/lab/axis_model.hpp"
#include "native/lab/experiment.hpp"
#include "native/lab/reverse_task.hpp"
#include "native/options/options.hpp"

namespace softalign::lab {

namespace {

struct WrongAxisOptions {
    WrongAxisOptions() {
        task.longest = 10;
        task.hidden = 64;
        task.steps = 1500;
    }
    ReverseOptions task;
    std::size_t sequences = 200;  ///< unseen ones that both models are judged on
};

using nlohmann::ordered_json;

constexpr std::uint64_t kPointsOfACurve = 40;

const char* description(Axis axis) {
    return axis == Axis::source ? "softmax over the source" : "softmax over the target's steps";
}

/// Trains `parameters`. @return the loss, one point for every few steps
Series train(const Tools& tools, const ReverseOptions& options, const Configuration& configuration, Axis axis,
             const std::shared_ptr<Parameters>& parameters) {
    AxisModel model(configuration, parameters, axis);
    AdamState state{Parameters::zeros(configuration), Parameters::zeros(configuration), 0};
    const ScheduleOptions schedule = reverse_schedule(options);
    const std::uint64_t stretch = std::max<std::uint64_t>(1, options.steps / kPointsOfACurve);
    Series curve{description(axis), {}, false};
    double sum = 0;
    std::uint64_t counted = 0;
    const OnWork progress = tools.begin(description(axis), options.steps);
    for (std::uint64_t step = 0; step < options.steps; ++step) {
        Parameters gradient = Parameters::zeros(configuration);
        const BatchLoss loss = model.loss_and_gradient(tools.executor, reverse_training_batch(options, step), gradient);
        adam_step(tools.executor, {}, learning_rate(schedule, step, {}), gradient, {configuration, state, *parameters});
        model.refresh(tools.executor);
        sum += loss.loss;
        if (++counted == stretch || step + 1 == options.steps) {
            curve.points.emplace_back(static_cast<double>(step + 1), sum / static_cast<double>(counted));
            sum = 0;
            counted = 0;
        }
        progress(step + 1, fmt::format("loss {:.3f}", loss.loss));
    }
    return curve;
}

ordered_json diagnosis(const std::vector<Matrix>& alignments) {
    AttentionDiagnosis worst;
    for (const Matrix& alignment : alignments) {
        const AttentionDiagnosis found = diagnose(view(alignment), alignment.shape(1));
        worst.largest_sum_error = std::max(worst.largest_sum_error, found.largest_sum_error);
        worst.largest_padding_weight = std::max(worst.largest_padding_weight, found.largest_padding_weight);
    }
    return {{"largest_error_of_a_sum", static_cast<double>(worst.largest_sum_error)},
            {"largest_weight_of_padding", static_cast<double>(worst.largest_padding_weight)},
            {"sound", worst.sound()}};
}

/// Share of the words, EOS included, that greedy search puts where the targets have them.
double generated_accuracy(simd::Executor& executor, const AxisModel& model, const Batch& batch) {
    const std::size_t steps = batch.targets.front().size() - 1;
    const auto found = model.search(executor, batch.sources, steps);
    std::size_t right = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        for (std::size_t t = 0; t < steps; ++t) right += found[i][t] == batch.targets[i][t + 1];
    }
    return static_cast<double>(right) / static_cast<double>(found.size() * steps);
}

/// A mistake that no loss reveals: a softmax over the target's steps instead of the source's positions, one wrong axis
/// number in most frameworks. The same model (style luong, score dot) is trained with either axis on the same batches.
/// Both losses fall, since training knows the whole target; `diagnose` shows which of the two attends, and a search,
/// which has no later steps to share with, shows what the mistake costs.
Report wrong_axis(const WrongAxisOptions& options, const Tools& tools) {
    const Configuration configuration = reverse_configuration(options.task, Reader::dot);
    const Batch unseen = reverse_batch(options.task, std::vector<std::size_t>(options.sequences, options.task.longest),
                                       unseen_seed(options.task), 0);
    Report report;
    report.json["experiment"] = "wrong-axis";
    report.json["source_length"] = options.task.longest;
    report.json["steps"] = options.task.steps;
    report.json["sequences"] = options.sequences;
    report.chart.title = "The loss does not tell which axis the softmax runs over";
    report.chart.x_label = "training steps";
    report.chart.y_label = "training loss (nats a word)";

    for (const Axis axis : {Axis::source, Axis::target}) {
        const auto parameters = std::make_shared<Parameters>(initial_parameters(configuration, options.task.seed));
        const Series curve = train(tools, options.task, configuration, axis, parameters);
        const AxisModel model(configuration, parameters, axis);
        Parameters unused = Parameters::zeros(configuration);
        const BatchLoss loss = model.loss_and_gradient(tools.executor, unseen, unused);
        ordered_json entry;
        entry["first_training_loss"] = figure(curve.points.front().second);
        entry["last_training_loss"] = figure(curve.points.back().second);
        entry["unseen"] = {{"loss", figure(loss.loss)},
                           {"accuracy_given_the_words_before", figure(loss.accuracy)},
                           {"accuracy_generating", figure(generated_accuracy(tools.executor, model, unseen))}};
        entry["diagnosis"] = diagnosis(model.alignments(tools.executor, unseen));
        report.json[axis == Axis::source ? "over_source" : "over_target_steps"] = std::move(entry);
        report.chart.series.push_back(curve);
    }
    report.chart.subtitle = fmt::format(
        "The diagnostic does: a row of weights is off 1 by up to {:.0e} over the source, {:.2f} over the target's "
        "steps",
        report.json["over_source"]["diagnosis"]["largest_error_of_a_sum"].get<double>(),
        report.json["over_target_steps"]["diagnosis"]["largest_error_of_a_sum"].get<double>());
    return report;
}

}  // namespace

Experiment wrong_axis_experiment() {
    return {"wrong-axis", "training with the softmax over target steps instead of source positions",
            "The same model is trained with either axis on the same batches of the toy task. The loss falls in both "
            "cases.\n"
            "The diagnostic, which checks whether every row of weights sums to 1 over the source, tells them apart, "
            "and so\n"
            "does generation, where the later steps of the target do not exist yet.",
            [](CLI::App& command) -> Run {
                const auto options = std::make_shared<WrongAxisOptions>();
                add_reverse_task(command, options->task);
                add_whole_number(command, "--sequences", options->sequences, {1, 100'000},
                                 "unseen sequences that both models are tested on");
                return [options](const Tools& tools) { return wrong_axis(*options, tools); };
            }};
}

}  // namespace softalign::lab

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "core/model/teacher_forcing.hpp"
#include "core/simd/kernels.hpp"
#include "core/train/loss.hpp"
#include "native/lab/experiment.hpp"
#include "native/lab/reverse_task.hpp"
#include "native/options/options.hpp"

namespace softalign::lab {

namespace {

struct CreditOptions {
    ReverseOptions task;
    std::size_t sequences = 32;  ///< of the longest length, that the norms are averaged over
};

Configuration forward_only(const ReverseOptions& options, Reader reader) {
    Configuration configuration = reverse_configuration(options, reader);
    configuration.bidirectional = false;
    configuration.enc_hidden = options.hidden;
    return configuration;
}

/// The norm of the last letter's gradient at every source position. @return [S], relative to where it starts
std::vector<double> credit_of_last_letter(simd::Executor& executor, const Seq2Seq& model,
                                          const std::vector<int>& source, const std::vector<int>& target) {
    EncoderTrace encoder_trace;
    const EncodedBatch batch = model.encode(executor, {source}, &encoder_trace);
    const DecoderBatch decoder_batch = batch.decoder(executor);
    const Decoder& decoder = model.decoder();
    TeacherForcedRun run = run_teacher_forced(model, decoder_batch, batch.encoded, {target});

    const std::size_t last_letter = run.pass.layout.rows() - 2;  // the row after it predicts EOS
    Parameters gradient = Parameters::zeros(model.configuration());
    Matrix doutput_input = zeros(run.output_input.shape(0), run.output_input.shape(1));
    output_loss(executor, {decoder.output().head(), model.parameters()->head.bias},
                view(run.output_input).rows_from(last_letter, 1), {run.labels[last_letter]}, 0.0F,
                {view(gradient.head.weight), gradient.head.bias, view(doutput_input).rows_from(last_letter, 1)});
    const double start = std::sqrt(simd::sum_of_squares(row(doutput_input, last_letter), doutput_input.shape(1)));

    const Matrix& states = batch.encoded.source.states;
    Matrix dstates = zeros(states.shape(0), states.shape(1));
    // Of one sentence: its slot is the first.
    DecoderState dstarted = decoder.backward(decoder_batch, run.pass, std::move(doutput_input), dstates, gradient);
    const std::vector<CellState> dfinal =
        decoder.start_backward(executor, batch.encoded, run.started, std::move(dstarted), gradient);
    model.encoder().backward(executor, encoder_trace, dstates, dfinal, nullptr, gradient);

    // The backward pass has left the gradients of the pre-activations where the gates were.
    const Matrix& dgates = encoder_trace.layers.back().forward.cell.gates;  // [S, 4 H]
    std::vector<double> norms;
    for (std::size_t i = 0; i < dgates.shape(0); ++i) {
        norms.push_back(std::sqrt(simd::sum_of_squares(row(dgates, i), dgates.shape(1))) / start);
    }
    return norms;
}

std::vector<double> mean_credit(simd::Executor& executor, const CreditOptions& options,
                                const Configuration& configuration, std::shared_ptr<const Parameters> parameters) {
    const Seq2Seq model(configuration, std::move(parameters), Passes::forward_and_backward);
    const std::size_t length = options.task.longest;
    const Batch batch = reverse_batch(options.task, std::vector<std::size_t>(options.sequences, length),
                                      unseen_seed(options.task), length);
    std::vector<double> sum(length, 0.0);
    for (std::size_t b = 0; b < options.sequences; ++b) {
        const std::vector<double> norms = credit_of_last_letter(executor, model, batch.sources[b], batch.targets[b]);
        for (std::size_t i = 0; i < length; ++i) sum[i] += norms[i] / static_cast<double>(options.sequences);
    }
    return sum;
}

Series series_of(const std::string& label, const std::vector<double>& norms, bool reference) {
    Series series{label, {}, reference};
    for (std::size_t i = 0; i < norms.size(); ++i) series.points.emplace_back(static_cast<double>(i + 1), norms[i]);
    return series;
}

/// How strongly the loss of a late target word reaches each source position (the credit assignment of Bengio, Simard
/// and Frasconi 1994). The last letter of the toy task comes first in the source, as far away as possible: without
/// attention, its gradient passes through every transition of the decoder and then of the encoder, a product of some
/// eighty factors; with attention, one weighted edge leads there. The encoder reads forwards only, to keep the path
/// long.
///
/// At position i, this is the gradient of the gates' pre-activations, through which everything passes that the position
/// contributes, relative to the gradient where it starts, at the input of the output layer.
Report credit(const CreditOptions& options, const Tools& tools) {
    const std::size_t length = options.task.longest;
    Report report;
    report.json["experiment"] = "credit";
    report.json["source_length"] = length;
    report.json["steps"] = options.task.steps;
    report.json["sequences"] = options.sequences;
    report.json["loss_of"] = "the last letter, which stands first in the source";
    // From the step that writes it back to the first step, over to the encoder's last state and back to its first.
    report.json["transitions_without_attention"] = (length - 1) + 1 + (length - 1);

    report.chart.title = "How strongly the last letter's loss reaches the source";
    report.chart.subtitle = fmt::format(
        "Norm of the gradient at each position of {} letters, relative to where it starts; the letter stands at "
        "position 1",
        length);
    report.chart.x_label = "source position";
    report.chart.y_label = "relative norm of the gradient";
    report.chart.y_scale = Chart::Scale::logarithmic;

    for (const Reader reader : {Reader::none, Reader::additive}) {
        const Configuration configuration = forward_only(options.task, reader);
        const std::vector<double> before = mean_credit(tools.executor, options, configuration,
                                                       share(initial_parameters(configuration, options.task.seed)));
        const std::shared_ptr<const Parameters> parameters =
            train_reverse(tools, options.task, configuration, name(reader));
        const std::vector<double> after = mean_credit(tools.executor, options, configuration, parameters);
        nlohmann::ordered_json& entry = report.json["models"][name(reader)];
        entry["accuracy"] = figure(reverse_accuracy(tools.executor, options.task, Seq2Seq(configuration, parameters),
                                                    {length, options.sequences})
                                       .letters);
        entry["at_the_first_position"] = {{"before_training", before.front()}, {"after_training", after.front()}};
        entry["before_training"] = before;
        entry["after_training"] = after;
        report.chart.series.push_back(series_of(fmt::format("{}, untrained", description(reader)), before, true));
        report.chart.series.push_back(series_of(fmt::format("{}, trained", description(reader)), after, false));
    }
    return report;
}

}  // namespace

Experiment credit_experiment() {
    return {"credit", "how strongly a late target's loss reaches each source position, with and without attention",
            "The last letter of the toy task comes first in the source. Without attention, its gradient has to pass "
            "through\n"
            "every step of the decoder and the encoder; with attention, one weighted edge leads there. Two models are\n"
            "trained, and the gradient's norm is measured at every source position, before and after training.",
            [](CLI::App& command) -> Run {
                const auto options = std::make_shared<CreditOptions>();
                add_reverse_task(command, options->task);
                add_whole_number(command, "--sequences", options->sequences, {1, 100'000},
                                 "sequences over which the norms are averaged");
                return [options](const Tools& tools) { return credit(*options, tools); };
            }};
}

}  // namespace softalign::lab

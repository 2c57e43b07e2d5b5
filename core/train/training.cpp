#include "core/train/training.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/model/teacher_forcing.hpp"
#include "core/nn/random.hpp"
#include "core/nn/rows.hpp"
#include "core/train/loss.hpp"

namespace softalign {

namespace {

struct BatchDropout {
    EncoderDropout encoder;
    DecoderDropout decoder;
};

BatchDropout dropout_of(const Configuration& configuration, const TrainingOptions& options, std::uint64_t step) {
    const auto dropout = [&](float rate, RandomUse use) {
        return Dropout(rate, RandomStream(options.seed, use, step));
    };
    BatchDropout result{{dropout(options.embedding_dropout, RandomUse::source_embedding_dropout), {}},
                        {dropout(options.embedding_dropout, RandomUse::target_embedding_dropout),
                         {},
                         dropout(options.output_dropout, RandomUse::output_dropout)}};
    for (std::size_t l = 0; l + 1 < configuration.layers; ++l) {
        const std::uint64_t layer_step = step * configuration.layers + l;
        const auto between = [&](RandomUse use) {
            return Dropout(options.layer_dropout, RandomStream(options.seed, use, layer_step));
        };
        result.encoder.between_layers.push_back(between(RandomUse::encoder_layer_dropout));
        result.decoder.between_layers.push_back(between(RandomUse::decoder_layer_dropout));
    }
    return result;
}

void drop_words(std::vector<std::vector<int>>& sentences, float rate, const RandomStream& stream) {
    std::uint64_t position = 0;
    for (auto& sentence : sentences) {
        for (int& id : sentence) {
            if (id != BOS && id != EOS && stream.uniform(position) < static_cast<double>(rate)) id = UNK;
            ++position;
        }
    }
}

// From the order of slots to that of sentences.
DecoderState by_sentence(const DecoderState& slots, const StepLayout& layout) {
    DecoderState sentences;
    for (const CellState& layer : slots.layers) sentences.layers.push_back(scatter_rows(layer, layout.order));
    return sentences;
}

}  // namespace

BatchLoss loss_and_gradient(simd::Executor& executor, const Seq2Seq& model, const Batch& batch,
                            const TrainingOptions& options, std::uint64_t step, Parameters& gradient) {
    if (batch.sources.empty() || batch.sources.size() != batch.targets.size()) {
        throw UsageError("a batch needs at least one pair, and a target for every source");
    }
    const Configuration& configuration = model.configuration();
    const BatchDropout dropout = dropout_of(configuration, options, step);
    const TeacherForcing forcing{options.teacher_forcing, RandomStream(options.seed, RandomUse::teacher_forcing, step)};
    std::vector<std::vector<int>> sources = batch.sources;
    if (options.word_dropout > 0) {
        drop_words(sources, options.word_dropout, RandomStream(options.seed, RandomUse::word_dropout, step));
    }

    EncoderTrace encoder_trace;
    const EncodedBatch encoded = model.encode(executor, sources, &encoder_trace, &dropout.encoder);
    const DecoderBatch decoder_batch = encoded.decoder(executor, &dropout.decoder);
    TeacherForcedRun run = run_teacher_forced(model, decoder_batch, encoded.encoded, batch.targets, &forcing);
    dropout.decoder.output.apply(executor, view(run.output_input));

    Matrix doutput_input = matrix(run.output_input.shape(0), run.output_input.shape(1));
    Matrix& dhead = configuration.tied ? gradient.target_embedding : gradient.head.weight;
    const OutputLoss output =
        output_loss(executor, {model.decoder().output().head(), model.parameters()->head.bias}, view(run.output_input),
                    run.labels, options.label_smoothing, {view(dhead), gradient.head.bias, view(doutput_input)});
    dropout.decoder.output.apply(executor, view(doutput_input));

    const Matrix& states = encoded.encoded.source.states;
    Matrix dstates = zeros(states.shape(0), states.shape(1));
    const DecoderState dslots =
        model.decoder().backward(decoder_batch, run.pass, std::move(doutput_input), dstates, gradient);
    const std::vector<CellState> dfinal = model.decoder().start_backward(
        executor, encoded.encoded, run.started, by_sentence(dslots, run.pass.layout), gradient);
    model.encoder().backward(executor, encoder_trace, dstates, dfinal, &dropout.encoder, gradient);

    const std::size_t rows = run.pass.layout.rows();
    const auto words = static_cast<double>(rows);
    return {output.loss / words, output.hits / words, encoder_trace.layout.rows(), rows};
}

Training::Training(const Configuration& configuration, const TrainingOptions& options, Parameters parameters,
                   AdamState state)
    : options_(options),
      parameters_(std::make_shared<Parameters>(std::move(parameters))),
      state_(std::move(state)),
      gradient_(Parameters::zeros(configuration)),
      model_(configuration, parameters_, Passes::forward_and_backward, options.products) {}

Training::Training(const Configuration& configuration, const TrainingOptions& options)
    : Training(configuration, options, initial_parameters(configuration, options.seed),
               AdamState{Parameters::zeros(configuration), Parameters::zeros(configuration), 0}) {}

StepResult Training::step(simd::Executor& executor, const Batch& batch, float rate) {
    const std::vector<NamedTensor> gradients = named_tensors(gradient_, model_.configuration());
    StepResult result;
    {
        const simd::Stage stage(executor, "optimiser");
        executor.run(gradients.size(), [&](std::size_t i) { std::fill_n(gradients[i].data, gradients[i].size, 0.0F); });
    }
    result.batch = loss_and_gradient(executor, model_, batch, options_, state_.steps, gradient_);
    {
        const simd::Stage stage(executor, "optimiser");
        result.gradient_norm =
            adam_step(executor, options_.adam, rate, gradient_, {model_.configuration(), state_, *parameters_});
    }
    const simd::Stage stage(executor, "laying out");
    model_.refresh(executor);
    return result;
}

}  // namespace softalign

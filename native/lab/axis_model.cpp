#include "native/lab/axis_model.hpp"

#include <algorithm>

#include "core/simd/kernels.hpp"
#include "core/train/loss.hpp"

namespace softalign::lab {

using simd::Update;

namespace {

/// The encoder-decoder below the attention.
Configuration without_attention(Configuration configuration) {
    configuration.style = Style::none;
    configuration.score = Score::none;
    return configuration;
}

Matrix transposed(const Matrix& matrix) {
    return Matrix(xt::transpose(matrix));
}

}  // namespace

AxisModel::AxisModel(const Configuration& configuration, std::shared_ptr<const Parameters> parameters, Axis axis)
    : parameters_(std::move(parameters)),
      axis_(axis),
      plain_(without_attention(configuration), parameters_, Passes::forward_and_backward) {
    simd::SerialExecutor executor;
    refresh(executor);
}

void AxisModel::refresh(simd::Executor& executor) {
    plain_.refresh(executor);
    const Matrix& combine = parameters_->style.combine;
    combine_.set({executor, Passes::forward_and_backward, simd::Precision::f32}, combine, all_columns(combine));
}

void AxisModel::normalise(Matrix& energies) const {
    if (axis_ == Axis::target) energies = transposed(energies);  // [S, T]
    for (std::size_t r = 0; r < energies.shape(0); ++r) simd::softmax(row(energies, r), energies.shape(1));
    if (axis_ == Axis::target) energies = transposed(energies);
}

AxisModel::Pass AxisModel::forward(simd::Executor& executor, const Batch& batch) const {
    EncoderTrace encoder_trace;
    EncodedBatch encoded = plain_.encode(executor, batch.sources, &encoder_trace);
    TeacherForcedRun run = run_teacher_forced(plain_, encoded.decoder(executor), encoded.encoded, batch.targets);
    Pass pass{std::move(encoder_trace), std::move(encoded), std::move(run), {}, Matrix(), Matrix()};

    const StepLayout& layout = pass.run.pass.layout;
    const SourceStates& source = pass.batch.encoded.source;
    const Matrix& queries = pass.run.output_input;
    const std::size_t hidden = queries.shape(1);
    pass.combined = Matrix({layout.rows(), 2 * hidden});
    for (std::size_t slot = 0; slot < layout.slots(); ++slot) {
        const std::size_t sentence = layout.order[slot];
        const std::size_t length = source.length(sentence);
        const float* states = row(source.states, source.first[sentence]);  // [S, hidden]
        Matrix alignment({layout.lengths[slot], length});
        for (std::size_t t = 0; t < layout.lengths[slot]; ++t) {
            simd::rows_dot(states, row(queries, layout.row(t, slot)), 1.0F, row(alignment, t), length, hidden);
        }
        normalise(alignment);
        for (std::size_t t = 0; t < layout.lengths[slot]; ++t) {
            float* combined = row(pass.combined, layout.row(t, slot));
            simd::weighted_sum(row(alignment, t), states, combined, length, hidden, false);
            std::copy_n(row(queries, layout.row(t, slot)), hidden, combined + hidden);
        }
        pass.alignments.push_back(std::move(alignment));
    }
    pass.attentional = Matrix({layout.rows(), hidden});
    combine_.forward(executor, view(pass.combined), view(pass.attentional), Update::replace);
    simd::tanh(pass.attentional.data(), pass.attentional.data(), pass.attentional.size());
    return pass;
}

void AxisModel::attend_backward(const Pass& pass, const Matrix& dcombined, Matrix& dqueries, Matrix& dstates) const {
    const StepLayout& layout = pass.run.pass.layout;
    const SourceStates& source = pass.batch.encoded.source;
    const std::size_t hidden = dqueries.shape(1);
    for (std::size_t slot = 0; slot < layout.slots(); ++slot) {
        const std::size_t steps = layout.lengths[slot];
        const std::size_t first = source.first[layout.order[slot]];
        const std::size_t length = source.length(layout.order[slot]);
        const Matrix& alignment = pass.alignments[slot];
        Matrix denergies({steps, length});
        for (std::size_t t = 0; t < steps; ++t) {
            const float* dcontext = row(dcombined, layout.row(t, slot));
            simd::rows_dot(row(source.states, first), dcontext, 1.0F, row(denergies, t), length, hidden);
            simd::add_outer(row(alignment, t), dcontext, row(dstates, first), length, hidden);
        }
        const bool turned = axis_ == Axis::target;
        const Matrix weights = turned ? transposed(alignment) : alignment;
        if (turned) denergies = transposed(denergies);
        for (std::size_t r = 0; r < weights.shape(0); ++r) {
            simd::softmax_backward(row(weights, r), row(denergies, r), row(denergies, r), weights.shape(1));
        }
        if (turned) denergies = transposed(denergies);
        for (std::size_t t = 0; t < steps; ++t) {
            const std::size_t r = layout.row(t, slot);
            simd::weighted_sum(row(denergies, t), row(source.states, first), row(dqueries, r), length, hidden, true);
            simd::add_outer(row(denergies, t), row(pass.run.output_input, r), row(dstates, first), length, hidden);
        }
    }
}

BatchLoss AxisModel::loss_and_gradient(simd::Executor& executor, const Batch& batch, Parameters& gradient) const {
    Pass pass = forward(executor, batch);
    const std::size_t rows = pass.run.pass.layout.rows();
    const std::size_t hidden = pass.attentional.shape(1);
    Matrix dattentional({rows, hidden});
    const OutputLoss output =
        output_loss(executor, {plain_.decoder().output().head(), parameters_->head.bias}, view(pass.attentional),
                    pass.run.labels, 0.0F, {view(gradient.head.weight), gradient.head.bias, view(dattentional)});
    simd::tanh_backward(dattentional.data(), pass.attentional.data(), dattentional.data(), dattentional.size());
    combine_.weight_gradient(executor, view(dattentional), view(pass.combined), view(gradient.style.combine));
    Matrix dcombined({rows, 2 * hidden});
    combine_.backward(executor, view(dattentional), view(dcombined), Update::replace);

    Matrix dqueries({rows, hidden});
    for (std::size_t r = 0; r < rows; ++r) std::copy_n(row(dcombined, r) + hidden, hidden, row(dqueries, r));
    const SourceStates& source = pass.batch.encoded.source;
    Matrix dstates = zeros(source.states.shape(0), source.states.shape(1));
    attend_backward(pass, dcombined, dqueries, dstates);

    const DecoderState dslots =
        plain_.decoder().backward(pass.batch.decoder(executor), pass.run.pass, std::move(dqueries), dstates, gradient);
    // Without a bridge, the encoder's last state is the decoder's first; only the order of slots becomes that of
    // sentences.
    const CellState dfinal = scatter_rows(dslots.layers.front(), pass.run.pass.layout.order);
    plain_.encoder().backward(executor, pass.encoder_trace, dstates, {dfinal}, nullptr, gradient);
    const auto words = static_cast<double>(rows);
    return {output.loss / words, output.hits / words, pass.encoder_trace.layout.rows(), rows};
}

std::vector<Matrix> AxisModel::alignments(simd::Executor& executor, const Batch& batch) const {
    Pass pass = forward(executor, batch);
    std::vector<Matrix> result(batch.sources.size());
    for (std::size_t slot = 0; slot < result.size(); ++slot) {
        result[pass.run.pass.layout.order[slot]] = std::move(pass.alignments[slot]);
    }
    return result;
}

std::vector<std::vector<int>> AxisModel::search(simd::Executor& executor, const std::vector<std::vector<int>>& sources,
                                                std::size_t steps) const {
    // The last row of a prefix predicts the word after it; nothing later is read.
    Batch batch{sources, std::vector<std::vector<int>>(sources.size(), {BOS, EOS})};
    for (std::size_t t = 0; t < steps; ++t) {
        const Pass pass = forward(executor, batch);
        const StepLayout& layout = pass.run.pass.layout;
        Matrix logits({layout.slots(), plain_.configuration().tgt_vocab});
        plain_.decoder().output().logits(executor, view(pass.attentional).rows_from(layout.first[t], layout.slots()),
                                         view(logits));
        for (std::size_t slot = 0; slot < layout.slots(); ++slot) {
            std::vector<int>& target = batch.targets[layout.order[slot]];
            target.back() = static_cast<int>(simd::argmax(row(logits, slot), logits.shape(1)));
            target.push_back(EOS);
        }
    }
    for (std::vector<int>& target : batch.targets) target = {target.begin() + 1, target.end() - 1};
    return batch.targets;
}

}  // namespace softalign::lab

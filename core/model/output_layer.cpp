#include "core/model/output_layer.hpp"

#include <utility>
#include <vector>

#include "core/nn/parallel.hpp"
#include "core/nn/rows.hpp"
#include "core/simd/kernels.hpp"

namespace softalign {

using simd::MatrixView;
using simd::MutableMatrixView;
using simd::Update;

template <typename Weights>
void OutputLayer::set(const Preparation& preparation, const Configuration& configuration,
                      const ParametersOf<Weights>& parameters) {
    has_readout_ = configuration.readout > 0;
    std::vector<std::size_t> widths = {configuration.dec_hidden};  // of what is read
    if (kind(configuration.style).hands_on_context) widths.push_back(configuration.source_size());
    if (has_readout_) {
        widths.push_back(configuration.embed);
        readout_.set(preparation, parameters.readout.weight, 0, widths, Rows::of_a_batch);
        readout_bias_ = parameters.readout.bias;
        widths = {configuration.readout};
    }
    head_.set(preparation, configuration.tied ? parameters.target_embedding : parameters.head.weight, 0, widths,
              Rows::of_a_batch);
    head_bias_ = parameters.head.bias;
}

template void OutputLayer::set(const Preparation&, const Configuration&, const Parameters&);
template void OutputLayer::set(const Preparation&, const Configuration&, const QuantizedParameters&);

MatrixView OutputLayer::input(const DecoderBatch& batch, const StepRows& rows, const Matrix& features) const {
    const MatrixView read = view(features).rows_from(rows.first, rows.count);
    if (!has_readout_) return read;
    DecoderTrace& trace = rows.trace;
    const MutableMatrixView readout_in = rows.of(trace.readout_in);  // [count, F + E]
    copy_rows(read, readout_in.columns_from(0, read.columns));
    copy_rows(rows.of(trace.embedded), readout_in.columns_from(read.columns, trace.embedded.shape(1)));
    const MutableMatrixView readout = rows.of(trace.readout);
    batch.products.output.forward(batch.executor, readout_, rows.readers(),
                                  {readout_in, readout, Update::replace, &readout_bias_});
    for_rows(batch.executor, rows.count, 4 * readout.columns,
             [&](std::size_t r) { simd::tanh(row(readout, r), row(readout, r), readout.columns); });
    return readout;
}

void OutputLayer::logits(simd::Executor& executor, MatrixView input, MutableMatrixView logits) const {
    head_.forward(executor, input, logits, Update::replace, &head_bias_);
}

void OutputLayer::logits(const DecoderBatch& batch, const StepRows& rows, const Matrix& features,
                         MutableMatrixView result) const {
    const MatrixView read = input(batch, rows, features);
    if (has_readout_) {
        logits(batch.executor, read, result);
    } else {
        batch.products.output.forward(batch.executor, head_, rows.readers(),
                                      {read, result, Update::replace, &head_bias_});
    }
}

Matrix OutputLayer::input_backward(simd::Executor& executor, const DecoderTrace& trace, Matrix dinput,
                                   Matrix& dembedded, Parameters& gradient) const {
    dembedded = zeros(trace.embedded.shape(0), trace.embedded.shape(1));
    if (!has_readout_) return dinput;
    Matrix& dreadout = dinput;  // [R, readout]
    for (std::size_t r = 0; r < dreadout.shape(0); ++r) {
        simd::tanh_backward(row(dreadout, r), row(trace.readout, r), row(dreadout, r), dreadout.shape(1));
    }
    readout_.whole().weight_gradient(executor, view(dreadout), view(trace.readout_in), view(gradient.readout.weight));
    bias_gradient(executor, view(dreadout), gradient.readout.bias);
    Matrix dreadout_in = matrix(dreadout.shape(0), trace.readout_in.shape(1));  // [R, F + E]
    readout_.whole().backward(executor, view(dreadout), view(dreadout_in), Update::replace);
    Matrix dfeatures = matrix(dreadout.shape(0), dreadout_in.shape(1) - dembedded.shape(1));
    copy_rows(view(std::as_const(dreadout_in)).columns_from(0, dfeatures.shape(1)), view(dfeatures));
    copy_rows(view(std::as_const(dreadout_in)).columns_from(dfeatures.shape(1), dembedded.shape(1)), view(dembedded));
    return dfeatures;
}

}  // namespace softalign

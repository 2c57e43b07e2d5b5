#include "core/model/seq2seq.hpp"

#include <string>
#include <utility>

#include "core/error.hpp"

namespace softalign {

namespace {

using Floats = std::shared_ptr<const Parameters>;
using Integers = std::shared_ptr<const QuantizedParameters>;

Embedding embedding_of(const StoredParameters& stored, Matrix Parameters::*floats,
                       QuantizedMatrix QuantizedParameters::*integers) {
    if (const auto* parameters = std::get_if<Floats>(&stored)) return Embedding({*parameters, &(**parameters.*floats)});
    return Embedding(*std::get<Integers>(stored).*integers);
}

}  // namespace

Seq2Seq::Seq2Seq(const Configuration& configuration, const StoredParameters& parameters, Passes passes,
                 simd::Precision precision)
    : configuration_(configuration),
      passes_(passes),
      precision_(precision),
      source_embedding_(
          embedding_of(parameters, &Parameters::source_embedding, &QuantizedParameters::source_embedding)),
      target_embedding_(
          embedding_of(parameters, &Parameters::target_embedding, &QuantizedParameters::target_embedding)) {
    configuration_.validate();
    simd::SerialExecutor serial;
    if (const auto* floats = std::get_if<Floats>(&parameters)) {
        parameters_ = *floats;
        refresh(serial);
        return;
    }
    const Preparation preparation{serial, Passes::forward, simd::Precision::int8};
    const QuantizedParameters& integers = *std::get<Integers>(parameters);
    encoder_.set(preparation, configuration_, integers);
    decoder_.set(preparation, configuration_, integers);
}

void Seq2Seq::refresh(simd::Executor& executor) {
    const Preparation preparation{executor, passes_, precision_};
    encoder_.set(preparation, configuration_, *parameters_);
    decoder_.set(preparation, configuration_, *parameters_);
}

EncodedBatch Seq2Seq::encode(simd::Executor& executor, const std::vector<std::vector<int>>& sources,
                             EncoderTrace* trace, const EncoderDropout* dropout) const {
    for (const auto& source : sources) {
        if (source.empty()) throw UsageError("a source sentence has no token");
        for (const int id : source) {
            if (id < 0 || static_cast<std::size_t>(id) >= configuration_.src_vocab) {
                throw UsageError("source token " + std::to_string(id) + " is outside the source vocabulary of " +
                                 std::to_string(configuration_.src_vocab));
            }
        }
    }
    EncodedBatch batch;
    batch.encoded = encoder_.forward(executor, sources, source_embedding_, trace, dropout);
    batch.keys = decoder_.keys(executor, batch.encoded.source);
    return batch;
}

EncodedBatch Seq2Seq::encode_for_search(simd::Executor& executor, const std::vector<std::vector<int>>& sources) const {
    EncodedBatch batch = encode(executor, sources);
    batch.products = decoder_.source_products(executor, batch.encoded.source);
    return batch;
}

}  // namespace softalign

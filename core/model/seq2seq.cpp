#include "core/model/seq2seq.hpp"

#include <string>

#include "core/error.hpp"

namespace softalign {

Seq2Seq::Seq2Seq(const Configuration& configuration, const Parameters& parameters, Passes passes,
                 simd::Precision precision)
    : configuration_(configuration),
      parameters_(&parameters),
      passes_(passes),
      precision_(precision),
      source_embedding_(parameters.source_embedding),
      target_embedding_(parameters.target_embedding) {
    configuration_.validate();
    simd::SerialExecutor serial;
    refresh(serial);
}

Seq2Seq::Seq2Seq(const Configuration& configuration, const QuantizedParameters& parameters)
    : configuration_(configuration),
      parameters_(nullptr),
      passes_(Passes::forward),
      precision_(simd::Precision::int8),
      source_embedding_(parameters.source_embedding),
      target_embedding_(parameters.target_embedding) {
    configuration_.validate();
    simd::SerialExecutor serial;
    encoder_.set(serial, configuration_, parameters, passes_, precision_);
    decoder_.set(serial, configuration_, parameters, passes_, precision_);
}

Seq2Seq::Seq2Seq(const Configuration& configuration, const StoredParameters& parameters)
    : Seq2Seq(std::visit([&](const auto& stored) { return Seq2Seq(configuration, stored); }, parameters)) {}

void Seq2Seq::refresh(simd::Executor& executor) {
    encoder_.set(executor, configuration_, parameters(), passes_, precision_);
    decoder_.set(executor, configuration_, parameters(), passes_, precision_);
}

EncodedBatch Seq2Seq::encode(simd::Executor& executor, const std::vector<std::vector<int>>& sources) const {
    return encode(executor, sources, nullptr, nullptr);
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
    batch.keys = decoder_.attention().keys(executor, batch.encoded.source);
    return batch;
}

}  // namespace softalign

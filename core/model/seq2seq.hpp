#pragma once

#include <cassert>
#include <vector>

#include "core/model/configuration.hpp"
#include "core/model/decoder.hpp"
#include "core/model/encoder.hpp"
#include "core/model/parameters.hpp"

namespace softalign {

/// A batch of encoded sentences, ready to be asked.
struct EncodedBatch {
    Encoded encoded;
    Matrix keys;  ///< the key side of the scores, once a sentence
};

/// The encoder-decoder of one configuration, with its parameters laid out for running. Values go in and come out;
/// nothing is remembered between calls, so one model serves any number of searches.
class Seq2Seq {
  public:
    /// @param parameters are referred to, not copied: they must stay where they are, and `refresh` follows their
    /// changes
    /// @param precision of all matrix products. Throws UsageError for one that this processor does not have.
    Seq2Seq(const Configuration& configuration, const Parameters& parameters, Passes passes = Passes::forward,
            simd::Precision precision = simd::Precision::f32);
    /// Runs forward only, in 8-bit products. Nothing refers to the parameters afterwards.
    Seq2Seq(const Configuration& configuration, const QuantizedParameters& parameters);
    /// Of what a file holds, to be run.
    Seq2Seq(const Configuration& configuration, const StoredParameters& parameters);

    /// Lays the weights out again after the parameters, which must be floats, changed.
    void refresh(simd::Executor& executor);

    /// @param sources [B] Throws UsageError for an empty sentence or an id outside the source vocabulary.
    EncodedBatch encode(simd::Executor& executor, const std::vector<std::vector<int>>& sources) const;
    EncodedBatch encode(simd::Executor& executor, const std::vector<std::vector<int>>& sources, EncoderTrace* trace,
                        const EncoderDropout* dropout) const;

    const Configuration& configuration() const { return configuration_; }
    /// Where they are floats.
    const Parameters& parameters() const {
        assert(parameters_ != nullptr);
        return *parameters_;
    }
    const Embedding& target_embedding() const { return target_embedding_; }
    const Encoder& encoder() const { return encoder_; }
    const Decoder& decoder() const { return decoder_; }

  private:
    Configuration configuration_;
    const Parameters* parameters_;  // null where they are 8-bit rows
    Passes passes_;
    simd::Precision precision_;
    Embedding source_embedding_;
    Embedding target_embedding_;
    Encoder encoder_;
    Decoder decoder_;
};

}  // namespace softalign

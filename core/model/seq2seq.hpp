#pragma once

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

    /// Lays the weights out again after the parameters changed.
    void refresh(simd::Executor& executor);

    /// @param sources [B] Throws UsageError for an empty sentence or an id outside the source vocabulary.
    EncodedBatch encode(simd::Executor& executor, const std::vector<std::vector<int>>& sources) const;
    EncodedBatch encode(simd::Executor& executor, const std::vector<std::vector<int>>& sources, EncoderTrace* trace,
                        const EncoderDropout* dropout) const;

    const Configuration& configuration() const { return configuration_; }
    const Parameters& parameters() const { return parameters_; }
    const Encoder& encoder() const { return encoder_; }
    const Decoder& decoder() const { return decoder_; }

  private:
    Configuration configuration_;
    const Parameters& parameters_;
    Passes passes_;
    simd::Precision precision_;
    Encoder encoder_;
    Decoder decoder_;
};

}  // namespace softalign

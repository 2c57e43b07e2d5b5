#pragma once

#include <memory>
#include <vector>

#include "core/model/configuration.hpp"
#include "core/model/decoder.hpp"
#include "core/model/encoder.hpp"
#include "core/model/parameters.hpp"

namespace softalign {

/// A batch of encoded sentences, ready for queries.
struct EncodedBatch {
    Encoded encoded;
    Matrix keys;              ///< the key side of the scores, once a sentence
    SourceProducts products;  ///< for no sentence, unless it was encoded for a search

    /// @param dropout null outside training
    DecoderBatch decoder(simd::Executor& executor, const DecoderDropout* dropout = nullptr) const {
        return {executor, encoded.source, keys, products, dropout};
    }
};

/// The encoder-decoder of one configuration, with its parameters laid out for running. It keeps no state between calls,
/// so one model serves any number of searches.
class Seq2Seq {
  public:
    /// Shares the parameters. Floats may change; call `refresh` afterwards. 8-bit rows run forward only, in 8-bit
    /// products, and nothing refers to them afterwards.
    /// @param precision of all products with floats. Throws UsageError if this processor does not have it.
    Seq2Seq(const Configuration& configuration, const StoredParameters& parameters, Passes passes = Passes::forward,
            simd::Precision precision = simd::Precision::f32);
    Seq2Seq(const Seq2Seq&) = delete;
    Seq2Seq& operator=(const Seq2Seq&) = delete;

    /// Lays the weights out again after the parameters, which must be floats, have changed.
    void refresh(simd::Executor& executor);

    /// @param sources [B] Throws UsageError for an empty sentence or an id outside the source vocabulary.
    /// @param trace, dropout null outside training
    EncodedBatch encode(simd::Executor& executor, const std::vector<std::vector<int>>& sources,
                        EncoderTrace* trace = nullptr, const EncoderDropout* dropout = nullptr) const;
    /// The same for steps that read each sentence many times: the products they share are made beforehand.
    EncodedBatch encode_for_search(simd::Executor& executor, const std::vector<std::vector<int>>& sources) const;

    const Configuration& configuration() const { return configuration_; }
    /// Null if they are 8-bit rows.
    const std::shared_ptr<const Parameters>& parameters() const { return parameters_; }
    const Embedding& target_embedding() const { return target_embedding_; }
    const Encoder& encoder() const { return encoder_; }
    const Decoder& decoder() const { return decoder_; }

  private:
    Configuration configuration_;
    std::shared_ptr<const Parameters> parameters_;
    Passes passes_;
    simd::Precision precision_;
    Embedding source_embedding_;
    Embedding target_embedding_;
    Encoder encoder_;
    Decoder decoder_;
};

}  // namespace softalign

#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "core/model/parameters.hpp"
#include "core/nn/random.hpp"
#include "core/simd/executor.hpp"
#include "core/train/training.hpp"

namespace softalign::testing {

/// Small models that differ in every choice a configuration has.
inline std::vector<Configuration> tiny_configurations() {
    std::vector<Configuration> result;
    result.reserve(16);  // so that the references below stay good
    const auto add = [&](Style style, Score score) -> Configuration& {
        Configuration c;
        c.src_vocab = 11;
        c.tgt_vocab = 9;
        c.embed = 5;
        c.enc_hidden = 6;
        c.dec_hidden = 6;
        c.attn = 7;
        c.style = style;
        c.score = score;
        if (!kind(score).has_units) c.attn = 0;
        return result.emplace_back(c);
    };
    const auto bidirectional = [](Configuration& c) {
        c.bidirectional = true;
        c.bridge = true;
    };
    add(Style::none, Score::none);
    bidirectional(add(Style::bahdanau, Score::additive));
    add(Style::bahdanau, Score::concat).layers = 2;
    bidirectional(add(Style::bahdanau, Score::general));
    add(Style::bahdanau, Score::dot);
    add(Style::luong, Score::scaled_dot).readout = 4;
    Configuration& deep = add(Style::luong, Score::concat);
    bidirectional(deep);
    deep.layers = 3;
    deep.input_feeding = true;
    Configuration& tied = add(Style::bahdanau, Score::additive);
    bidirectional(tied);
    tied.readout = tied.embed;
    tied.tied = true;
    Configuration& fed = add(Style::luong, Score::general);
    fed.input_feeding = true;
    fed.readout = 3;
    Configuration& plain = add(Style::none, Score::none);
    plain.layers = 2;
    plain.readout = 4;
    Configuration& reset = add(Style::bahdanau, Score::additive);
    reset.cell = Cell::gru;
    bidirectional(reset);
    reset.layers = 2;
    Configuration& fed_reset = add(Style::luong, Score::general);
    fed_reset.cell = Cell::gru;
    fed_reset.input_feeding = true;
    add(Style::none, Score::none).cell = Cell::gru;
    Configuration& knowing = add(Style::conditional, Score::additive);
    bidirectional(knowing);
    knowing.layers = 2;
    Configuration& knowing_reset = add(Style::conditional, Score::concat);
    knowing_reset.cell = Cell::gru;
    knowing_reset.readout = 4;
    add(Style::conditional, Score::dot);
    return result;
}

/// As a file stores them in 8 bits.
inline QuantizedParameters quantized(Parameters parameters, const Configuration& configuration) {
    QuantizedParameters result = QuantizedParameters::zeros(configuration);
    const std::vector<NamedTensor> from = named_tensors(parameters, configuration);
    const std::vector<NamedQuantizedTensor> to = named_tensors(result, configuration);
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (auto* const* matrix = std::get_if<QuantizedMatrix*>(&to[i].tensor)) {
            **matrix = quantize(from[i].data, from[i].shape[0], from[i].shape[1]);
        } else {
            std::copy_n(from[i].data, from[i].size, std::get<Vector*>(to[i].tensor)->data());
        }
    }
    return result;
}

inline std::string describe(const Configuration& c) {
    return std::string(kind(c.cell).name) + " " + kind(c.style).name + " " + kind(c.score).name + ", layers " +
           std::to_string(c.layers) + (c.bidirectional ? ", bidirectional" : "") +
           (c.input_feeding ? ", input feeding" : "") + (c.readout > 0 ? ", readout" : "") + (c.tied ? ", tied" : "");
}

/// Parameters large enough that the model has opinions.
inline Parameters decided_parameters(const Configuration& configuration, std::uint64_t seed, float scale = 3.0F) {
    Parameters parameters = initial_parameters(configuration, seed);
    for (const NamedTensor& tensor : named_tensors(parameters, configuration)) {
        for (std::size_t i = 0; i < tensor.size; ++i) tensor.data[i] *= scale;
    }
    return parameters;
}

/// Random sentences of 1 to `longest` words; targets are BOS … EOS.
inline Batch random_batch(const Configuration& configuration, std::size_t sentences, std::size_t longest,
                          std::uint64_t seed) {
    const RandomStream random(seed, RandomUse::batch_order, 0);
    std::uint64_t position = 0;
    const auto sentence = [&](std::size_t vocabulary) {
        std::vector<int> ids(1 + random.bits(position++) % longest);
        for (int& id : ids) id = kSymbols + static_cast<int>(random.bits(position++) % (vocabulary - kSymbols));
        return ids;
    };
    Batch batch;
    for (std::size_t b = 0; b < sentences; ++b) {
        batch.sources.push_back(sentence(configuration.src_vocab));
        std::vector<int> target = sentence(configuration.tgt_vocab);
        target.insert(target.begin(), BOS);
        target.push_back(EOS);
        batch.targets.push_back(std::move(target));
    }
    return batch;
}

/// Claims many workers and runs tasks last to first: whatever depends on the division of work or its order shows.
class ReversedExecutor final : public simd::Executor {
  public:
    explicit ReversedExecutor(std::size_t workers) : workers_(workers) {}
    std::size_t workers() const override { return workers_; }

  protected:
    void run_tasks(std::size_t count, TaskFunction function, const void* context) override {
        for (std::size_t i = count; i-- > 0;) function(context, i);
    }

  private:
    std::size_t workers_;
};

}  // namespace softalign::testing

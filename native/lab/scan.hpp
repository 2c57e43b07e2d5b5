#pragma once

#include <cstdint>
#include <string>

#include "core/simd/executor.hpp"
#include "native/lab/report.hpp"

namespace softalign::lab {

struct ScanOptions {
    std::string folder;  ///< SPLIT.train.tsv[.gz] and SPLIT.test.tsv[.gz] of every split
    std::size_t hidden = 200;
    std::uint64_t epochs = 12;
    std::size_t batch_words = 1500;
    float learning_rate = 0.002F;
    float dropout = 0.3F;  ///< of the embeddings and before the output layer
    std::uint64_t seed = 1;
};

/// SCAN, commands such as "jump around left twice" to sequences of actions (Lake and Baroni, "Generalization without
/// Systematicity", 2018), by exact match of greedy search. Three splits ask ever more of the same grammar: `simple`
/// holds out commands at random, `length` tests on action sequences longer than any that was learnt, `addprim_jump` on
/// compositions of a verb that was learnt alone. Beside them stand the paper's figures, of the network that was best
/// over all experiments and of the one that was best on the split.
Report scan(const ScanOptions& options, simd::Executor& executor);

}  // namespace softalign::lab

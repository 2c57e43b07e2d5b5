#pragma once

#include "native/bench/session.hpp"

namespace softalign::bench {

// What `softalign bench` measures. Each reports one record per measurement, with the session's threads.

/// Matrix products at square sizes and at the shapes of the models, as a fraction of the processor's limit.
void measure_products(Session& session);
/// What layers compute besides products, in one thread, in nanoseconds per element.
void measure_functions(Session& session);
/// Training steps: words a second, source and target; the model's arithmetic as a fraction of the processor's limit;
/// the time of each stage of a step; memory.
void measure_training(Session& session);
/// Greedy decoding: of one sentence, beside the time to read the weights from memory; of a batch, in words a second.
void measure_decoding(Session& session);

/// The machine, and then all measurements.
void measure_all(const Options& options, const Report& report);

}  // namespace softalign::bench

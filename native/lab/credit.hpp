#pragma once

#include "native/lab/report.hpp"
#include "native/lab/reverse_task.hpp"

namespace softalign::lab {

struct CreditOptions {
    ReverseOptions task;
    std::size_t sequences = 32;  ///< of the longest length, that the norms are averaged over
};

/// How strongly the loss of a late target word reaches each source position (the credit assignment of Bengio, Simard
/// and Frasconi 1994). The toy task's last letter stands first in the source, as far away as can be: without attention
/// its gradient goes through every transition of the decoder and then of the encoder, a product of some eighty factors;
/// with attention one weighted edge leads there. The encoder reads forwards only, so that the path is as long as that.
///
/// At position i the gradient of the gates' pre-activations is taken, through which all goes that the position
/// contributes; relative to the gradient where it starts, that of what the output layer reads.
Report credit(const CreditOptions& options, simd::Executor& executor);

}  // namespace softalign::lab

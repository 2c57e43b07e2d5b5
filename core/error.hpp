#pragma once

#include <stdexcept>

namespace softalign {

/// Any error this library reports. The message says what is wrong, where, and what to do.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A model file, checkpoint, tokenizer or configuration that is refused. The message names the tensor or key.
class FormatError : public Error {
  public:
    using Error::Error;
};

/// A model whose results are not finite numbers.
class UnusableWeights : public Error {
  public:
    using Error::Error;
};

/// A call or command whose arguments make no sense.
class UsageError : public Error {
  public:
    using Error::Error;
};

}  // namespace softalign

#pragma once

#include <stdexcept>

namespace softalign {

/// Every error this library reports. The message is a sentence that says what is wrong, where, and what to do.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A model file, checkpoint, tokenizer or configuration that is refused: the message names the tensor or key.
class FormatError : public Error {
  public:
    using Error::Error;
};

/// A model whose results are not finite numbers.
class UnusableWeights : public Error {
  public:
    using Error::Error;
};

/// A call or a command with arguments that make no sense together.
class UsageError : public Error {
  public:
    using Error::Error;
};

}  // namespace softalign

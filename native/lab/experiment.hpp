#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/simd/executor.hpp"
#include "native/lab/report.hpp"
#include "native/options/options.hpp"

namespace softalign::lab {

/// Called with the finished amount of work, and a note such as "loss 0.123".
using OnWork = std::function<void(std::uint64_t done, const std::string& note)>;

/// What an experiment works with. The caller decides which executor computes and whether progress is shown.
struct Tools {
    simd::Executor& executor;
    /// Begins a piece of work of `total` parts, which ends when the result is destroyed.
    std::function<OnWork(const std::string& label, std::uint64_t total)> begin;
};

/// An experiment whose options are set.
using Run = std::function<Report(const Tools&)>;

/// What the command line knows about an experiment.
struct Experiment {
    const char* name;
    const char* question;     ///< one line of `softalign lab --help`
    const char* explanation;  ///< the end of its own help
    /// Adds its options to its command. @return what runs it once they have their values
    std::function<Run(CLI::App&)> add_options;
};

/// All of them, in the order that the help lists them.
std::vector<Experiment> experiments();

}  // namespace softalign::lab

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/simd/executor.hpp"
#include "native/lab/report.hpp"
#include "native/options/options.hpp"

namespace softalign::lab {

/// Called with how much of a stretch of work is done, and a note such as "loss 0.123".
using OnWork = std::function<void(std::uint64_t done, const std::string& note)>;

/// What an experiment works with. Who runs it decides who computes and whether anybody watches.
struct Tools {
    simd::Executor& executor;
    /// Begins a stretch of work of `total` parts, which ends when the result is gone.
    std::function<OnWork(const std::string& label, std::uint64_t total)> begin;
};

/// An experiment that has its options.
using Run = std::function<Report(const Tools&)>;

/// What the command line knows of an experiment.
struct Experiment {
    const char* name;
    const char* question;     ///< one line of `softalign lab --help`
    const char* explanation;  ///< the end of its own help
    /// Adds its options to its command. @return what runs it when they have their values
    std::function<Run(CLI::App&)> add_options;
};

/// All of them, in the order that the help lists them.
std::vector<Experiment> experiments();

}  // namespace softalign::lab

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/format/safetensors.hpp"
#include "core/model/parameters.hpp"

namespace softalign::testing {

/// One folder of reference values computed in float64 by PyTorch.
struct GoldenCase {
    Configuration configuration;
    Parameters parameters;
    float label_smoothing = 0;
    struct {
        float rate, beta1, beta2, epsilon, clip_norm;
    } adam{};
    double loss = 0;
    std::vector<double> step_losses;     ///< before each of the optimiser's steps
    std::vector<double> gradient_norms;  ///< of each of them
    std::vector<std::vector<int>> sources;
    std::vector<std::vector<int>> targets;  ///< BOS … EOS

    std::vector<std::uint8_t> bytes;
    SafeTensors tensors;  ///< views into `bytes`

    bool has(const std::string& tensor) const { return tensors.tensors.count(tensor) > 0; }
    std::vector<float> floats(const std::string& tensor) const;
    std::vector<int> integers(const std::string& tensor) const;
    std::vector<std::size_t> shape(const std::string& tensor) const { return tensors.tensors.at(tensor).shape; }
};

/// $SOFTALIGN_GOLDEN itself when it holds a case, else its folders that do; without the variable those of tests/golden.
/// Throws when there is none.
std::vector<std::filesystem::path> golden_folders();
std::vector<std::uint8_t> read_bytes(const std::filesystem::path& path);
Configuration golden_configuration(const std::filesystem::path& folder);
GoldenCase read_golden(const std::filesystem::path& folder);

/// Greatest difference as a share of the expected values' largest magnitude.
double relative_difference(const float* actual, const std::vector<float>& expected);

}  // namespace softalign::testing

#include "tests/model/golden_case.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/format/model_file.hpp"

namespace softalign::testing {

namespace {

nlohmann::json read_case(const std::filesystem::path& folder) {
    const std::vector<std::uint8_t> text = read_bytes(folder / "case.json");
    return nlohmann::json::parse(text.begin(), text.end());
}

}  // namespace

std::vector<std::uint8_t> read_bytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<float> GoldenCase::floats(const std::string& tensor) const {
    return to_floats(tensors.tensors.at(tensor), tensor);
}

std::vector<int> GoldenCase::integers(const std::string& tensor) const {
    const TensorView& view = tensors.tensors.at(tensor);
    if (view.type != DataType::i32) throw std::runtime_error(tensor + " is not I32");
    std::vector<int> values(view.elements());
    std::memcpy(values.data(), view.data, view.bytes);
    return values;
}

std::vector<std::filesystem::path> golden_folders() {
    const char* chosen = std::getenv("SOFTALIGN_GOLDEN");
    const std::filesystem::path folder = chosen != nullptr
                                             ? std::filesystem::path(chosen)
                                             : std::filesystem::path(SOFTALIGN_SOURCE_DIR) / "tests/golden";
    const auto holds_a_case = [](const std::filesystem::path& path) {
        return std::filesystem::exists(path / "case.json");
    };
    if (holds_a_case(folder)) return {folder};
    std::vector<std::filesystem::path> folders;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (holds_a_case(entry.path())) folders.push_back(entry.path());
    }
    if (folders.empty()) throw std::runtime_error("no golden case in " + folder.string());
    std::sort(folders.begin(), folders.end());
    return folders;
}

Configuration golden_configuration(const std::filesystem::path& folder) {
    return configuration_from_json(read_case(folder).at("config"));
}

GoldenCase read_golden(const std::filesystem::path& folder) {
    GoldenCase golden;
    const nlohmann::json json = read_case(folder);
    golden.configuration = golden_configuration(folder);
    golden.label_smoothing = json.at("label_smoothing");
    const nlohmann::json& adam = json.at("adam");
    golden.adam = {adam.at("lr"), adam.at("beta1"), adam.at("beta2"), adam.at("eps"), adam.at("clip_norm")};
    const nlohmann::json& expected = json.at("expected");
    golden.loss = expected.at("loss");
    for (int step = 1; expected.contains("loss_step" + std::to_string(step)); ++step) {
        golden.step_losses.push_back(expected.at("loss_step" + std::to_string(step)));
        golden.gradient_norms.push_back(expected.at("grad_norm_step" + std::to_string(step)));
    }

    golden.bytes = read_bytes(folder / "tensors.safetensors");
    golden.tensors = parse_safetensors(golden.bytes.data(), golden.bytes.size());
    golden.parameters = Parameters::zeros(golden.configuration);
    for (const NamedTensor& tensor : named_tensors(golden.parameters, golden.configuration)) {
        const std::vector<float> values = golden.floats("w." + tensor.name);
        if (values.size() != tensor.size) throw std::runtime_error("w." + tensor.name + " has another size");
        std::copy(values.begin(), values.end(), tensor.data);
    }
    const std::vector<int> lengths = golden.integers("in.src_lengths");
    const std::vector<int> src = golden.integers("in.src");
    const std::vector<int> tgt = golden.integers("in.tgt");
    const std::size_t src_width = golden.shape("in.src")[1];
    const std::size_t tgt_width = golden.shape("in.tgt")[1];
    for (std::size_t b = 0; b < lengths.size(); ++b) {
        const auto source = src.begin() + static_cast<std::ptrdiff_t>(b * src_width);
        golden.sources.emplace_back(source, source + lengths[b]);
        const auto target = tgt.begin() + static_cast<std::ptrdiff_t>(b * tgt_width);
        std::vector<int> words(target, target + static_cast<std::ptrdiff_t>(tgt_width));
        while (words.back() == PAD) words.pop_back();
        golden.targets.push_back(std::move(words));
    }
    return golden;
}

double relative_difference(const float* actual, const std::vector<float>& expected) {
    double largest = 0;
    double difference = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        largest = std::max(largest, std::abs(static_cast<double>(expected[i])));
        const double d = std::abs(static_cast<double>(actual[i]) - static_cast<double>(expected[i]));
        difference = d >= 0 ? std::max(difference, d) : INFINITY;
    }
    return difference == 0 ? 0 : difference / largest;
}

}  // namespace softalign::testing

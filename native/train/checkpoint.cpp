#include "native/train/checkpoint.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/json.hpp"

namespace softalign {

using nlohmann::json;

namespace {

// Names in the file, after kTrainingPrefix.
constexpr const char* kFirstMoment = "training.adam.m.";
constexpr const char* kSecondMoment = "training.adam.v.";
constexpr const char* kAverage = "training.average.";
constexpr const char* kProgress = "training.progress";
constexpr const char* kRecipe = "training.recipe";

void append(const std::string& prefix, const Parameters& parameters, const Configuration& configuration,
            std::vector<TensorToWrite>& tensors) {
    for (const ConstNamedTensor& tensor : named_tensors(parameters, configuration)) {
        tensors.push_back({prefix + tensor.name, DataType::f32, tensor.shape, tensor.data});
    }
}

Parameters read_parameters(const SafeTensors& file, const std::string& prefix, const Configuration& configuration) {
    Parameters parameters = Parameters::zeros(configuration);
    for (const NamedTensor& tensor : named_tensors(parameters, configuration)) {
        const std::string name = prefix + tensor.name;
        const auto found = file.tensors.find(name);
        if (found == file.tensors.end()) throw FormatError("tensor \"" + name + "\" is missing");
        if (found->second.shape != tensor.shape)
            throw FormatError("tensor \"" + name + "\" has a different shape from its parameter");
        const std::vector<float> values = to_floats(found->second, name);
        std::copy(values.begin(), values.end(), tensor.data);
    }
    return parameters;
}

const std::string& metadata(const SafeTensors& file, const char* key) {
    const auto found = file.metadata.find(key);
    if (found == file.metadata.end()) {
        throw FormatError(std::string("it has no ") + key +
                          ": this is a model, but not a checkpoint of a training run");
    }
    return found->second;
}

json progress_to_json(const Checkpoint& checkpoint) {
    const TrainingProgress& progress = checkpoint.progress;
    const PlateauState& best = progress.best;
    return {{"epoch", progress.epoch},
            {"batch", progress.batch},
            {"steps", checkpoint.adam.steps},
            {"fingerprint", progress.fingerprint},
            {"validation_fingerprint", progress.validation_fingerprint},
            {"averages", checkpoint.averages},
            {"best", {{"any", best.any}, {"value", best.best}, {"since", best.since_best}, {"factor", best.factor}}}};
}

void progress_from_json(const json& object, Checkpoint& checkpoint) {
    TrainingProgress& progress = checkpoint.progress;
    progress.epoch = member(object, "epoch", kProgress).get<std::uint64_t>();
    progress.batch = member(object, "batch", kProgress).get<std::uint64_t>();
    checkpoint.adam.steps = member(object, "steps", kProgress).get<std::uint64_t>();
    progress.fingerprint = member(object, "fingerprint", kProgress).get<std::uint64_t>();
    progress.validation_fingerprint = object.value("validation_fingerprint", std::uint64_t{0});
    checkpoint.averages = member(object, "averages", kProgress).get<bool>();
    const json& best = member(object, "best", kProgress);
    progress.best.any = member(best, "any", kProgress).get<bool>();
    progress.best.best = member(best, "value", kProgress).get<double>();
    progress.best.since_best = member(best, "since", kProgress).get<std::uint32_t>();
    progress.best.factor = member(best, "factor", kProgress).get<float>();
}

}  // namespace

std::vector<std::uint8_t> write_checkpoint(const Checkpoint& checkpoint) {
    const Configuration& configuration = checkpoint.model.configuration;
    std::vector<TensorToWrite> tensors;
    append(kFirstMoment, checkpoint.adam.m, configuration, tensors);
    append(kSecondMoment, checkpoint.adam.v, configuration, tensors);
    if (checkpoint.averages) append(kAverage, checkpoint.average, configuration, tensors);
    return write_model(
        checkpoint.model, *checkpoint.parameters, Storage::f32, tensors,
        {{kProgress, progress_to_json(checkpoint).dump()}, {kRecipe, dump_json(checkpoint.recipe, kRecipe)}});
}

Checkpoint read_checkpoint(const FileBytes& bytes, const std::string& path) {
    try {
        Checkpoint checkpoint;
        StoredModel stored = read_model(bytes);
        checkpoint.model = std::move(stored.description);
        checkpoint.parameters = floats_of(stored.parameters, checkpoint.model.configuration);
        const Configuration& configuration = checkpoint.model.configuration;
        const SafeTensors file = parse_safetensors(bytes->data(), bytes->size());
        progress_from_json(parse_json(metadata(file, kProgress), kProgress), checkpoint);
        checkpoint.recipe = parse_json(metadata(file, kRecipe), kRecipe);
        checkpoint.adam.m = read_parameters(file, kFirstMoment, configuration);
        checkpoint.adam.v = read_parameters(file, kSecondMoment, configuration);
        if (checkpoint.averages) checkpoint.average = read_parameters(file, kAverage, configuration);
        return checkpoint;
    } catch (const json::exception& error) {
        throw FormatError("cannot resume from '" + path + "': " + kProgress + ": " + error.what());
    } catch (const FormatError& error) {
        throw FormatError("cannot resume from '" + path + "': " + error.what());
    }
}

}  // namespace softalign

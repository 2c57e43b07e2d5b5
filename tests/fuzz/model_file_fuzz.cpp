// A valid model with some bytes changed, cut, or with another description, is a model or a FormatError. What is
// accepted can be written and read again. The first byte of the input chooses.

#include "core/error.hpp"
#include "tests/format/small_model.hpp"
#include "tests/fuzz/edits.hpp"
#include "tests/fuzz/require.hpp"

using namespace softalign;

namespace {

void read(const std::vector<std::uint8_t>& bytes) {
    try {
        const StoredModel model = read_model(file_bytes(bytes));
        const Configuration& configuration = model.description.configuration;
        const auto again = write_model(model.description, *floats_of(model.parameters, configuration), Storage::f32);
        require(values_of(read_model(file_bytes(again))) == values_of(model));
    } catch (const FormatError&) {
    }
}

std::vector<std::uint8_t> with_description(const std::vector<std::uint8_t>& file, const std::string& description) {
    std::vector<TensorToWrite> tensors;
    const SafeTensors parsed = parse_safetensors(file.data(), file.size());
    for (const auto& [name, tensor] : parsed.tensors) tensors.push_back({name, tensor.type, tensor.shape, tensor.data});
    try {
        return write_safetensors(tensors, {{"softalign", description}});
    } catch (const UsageError&) {
        return {};  // not UTF-8
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto floats = written(small_model(), Storage::f32);
    static const auto bytes = written(small_model(), Storage::i8);
    if (size == 0) return 0;
    const auto& file = (data[0] & 1U) != 0 ? bytes : floats;
    if ((data[0] & 2U) != 0) {
        read(changed(file, data + 1, size - 1));
    } else if ((data[0] & 4U) != 0) {
        // The input replaces a part of the valid description, so that it meets more than the JSON parser.
        const SafeTensors parsed = parse_safetensors(file.data(), file.size());
        std::string description = parsed.metadata.at("softalign");
        const std::size_t place = size < 4 ? 0 : place_from(data + 1) % description.size();
        if (size > 4) description.replace(place, data[0] >> 3U, reinterpret_cast<const char*>(data) + 4, size - 4);
        read(with_description(file, description));
    } else {
        read(with_description(file, std::string(reinterpret_cast<const char*>(data) + 1, size - 1)));
    }
    return 0;
}

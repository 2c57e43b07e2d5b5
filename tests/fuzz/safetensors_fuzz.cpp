// Any bytes are a safetensors file or a FormatError; so is any header before a little data.

#include "core/error.hpp"
#include "core/format/safetensors.hpp"
#include "tests/format/small_model.hpp"

using namespace softalign;

namespace {

void parse(const std::uint8_t* bytes, std::size_t size) {
    try {
        const SafeTensors file = parse_safetensors(bytes, size);
        for (const auto& [name, tensor] : file.tensors) {
            try {
                to_floats(tensor, name);
            } catch (const FormatError&) {
            }
        }
    } catch (const FormatError&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    parse(data, size);
    for (std::size_t bytes : {std::size_t{0}, std::size_t{16}}) {
        const auto file = file_with_header(std::string(reinterpret_cast<const char*>(data), size), bytes);
        parse(file.data(), file.size());
    }
    return 0;
}

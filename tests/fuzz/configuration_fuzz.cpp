// Any text is a configuration or a FormatError; an accepted one survives its own JSON, and its sizes fit the machine.

#include "core/error.hpp"
#include "core/format/model_file.hpp"
#include "tests/fuzz/require.hpp"

using namespace softalign;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const Configuration c =
            configuration_from_json(parse_json({reinterpret_cast<const char*>(data), size}, "configuration"));
        require(configuration_from_json(configuration_to_json(c)) == c);
        require(parameter_count(c) * sizeof(float) <= std::uint64_t{1} << 31U);
    } catch (const FormatError&) {
    }
    return 0;
}

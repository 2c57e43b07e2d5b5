// WebAssembly SIMD. Emscripten maps SSE4.1 to it one to one, and xsimd's SSE4.1 exists in every version.

#define SOFTALIGN_ARCH xsimd::sse4_1

#include "core/simd/batch.hpp"

namespace softalign::simd::vectorised {
namespace {

struct Tile {
    static constexpr std::size_t rows = 4;
    static constexpr std::size_t vectors = 2;
    static constexpr std::size_t panel_vectors = 4;
    static constexpr std::size_t int8_rows = 2;
    static constexpr std::size_t k_block = 256;
    static constexpr std::size_t row_block = 64;
};

}  // namespace
}  // namespace softalign::simd::vectorised

#include "core/simd/vectorised.inl"

namespace softalign::simd {

constexpr InstructionSet wasm_instruction_set = vectorised::make_instruction_set("wasm");

}  // namespace softalign::simd

// SSE4.1: no fused multiply-add, and the product of two takes a register.

#define SOFTALIGN_ARCH xsimd::sse4_1

#include "core/simd/batch.hpp"

namespace softalign::simd::vectorised {
namespace {

struct Tile {
    static constexpr std::size_t rows = 6;
    static constexpr std::size_t vectors = 2;
    static constexpr std::size_t panel_vectors = 4;
    static constexpr std::size_t int8_rows = 2;
    static constexpr std::size_t k_block = 256;
    static constexpr std::size_t row_block = 192;
};

}  // namespace
}  // namespace softalign::simd::vectorised

#include "core/simd/vectorised.inl"

namespace softalign::simd {

constexpr InstructionSet sse41_instruction_set = vectorised::make_instruction_set("sse4.1");

}  // namespace softalign::simd

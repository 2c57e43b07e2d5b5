// NEON on 64-bit ARM: 24 of 32 registers hold a tile.

#define SOFTALIGN_ARCH xsimd::neon64

#include "core/simd/batch.hpp"

namespace softalign::simd::vectorised {
namespace {

struct Tile {
    static constexpr std::size_t rows = 6;
    static constexpr std::size_t vectors = 4;
    static constexpr std::size_t panel_vectors = 4;
    static constexpr std::size_t int8_rows = 4;
    static constexpr std::size_t k_block = 256;
    static constexpr std::size_t row_block = 192;
};

}  // namespace
}  // namespace softalign::simd::vectorised

#include "core/simd/vectorised.inl"

namespace softalign::simd {

constexpr InstructionSet neon_instruction_set = vectorised::make_instruction_set("neon");

}  // namespace softalign::simd

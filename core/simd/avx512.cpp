// AVX-512 (F, BW, DQ, VL): 24 of 32 registers hold a tile; a row of a panel is four cache lines.

#define SOFTALIGN_ARCH xsimd::avx512bw

#include "core/simd/batch.hpp"

namespace softalign::simd::vectorised {
namespace {

struct Tile {
    static constexpr std::size_t rows = 6;
    static constexpr std::size_t vectors = 4;
    static constexpr std::size_t panel_vectors = 4;
    static constexpr std::size_t int8_rows = 4;
    static constexpr std::size_t k_block = 1024;
    static constexpr std::size_t row_block = 384;
};

}  // namespace
}  // namespace softalign::simd::vectorised

#include "core/simd/vectorised.inl"

namespace softalign::simd {

constexpr InstructionSet avx512_instruction_set = vectorised::make_instruction_set("avx512");

}  // namespace softalign::simd

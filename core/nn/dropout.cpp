#include "core/nn/dropout.hpp"

#include <cmath>

#include "core/nn/parallel.hpp"

namespace softalign {

void Dropout::apply(simd::Executor& executor, simd::MutableMatrixView rows, std::size_t first_row) const {
    if (rate_ <= 0.0F) return;
    // Four elements share the 64 bits of one draw, 16 bits each.
    const auto threshold = static_cast<std::uint64_t>(std::lround(static_cast<double>(rate_) * 65536.0));
    const float keep_scale = 1.0F / (1.0F - static_cast<float>(threshold) / 65536.0F);
    const std::size_t draws = (rows.columns + 3) / 4;
    for_rows(executor, rows.rows, rows.columns, [&](std::size_t r) {
        float* values = rows.data + r * rows.stride;
        for (std::size_t draw = 0; draw < draws; ++draw) {
            std::uint64_t bits = stream_.bits((first_row + r) * draws + draw);
            for (std::size_t c = 4 * draw; c < 4 * draw + 4 && c < rows.columns; ++c, bits >>= 16) {
                values[c] = (bits & 0xFFFF) < threshold ? 0.0F : values[c] * keep_scale;
            }
        }
    });
}

}  // namespace softalign

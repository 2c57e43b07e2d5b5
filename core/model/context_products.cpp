#include "core/model/context_products.hpp"

#include "core/nn/parallel.hpp"
#include "core/simd/kernels.hpp"

namespace softalign {

using simd::Update;

namespace {

// A step then reads at most a quarter of what it would read, so the products pay even for short translations.
bool is_short(std::size_t length, std::size_t state_size) {
    return 4 * length <= state_size;
}

// Calls body(first, count, value) for every run of indices whose values are equal.
template <typename Value, typename Body>
void for_runs(std::size_t size, const Value& value, const Body& body) {
    for (std::size_t first = 0, end = 0; first < size; first = end) {
        const bool of_run = value(first);
        for (end = first + 1; end < size && value(end) == of_run;) ++end;
        body(first, end - first, of_run);
    }
}

}  // namespace

ContextProducts::ContextProducts(simd::Executor& executor, const SourceStates& source, const JoinedProjection& weights,
                                 ColumnRange columns) {
    for (std::size_t p = 0; p < weights.parts().size(); ++p) {
        const ColumnRange& read = weights.parts()[p].columns;
        if (read.first == columns.first && read.count == columns.count) context_part_ = p;
    }
    if (!context_part_) return;
    const Projection& context = weights.parts()[*context_part_].weights;
    const auto wanted = [&](std::size_t b) { return is_short(source.length(b), columns.count); };
    std::size_t positions = 0;
    for (std::size_t b = 0; b < source.sentences(); ++b) {
        first_.push_back(positions);
        length_.push_back(wanted(b) ? source.length(b) : 0);
        positions += length_.back();
    }
    products_ = matrix(positions, context.outputs());
    for_runs(source.sentences(), wanted, [&](std::size_t b, std::size_t count, bool is_wanted) {
        if (!is_wanted) return;
        const std::size_t first = source.first[b];
        const std::size_t rows = source.first[b + count] - first;
        context.forward(executor, view(source.states).rows_from(first, rows),
                        view(products_).rows_from(first_[b], rows), Update::replace);
    });
}

void ContextProducts::forward(simd::Executor& executor, const JoinedProjection& weights, const Readers& readers,
                              const Product& product) const {
    if (!context_part_) {
        weights.forward(executor, product.x, product.y, product.update, product.bias);
        return;
    }
    const auto has = [&](std::size_t r) { return length_[readers.sentence[r]] > 0; };
    for_runs(product.y.rows, has, [&](std::size_t first, std::size_t count, bool has_products) {
        const simd::MatrixView rows = product.x.rows_from(first, count);
        const simd::MutableMatrixView out = product.y.rows_from(first, count);
        if (!has_products) {
            weights.forward(executor, rows, out, product.update, product.bias);
            return;
        }
        Update next = product.update;
        for (std::size_t p = 0; p < weights.parts().size(); ++p) {
            if (p == *context_part_) continue;
            const JoinedProjection::Part& part = weights.parts()[p];
            part.weights.forward(executor, rows.columns_from(part.columns.first, part.columns.count), out, next,
                                 product.bias);
            next = Update::add;
        }
        for_rows(executor, count, readers.alpha.columns * out.columns, [&](std::size_t r) {
            const std::size_t sentence = readers.sentence[first + r];
            simd::weighted_sum(row(readers.alpha, first + r), row(products_, first_[sentence]), row(out, r),
                               length_[sentence], out.columns, next == Update::add);
        });
    });
}

}  // namespace softalign

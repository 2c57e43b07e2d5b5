#include "core/model/stepper.hpp"

#include <utility>

namespace softalign {

Stepper::Stepper(const Seq2Seq& model, const DecoderBatch& batch, DecoderState start, std::size_t capacity)
    : model_(model),
      batch_(batch),
      state_(std::move(start)),
      trace_(model.configuration(), capacity, batch.source.longest()) {}

void Stepper::embed(const std::vector<int>& words) {
    model_.decoder().embed_words(batch_, model_.target_embedding(), words, trace_, next_);
}

void Stepper::step(std::size_t count, const std::size_t* sentence, const ImposedWeights* imposed) {
    previous_ = at_state_ ? view(std::as_const(state_)).rows_from(0, count) : trace_.state(first_, count);
    at_state_ = false;
    first_ = next_;
    count_ = count;
    sentence_ = sentence;
    imposed_ = imposed;
    model_.decoder().step(batch_, rows());
    next_ = first_ + count;
}

void Stepper::keep(const std::vector<std::size_t>& rows) {
    state_ = gather_rows(trace_.state(first_, count_), rows);
    at_state_ = true;
    next_ = 0;
    if (rows.size() <= trace_.embedded.shape(0)) return;
    trace_ = DecoderTrace(model_.configuration(), rows.size(), batch_.source.longest());
}

void Stepper::logits(simd::MutableMatrixView logits) {
    model_.decoder().logits(batch_, rows(), logits);
}

void Stepper::energies(simd::MutableMatrixView energies) {
    model_.decoder().energies(batch_, rows(), energies);
}

simd::MatrixView Stepper::weights() const {
    return view(trace_.weights).rows_from(first_, count_);
}

StepRows Stepper::rows() {
    return {trace_, first_, count_, sentence_, previous_, imposed_};
}

}  // namespace softalign

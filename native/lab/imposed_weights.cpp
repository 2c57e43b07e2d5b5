#include "native/lab/imposed_weights.hpp"

#include "core/model/stepper.hpp"
#include "core/simd/kernels.hpp"

namespace softalign::lab {

ImposableSentence::ImposableSentence(simd::Executor& executor, const Seq2Seq& model, const std::vector<int>& source,
                                     const std::vector<int>& target)
    : model_(model),
      batch_(model.encode(executor, {source})),
      run_(run_teacher_forced(model, batch_.decoder(executor), batch_.encoded, {target})) {}

Matrix ImposableSentence::distributions(simd::Executor& executor, std::size_t step, const Matrix& weights) const {
    const std::size_t rows = weights.shape(0);
    ImposedWeights imposed;
    for (std::size_t r = 0; r < rows; ++r) imposed.push_back(row(weights, r));

    const std::vector<std::size_t> first_row(rows, 0);  // of the state, and of the batch's sentences
    const DecoderBatch batch = batch_.decoder(executor);
    Stepper stepper(model_, batch, gather_rows(run_.pass.previous(step), first_row), rows);
    stepper.embed(std::vector<int>(rows, run_.pass.ids[step]));
    stepper.step(rows, first_row.data(), &imposed);
    Matrix probabilities = matrix(rows, model_.configuration().tgt_vocab);
    stepper.logits(view(probabilities));
    for (std::size_t r = 0; r < rows; ++r) simd::softmax(row(probabilities, r), probabilities.shape(1));
    return probabilities;
}

}  // namespace softalign::lab

#include "native/evaluate/forced_alignment.hpp"

#include "core/model/teacher_forcing.hpp"

namespace softalign {

namespace {

constexpr std::size_t kBatchBytes = 6000;  // of source text

/// The units by which one side of a pair is aligned, and the tokens that the model reads.
struct Side {
    std::vector<TextUnit> units;
    std::vector<int> ids;
};

Side side_of(const std::string& text, const Tokenizer& tokenizer, bool by_spaces) {
    const std::vector<Token> tokens = tokenizer.encode(text);
    Side side{units_of(text, tokens, by_spaces ? Grouping::spaces : line_grouping(tokenizer)), {}};
    for (const Token& token : tokens) side.ids.push_back(token.id);
    return side;
}

}  // namespace

std::vector<ForcedAlignment> align_forced(simd::Executor& executor, const StoredModel& stored,
                                          const PreparedCorpus& corpus, bool by_spaces, const OnProgress& on_progress) {
    const Seq2Seq model(stored.description.configuration, stored.parameters);
    const auto& [configuration, source_tokenizer, target_tokenizer, card] = stored.description;
    std::vector<std::size_t> lengths;
    for (const std::string& source : corpus.sources) lengths.push_back(source.size());
    std::vector<ForcedAlignment> result(corpus.sources.size());
    std::size_t done = 0;
    for (const std::vector<std::size_t>& batch : inference_batches(lengths, kBatchBytes)) {
        std::vector<std::vector<int>> sources;
        std::vector<std::vector<int>> targets;
        for (const std::size_t i : batch) {
            Side source = side_of(corpus.sources[i], *source_tokenizer, by_spaces);
            Side target = side_of(corpus.targets[i], *target_tokenizer, by_spaces);
            sources.push_back(std::move(source.ids));
            targets.push_back({BOS});
            targets.back().insert(targets.back().end(), target.ids.begin(), target.ids.end());
            targets.back().push_back(EOS);
            result[i].source = std::move(source.units);
            result[i].target = std::move(target.units);
        }
        std::vector<ForcedDecoding> forced = forced_decode(executor, model, sources, targets);
        for (std::size_t b = 0; b < batch.size(); ++b) result[batch[b]].alignment = std::move(forced[b].alignment);
        on_progress(done += batch.size());
    }
    return result;
}

}  // namespace softalign

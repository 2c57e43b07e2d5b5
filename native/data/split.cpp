#include "native/data/split.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/error.hpp"
#include "core/nn/random.hpp"
#include "core/text/unicode.hpp"
#include "native/data/normalise.hpp"

namespace softalign {

namespace {

bool is_attribution(const std::string& column) {
    return column.rfind("CC-BY", 0) == 0;
}

/// One sentence a source, with the translations of all its pairs.
std::vector<SentencePair> gather(const std::vector<SentencePair>& pairs, std::size_t& repeated) {
    std::vector<SentencePair> sentences;
    std::unordered_map<std::string, std::size_t> places;
    for (const SentencePair& pair : pairs) {
        const auto [found, is_new] = places.emplace(pair.source, sentences.size());
        if (is_new) sentences.push_back({pair.source, {}});
        std::vector<std::string>& targets = sentences[found->second].targets;
        for (const std::string& target : pair.targets) {
            if (std::find(targets.begin(), targets.end(), target) == targets.end()) {
                targets.push_back(target);
            } else {
                ++repeated;
            }
        }
    }
    return sentences;
}

/// Groups of sentences that must not be separated, as indices, in the order of their first sentences.
std::vector<std::vector<std::size_t>> families(const std::vector<SentencePair>& sentences) {
    std::vector<std::vector<std::size_t>> result;
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        const auto [found, is_new] = places.emplace(letters_and_digits(sentences[i].source), result.size());
        if (is_new) result.emplace_back();
        result[found->second].push_back(i);
    }
    return result;
}

/// Fisher and Yates.
void shuffle(std::vector<std::vector<std::size_t>>& all, std::uint64_t seed) {
    const RandomStream random(seed, RandomUse::corpus_split, 0);
    for (std::size_t i = all.size(); i > 1; --i) {
        std::swap(all[i - 1], all[static_cast<std::size_t>(random.uniform(i) * static_cast<double>(i))]);
    }
}

}  // namespace

CollectedText read_collected(const std::string& path) {
    CollectedText text;
    std::size_t line = 0;
    for (const Columns& columns : read_table(path, 1, "source<TAB>target")) {
        ++line;
        SentencePair pair{prepare_text(columns[0], to_nfc), {}};
        for (std::size_t i = 1; i < columns.size(); ++i) {
            if (i > 1 && is_attribution(columns[i])) {
                ++text.attributions;
                continue;
            }
            std::string target = prepare_text(columns[i], to_nfc);
            if (!target.empty()) pair.targets.push_back(std::move(target));
        }
        if (pair.source.empty() || pair.targets.empty()) {
            text.skipped.push_back(line);
        } else {
            text.pairs.push_back(std::move(pair));
        }
    }
    if (text.pairs.empty()) throw Error("no line of '" + path + "' is source<TAB>target");
    return text;
}

TextParts split(const std::vector<SentencePair>& pairs, const PartSizes& sizes, std::uint64_t seed) {
    TextParts parts;
    const std::vector<SentencePair> sentences = gather(pairs, parts.repeated);
    const std::size_t half = sentences.size() / 2;
    if (sizes.validation > half || sizes.test > half - sizes.validation) {
        throw UsageError("there are " + std::to_string(sentences.size()) +
                         " different source sentences: take at most half of them for validation and test");
    }
    std::vector<std::vector<std::size_t>> all = families(sentences);
    shuffle(all, seed);

    enum class Part { training, validation, test };
    std::vector<Part> part_of(sentences.size(), Part::training);
    std::size_t room_in_validation = sizes.validation;
    std::size_t room_in_test = sizes.test;
    const auto take = [&](const std::vector<std::size_t>& family, Part part, std::size_t& room) {
        if (family.size() > room) return false;
        for (const std::size_t i : family) part_of[i] = part;
        room -= family.size();
        return true;
    };
    for (const std::vector<std::size_t>& family : all) {
        if (!take(family, Part::validation, room_in_validation)) take(family, Part::test, room_in_test);
    }
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        std::vector<SentencePair>& part = part_of[i] == Part::training     ? parts.training
                                          : part_of[i] == Part::validation ? parts.validation
                                                                           : parts.test;
        part.push_back(sentences[i]);
    }
    return parts;
}

}  // namespace softalign

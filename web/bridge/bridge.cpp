// The core as JavaScript sees it. Nothing is thrown across the boundary: a call that fails returns
// { error: { kind, message } }, and everything returned is a plain JavaScript value that outlives the call.

#include <emscripten/bind.h>
#include <emscripten/emscripten.h>
#include <emscripten/val.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/model/teacher_forcing.hpp"
#include "core/search/decoding_steps.hpp"
#include "core/text/units.hpp"
#include "core/translator.hpp"
#include "web/bridge/utf16.hpp"

namespace softalign::bridge {
namespace {

using emscripten::val;

val failure(const char* kind, const std::string& message) {
    val error = val::object();
    error.set("kind", std::string(kind));
    error.set("message", message);
    val result = val::object();
    result.set("error", error);
    return result;
}

val too_large() {
    return failure("memory",
                   "There is not enough memory for this model or sentence; close other tabs or use a smaller one.");
}

/// Runs `call`, which returns a val, and turns what it throws into a failure.
template <typename Call>
val guarded(const Call& call) {
    try {
        return call();
    } catch (const FormatError& error) {
        return failure("model", error.what());
    } catch (const UsageError& error) {
        return failure("usage", error.what());
    } catch (const std::length_error&) {
        return too_large();
    } catch (const std::bad_alloc&) {
        return too_large();
    } catch (const std::exception& error) {
        return failure("engine", error.what());
    }
}

/// The browser's NFC, so that the module needs no Unicode tables.
std::string normalise(std::string_view text) {
    return val(std::string(text)).call<std::string>("normalize", std::string("NFC"));
}

val floats(const float* data, std::size_t size) {
    return val(emscripten::typed_memory_view(size, data)).call<val>("slice");
}

/// @param text what the tokens' byte offsets refer to
val tokens_to_js(const std::vector<Token>& tokens, std::string_view text, Grouping grouping) {
    const auto offsets = utf16_offsets(text);
    val list = val::array();
    std::size_t word = 0;
    for (const TextUnit& unit : units_of(text, tokens, grouping)) {
        for (const std::size_t i : unit.tokens) {
            const Token& token = tokens[i];
            val item = val::object();
            item.set("id", token.id);
            item.set("text", token.text);
            item.set("begin", offsets.at(token.begin));
            item.set("end", offsets.at(token.end));
            item.set("special", token.special);
            item.set("startsWord", token.starts_word);
            item.set("word", word);
            list.call<void>("push", item);
        }
        ++word;
    }
    return list;
}

val hypothesis_to_js(const TranslatedHypothesis& translated, Grouping grouping) {
    const Hypothesis& hypothesis = translated.hypothesis;
    val item = val::object();
    item.set("text", translated.text);
    item.set("target", tokens_to_js(translated.target, translated.text, grouping));
    item.set("alignment", floats(hypothesis.alignment.data(), hypothesis.alignment.size()));
    item.set("score", hypothesis.score);
    item.set("logProbability", hypothesis.log_probability);
    item.set("stepLogProbabilities",
             floats(hypothesis.step_log_probabilities.data(), hypothesis.step_log_probabilities.size()));
    item.set("finished", hypothesis.finished);
    item.set("leaf", hypothesis.leaf);
    return item;
}

/// @param weights an array of [step, Float32Array]
std::map<std::size_t, std::vector<float>> weights_from_js(const val& weights) {
    std::map<std::size_t, std::vector<float>> imposed;
    const auto count = weights["length"].as<std::size_t>();
    for (std::size_t i = 0; i < count; ++i) {
        imposed[weights[i][0].as<std::size_t>()] = emscripten::convertJSArrayToNumberVector<float>(weights[i][1]);
    }
    return imposed;
}

/// @param prefix an array of ids and of texts
std::vector<int> words_from_js(const val& prefix, const Translator& translator) {
    std::vector<int> ids;
    const auto count = prefix["length"].as<std::size_t>();
    for (std::size_t i = 0; i < count; ++i) {
        const val item = prefix[i];
        if (item.isString()) {
            const std::vector<int> typed = translator.target_ids(item.as<std::string>());
            ids.insert(ids.end(), typed.begin(), typed.end());
        } else {
            ids.push_back(item.as<int>());
        }
    }
    return ids;
}

/// A target token on its own.
val token_to_js(int id, const Tokenizer& tokenizer) {
    const DecodedText decoded = tokenizer.decode({id});
    return tokens_to_js(decoded.tokens, decoded.text, Grouping::tokens)[0];
}

/// Words of the largest tree that is returned, since each becomes an object.
constexpr std::size_t kMostNodes = 10'000;

/// @param size how many words, from the first; a parent stands before its children
val tree_to_js(const std::vector<SearchNode>& tree, std::size_t size, const Tokenizer& tokenizer) {
    val list = val::array();
    for (std::size_t n = 0; n < size; ++n) {
        val node = token_to_js(tree[n].id, tokenizer);
        node.set("parent", tree[n].parent == n ? -1 : static_cast<int>(tree[n].parent));
        node.set("probability", std::exp(tree[n].log_probability));
        node.set("score", tree[n].score);
        list.call<void>("push", node);
    }
    return list;
}

val step_to_js(const DecodingStep& step, const Tokenizer& tokenizer) {
    val alternatives = val::array();
    for (const LikelyWord& word : step.likeliest) {
        val alternative = token_to_js(word.id, tokenizer);
        alternative.set("probability", std::exp(word.log_probability));
        alternatives.call<void>("push", alternative);
    }
    val result = val::object();
    result.set("energies", floats(step.energies.data(), step.energies.size()));
    result.set("weights", floats(step.weights.data(), step.weights.size()));
    result.set("alternatives", alternatives);
    return result;
}

/// One model, ready to translate.
class Model : public std::enable_shared_from_this<Model> {
  public:
    explicit Model(StoredModel model) : translator_(std::move(model), normalise) {}

    val information() const {
        return guarded([&] {
            const ModelDescription& model = translator_.description();
            val information = val::object();
            information.set("configuration", configuration_to_json(model.configuration).dump());
            information.set("card", model.card.dump());
            information.set("sourceVocabulary", model.source_tokenizer->vocabulary_size());
            information.set("targetVocabulary", model.target_tokenizer->vocabulary_size());
            // JavaScript has no integers of 64 bits but BigInt.
            information.set("parameters", static_cast<double>(parameter_count(model.configuration)));
            return information;
        });
    }

    /// @param text UTF-8 (ill-formed sequences become U+FFFD)   @param options every key of web/src/search-options.ts
    /// @return a TranslationWork, or a failure
    val search(const std::string& text, const val& options);

    /// The numbers below the probabilities, for comparison with the same model elsewhere.
    /// @param source an array of ids   @param target an array of ids, BOS … EOS
    /// @return a Float32Array, a row of target vocabulary size for every step, or a failure
    val logits(const val& source, const val& target) {
        return guarded([&] {
            const auto sentence =
                forced_decode(executor_, translator_.model(), {emscripten::convertJSArrayToNumberVector<int>(source)},
                              {emscripten::convertJSArrayToNumberVector<int>(target)}, true);
            const Matrix& logits = sentence.at(0).logits;
            return floats(logits.data(), logits.size());
        });
    }

    /// What was read and what could have been written, at every step of a translation.
    /// @param source an array of ids   @param target an array of ids, without BOS
    /// @param weights an array of [step, Float32Array] that were imposed   @param count likely words a step
    /// @return a WalkWork, or a failure
    val walk(const val& source, const val& target, const val& weights, std::size_t count);

    const Translator& translator() const { return translator_; }
    const Tokenizer& target_tokenizer() const { return *translator_.description().target_tokenizer; }
    simd::Executor& executor() { return executor_; }

  private:
    Translator translator_;
    simd::SerialExecutor executor_;
};

/// Longer texts would keep the reader waiting for minutes.
constexpr std::size_t kMostSourceTokens = 2000;

/// Continues `work` for about this many milliseconds. @return whether another step is left, or a failure
template <typename Work>
val advance_for(double milliseconds, Work& work) {
    return guarded([&] {
        const double end = emscripten_get_now() + milliseconds;
        bool more = work.advance();
        while (more && emscripten_get_now() < end) more = work.advance();
        return val(more);
    });
}

/// A translation in progress, which holds its model.
class TranslationWork {
  public:
    TranslationWork(std::shared_ptr<Model> model, const std::string& text, const SearchOptions& options, bool tree)
        : model_(std::move(model)),
          search_(model_->translator(), {text}, options, model_->executor()),
          imposed_words_(options.imposed.words.size()),
          tree_(tree) {}

    val advance(double milliseconds) { return advance_for(milliseconds, search_); }

    val translation() const {
        return guarded([&] {
            const Translation translation = std::move(search_.translations().front());
            const Grouping source_grouping = natural_grouping(*model_->translator().description().source_tokenizer);
            const Grouping target_grouping = natural_grouping(model_->target_tokenizer());
            val hypotheses = val::array();
            for (const auto& hypothesis : translation.hypotheses) {
                hypotheses.call<void>("push", hypothesis_to_js(hypothesis, target_grouping));
            }
            val result = val::object();
            result.set("input", translation.input);
            result.set("source", tokens_to_js(translation.source, translation.input, source_grouping));
            result.set("hypotheses", hypotheses);
            result.set("prefix", imposed_words_);
            if (tree_) {
                const std::size_t size = std::min(translation.tree.size(), kMostNodes);
                result.set("tree", tree_to_js(translation.tree, size, model_->target_tokenizer()));
                result.set("treeLeftOut", translation.tree.size() - size);
            }
            return result;
        });
    }

  private:
    std::shared_ptr<Model> model_;
    TranslationSearch search_;
    std::size_t imposed_words_;
    bool tree_;
};

/// The steps of a translation in progress, which hold its model.
class WalkWork {
  public:
    WalkWork(std::shared_ptr<Model> model, const std::vector<int>& source, const Imposed& imposed, std::size_t count)
        : model_(std::move(model)), walk_(model_->executor(), model_->translator().model(), source, imposed, count) {}

    val advance(double milliseconds) { return advance_for(milliseconds, walk_); }

    /// @return an array with, for every step, its energies, weights and alternatives; or a failure
    val steps() const {
        return guarded([&] {
            val list = val::array();
            for (const DecodingStep& step : walk_.steps()) {
                list.call<void>("push", step_to_js(step, model_->target_tokenizer()));
            }
            return list;
        });
    }

  private:
    std::shared_ptr<Model> model_;
    DecodingWalk walk_;
};

val Model::search(const std::string& text, const val& options) {
    return guarded([&] {
        SearchOptions search;
        search.beam = options["beam"].as<std::size_t>();
        search.nbest = options["nbest"].as<std::size_t>();
        search.length_penalty = options["lengthPenalty"].as<float>();
        search.max_source = kMostSourceTokens;
        search.max_length = options["maxLength"].as<std::size_t>();
        search.imposed = {words_from_js(options["prefix"], translator_), weights_from_js(options["weights"])};
        return val(std::make_shared<TranslationWork>(shared_from_this(), text, search, options["tree"].as<bool>()));
    });
}

val Model::walk(const val& source, const val& target, const val& weights, std::size_t count) {
    return guarded([&] {
        const Imposed imposed = {emscripten::convertJSArrayToNumberVector<int>(target), weights_from_js(weights)};
        return val(std::make_shared<WalkWork>(shared_from_this(), emscripten::convertJSArrayToNumberVector<int>(source),
                                              imposed, count));
    });
}

/// A model file that arrives in this memory piece by piece. No piece is copied again, and the header, whose
/// vocabularies take as long to read as all weights, is read while the weights are still arriving.
class ArrivingModel {
  public:
    /// @param piece a Uint8Array, the next bytes   @param total how many there will be, where it is known; else 0
    /// @return null, or a failure
    val append(const val& piece, std::size_t total) {
        return guarded([&] {
            const auto size = piece["length"].as<std::size_t>();
            const std::size_t before = bytes_.size();
            bytes_.reserve(std::min(total, kMostReserved));
            bytes_.resize(before + size);
            val(emscripten::typed_memory_view(size, bytes_.data() + before)).call<void>("set", piece);
            read_header_early(total);
            return val::null();
        });
    }

    /// Takes the bytes. @return a Model, or a failure
    val open() {
        return guarded([&] {
            const bool as_told = bytes_.size() == total_ && bytes_.data() == place_;
            FileBytes file = file_bytes(std::move(bytes_));
            StoredModel model = header_ && as_told ? read_model(file, std::move(*header_)) : read_model(file);
            file.reset();  // before the weights are laid out: floats are copies
            return val(std::make_shared<Model>(std::move(model)));
        });
    }

  private:
    /// Servers may report any total, and memory that this module once took is never returned. A larger file grows as it
    /// comes.
    static constexpr std::size_t kMostReserved = std::size_t{128} << 20U;

    /// Only `open` reports what is wrong with it, because the total may have been wrong as well.
    void read_header_early(std::size_t total) {
        if (total_ > 0 || total < bytes_.size() || !has_whole_header(bytes_.data(), bytes_.size())) return;
        total_ = total;
        place_ = bytes_.data();
        try {
            header_ = read_model_header(bytes_.data(), total);
        } catch (const FormatError&) {
        }
    }

    std::vector<std::uint8_t> bytes_;
    std::size_t total_ = 0;                // as reported when the header was read
    const std::uint8_t* place_ = nullptr;  // where it was read
    std::optional<ModelHeader> header_;
};

}  // namespace
}  // namespace softalign::bridge

EMSCRIPTEN_BINDINGS(softalign) {
    using softalign::bridge::ArrivingModel;
    using softalign::bridge::Model;
    using softalign::bridge::TranslationWork;
    using softalign::bridge::WalkWork;
    emscripten::class_<ArrivingModel>("ArrivingModel")
        .constructor<>()
        .function("append", &ArrivingModel::append)
        .function("open", &ArrivingModel::open);
    emscripten::class_<Model>("Model")
        .smart_ptr<std::shared_ptr<Model>>("Model")
        .function("information", &Model::information)
        .function("search", &Model::search)
        .function("walk", &Model::walk)
        .function("logits", &Model::logits);
    emscripten::class_<TranslationWork>("TranslationWork")
        .smart_ptr<std::shared_ptr<TranslationWork>>("TranslationWork")
        .function("advance", &TranslationWork::advance)
        .function("translation", &TranslationWork::translation);
    emscripten::class_<WalkWork>("WalkWork")
        .smart_ptr<std::shared_ptr<WalkWork>>("WalkWork")
        .function("advance", &WalkWork::advance)
        .function("steps", &WalkWork::steps);
}

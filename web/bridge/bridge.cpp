// What JavaScript sees of the core. Nothing is thrown across the boundary: a call that fails returns
// { error: { kind, message } }, and everything returned is a plain JavaScript value that outlives the call.

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/model/teacher_forcing.hpp"
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

/// Runs `call`, which returns a val, and turns what it throws into a failure.
template <typename Call>
val guarded(const Call& call) {
    try {
        return call();
    } catch (const FormatError& error) {
        return failure("model", error.what());
    } catch (const UsageError& error) {
        return failure("usage", error.what());
    } catch (const std::bad_alloc&) {
        return failure("memory",
                       "There is not enough memory for this model or sentence; close other tabs or use a smaller one.");
    } catch (const std::exception& error) {
        return failure("engine", error.what());
    }
}

/// NFC as the browser has it, so that the module carries no Unicode tables.
std::string normalise(std::string_view text) {
    return val(std::string(text)).call<std::string>("normalize", std::string("NFC"));
}

val floats(const float* data, std::size_t size) {
    return val(emscripten::typed_memory_view(size, data)).call<val>("slice");
}

/// @param text what the tokens' byte offsets refer to
val tokens_to_js(const std::vector<Token>& tokens, std::string_view text) {
    const auto offsets = utf16_offsets(text);
    val list = val::array();
    for (const Token& token : tokens) {
        val item = val::object();
        item.set("id", token.id);
        item.set("text", token.text);
        item.set("begin", offsets.at(token.begin));
        item.set("end", offsets.at(token.end));
        item.set("special", token.special);
        item.set("startsWord", token.starts_word);
        list.call<void>("push", item);
    }
    return list;
}

val hypothesis_to_js(const TranslatedHypothesis& translated) {
    const Hypothesis& hypothesis = translated.hypothesis;
    val item = val::object();
    item.set("text", translated.text);
    item.set("target", tokens_to_js(translated.target, translated.text));
    item.set("alignment", floats(hypothesis.alignment.data(), hypothesis.alignment.size()));
    item.set("score", hypothesis.score);
    item.set("logProbability", hypothesis.log_probability);
    item.set("stepLogProbabilities",
             floats(hypothesis.step_log_probabilities.data(), hypothesis.step_log_probabilities.size()));
    item.set("finished", hypothesis.finished);
    return item;
}

SearchOptions search_options(const val& options) {
    SearchOptions search;
    search.beam = options["beam"].as<std::size_t>();
    search.nbest = options["nbest"].as<std::size_t>();
    search.length_penalty = options["lengthPenalty"].as<float>();
    search.max_length = options["maxLength"].as<std::size_t>();
    return search;
}

/// The most likely words of one step, PAD and BOS left out as the search leaves them out.
/// @param logits [V], overwritten
val likeliest(float* logits, std::size_t size, std::size_t count, const Tokenizer& tokenizer) {
    logits[PAD] = logits[BOS] = -std::numeric_limits<float>::infinity();
    std::vector<int> ids(size);
    std::iota(ids.begin(), ids.end(), 0);
    const auto end = ids.begin() + static_cast<std::ptrdiff_t>(std::min(count, size));
    std::partial_sort(ids.begin(), end, ids.end(), [&](int a, int b) { return logits[a] > logits[b]; });
    const double largest = logits[ids.front()];
    const double sum = std::accumulate(logits, logits + size, 0.0, [&](double total, float logit) {
        return total + std::exp(static_cast<double>(logit) - largest);
    });
    val words = val::array();
    for (auto id = ids.begin(); id != end; ++id) {
        const DecodedText decoded = tokenizer.decode({*id});
        val word = tokens_to_js(decoded.tokens, decoded.text)[0];
        word.set("probability", std::exp(static_cast<double>(logits[*id]) - largest) / sum);
        words.call<void>("push", word);
    }
    return words;
}

/// One model, ready to translate.
class Model {
  public:
    /// @param bytes a Uint8Array, read and not kept   @return a Model, or a failure
    static val open(const val& bytes) {
        return guarded([&] {
            const auto size = bytes["length"].as<std::size_t>();
            const std::unique_ptr<std::uint8_t[]> copy(new std::uint8_t[size]);
            val(emscripten::typed_memory_view(size, copy.get())).call<void>("set", bytes);
            return val(std::make_shared<Model>(copy.get(), size));
        });
    }

    Model(const std::uint8_t* bytes, std::size_t size) : translator_(bytes, size, normalise) {}

    val information() const {
        return guarded([&] {
            const ModelFile& file = translator_.file();
            val information = val::object();
            information.set("configuration", configuration_to_json(file.configuration));
            information.set("card", file.card);
            information.set("sourceVocabulary", file.source_tokenizer->vocabulary_size());
            information.set("targetVocabulary", file.target_tokenizer->vocabulary_size());
            // JavaScript has no integers of 64 bits but BigInt.
            information.set("parameters", static_cast<double>(parameter_count(file.configuration)));
            return information;
        });
    }

    /// @param text UTF-8 (ill-formed sequences become U+FFFD)   @param options every key of SearchOptions, in camelCase
    val translate(const std::string& text, const val& options) {
        return guarded([&] {
            const Translation translation = translator_.translate(text, search_options(options), executor_);
            val hypotheses = val::array();
            for (const auto& hypothesis : translation.hypotheses) {
                hypotheses.call<void>("push", hypothesis_to_js(hypothesis));
            }
            val result = val::object();
            result.set("input", translation.input);
            result.set("source", tokens_to_js(translation.source, translation.input));
            result.set("hypotheses", hypotheses);
            return result;
        });
    }

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

    /// What could have been written instead, at every step of a translation.
    /// @param source an array of ids   @param target an array of ids, without BOS   @param count words a step
    /// @return an array with, for every step, an array of tokens with their `probability`, best first; or a failure
    val alternatives(const val& source, const val& target, std::size_t count) {
        return guarded([&] {
            std::vector<int> forced = emscripten::convertJSArrayToNumberVector<int>(target);
            const std::size_t steps = forced.size();
            // One that the length limit cut has no end.
            if (forced.empty() || forced.back() != EOS) forced.push_back(EOS);
            forced.insert(forced.begin(), BOS);
            auto sentence = forced_decode(executor_, translator_.model(),
                                          {emscripten::convertJSArrayToNumberVector<int>(source)}, {forced}, true);
            Matrix& logits = sentence.at(0).logits;
            const std::size_t vocabulary = logits.shape(1);
            val list = val::array();
            for (std::size_t step = 0; step < steps; ++step) {
                list.call<void>("push", likeliest(logits.data() + step * vocabulary, vocabulary, count,
                                                  *translator_.file().target_tokenizer));
            }
            return list;
        });
    }

  private:
    Translator translator_;
    simd::SerialExecutor executor_;
};

}  // namespace
}  // namespace softalign::bridge

EMSCRIPTEN_BINDINGS(softalign) {
    using softalign::bridge::Model;
    emscripten::class_<Model>("Model")
        .smart_ptr<std::shared_ptr<Model>>("Model")
        .class_function("open", &Model::open)
        .function("information", &Model::information)
        .function("translate", &Model::translate)
        .function("logits", &Model::logits)
        .function("alternatives", &Model::alternatives);
}

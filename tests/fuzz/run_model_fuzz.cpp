// A model that is accepted translates a text, or says why not, whatever its numbers and sizes are. The first byte of
// the input chooses between a valid file with some bytes changed, a file that is the rest of the input, and a model of
// any sizes. Built for 32 bits, as WebAssembly is, sizes that fit the file may be too large for what running it needs.

#include <cmath>
#include <new>

#include "core/error.hpp"
#include "core/nn/attention.hpp"
#include "core/translator.hpp"
#include "tests/format/small_model.hpp"
#include "tests/fuzz/edits.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/model/tiny_models.hpp"

using namespace softalign;

namespace {

/// The input's bytes one after another; zeros after the last.
struct Input {
    const std::uint8_t* data;
    std::size_t size;

    std::size_t number() {
        if (size == 0) return 0;
        --size;
        return *data++;
    }
};

std::vector<Configuration> configurations() {
    std::vector<Configuration> all = testing::tiny_configurations();
    for (Configuration& c : all) {
        c.src_vocab = small_configuration().src_vocab;
        c.tgt_vocab = small_configuration().tgt_vocab;
    }
    return all;
}

const std::vector<std::uint8_t>& valid_file(std::size_t choice) {
    static const std::vector<std::vector<std::uint8_t>> files = [] {
        std::vector<std::vector<std::uint8_t>> written;
        for (const Configuration& c : configurations()) {
            for (const Storage storage : {Storage::f32, Storage::f16, Storage::i8}) {
                written.push_back(softalign::written(small_model(c), storage));
            }
        }
        return written;
    }();
    return files[choice % files.size()];
}

std::string letters(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += i % 5 == 4 ? ' ' : i % 3 == 0 ? 'a' : 'b';
    return text;
}

void check(const Translation& translation, const Configuration& c, const SearchOptions& options) {
    require(!translation.hypotheses.empty() && translation.hypotheses.size() <= options.nbest);
    const std::size_t positions = c.style == Style::none ? 0 : translation.source.size();
    for (const TranslatedHypothesis& translated : translation.hypotheses) {
        const Hypothesis& hypothesis = translated.hypothesis;
        require(hypothesis.ids.size() <= options.max_length);
        require(!std::isnan(hypothesis.score));
        for (const int id : hypothesis.ids) require(id >= EOS && static_cast<std::size_t>(id) < c.tgt_vocab);
        require(hypothesis.alignment.shape(0) == hypothesis.ids.size());
        if (!hypothesis.ids.empty()) require(hypothesis.alignment.shape(1) == positions);
        if (positions > 0) require(diagnose(view(hypothesis.alignment), positions).sound());
    }
    for (std::size_t n = 0; n < translation.tree.size(); ++n) require(translation.tree[n].parent <= n);
}

void translate(StoredModel model, const std::string& text, const SearchOptions& options) {
    const Configuration c = model.description.configuration;
    simd::SerialExecutor executor;
    try {
        const Translator translator(std::move(model), [](std::string_view prepared) { return std::string(prepared); });
        check(translator.translate(text, options, executor), c, options);
    } catch (const Error&) {
    } catch (const std::bad_alloc&) {
    } catch (const std::length_error&) {
    }
}

SearchOptions options_from(Input& input) {
    SearchOptions options;
    options.beam = options.nbest = 1 + input.number() % 4;
    options.max_length = 1 + input.number() % 12;
    options.length_penalty = static_cast<float>(input.number() % 5) * 0.5F;
    return options;
}

void translate_file(std::vector<std::uint8_t> bytes, const std::string& text, const SearchOptions& options) {
    try {
        translate(read_model(file_bytes(std::move(bytes))), text, options);
    } catch (const FormatError&) {
    }
}

/// One size near the largest that a model file may say, the others small; texts up to 8,192 letters; all powers of two.
/// Zeros are the extremes, so that a short input meets them.
/// What is neither quick to run nor beyond the machine's size_t is left out.
void translate_sizes(Input& input) {
    Configuration c = configurations()[input.number() % configurations().size()];
    const std::size_t wide = input.number() % 6;
    const auto size = [&](std::size_t which) {
        return std::size_t{1} << (which == wide ? 20 - input.number() % 4 : input.number() % 4);
    };
    if (c.attn > 0) c.attn = size(0);
    c.embed = size(1);
    c.enc_hidden = size(2);
    c.dec_hidden = c.bridge ? size(3) : c.source_size();
    if (c.readout > 0) c.readout = size(4);
    if (c.tied) c.readout = c.embed;
    const std::size_t words = std::size_t{1} << (13 - input.number() % 14);
    const SearchOptions options = options_from(input);
    try {
        c.validate();
    } catch (const FormatError&) {
        return;
    }
    const std::uint64_t parameters = parameter_count(c);
    const std::uint64_t widest = std::max({c.embed, 4 * c.enc_hidden, 4 * c.dec_hidden, c.attn, c.readout});
    const bool quick = parameters * (words + options.beam * options.max_length) <= std::uint64_t{1} << 24U;
    const bool too_large = parameters <= std::uint64_t{1} << 24U && words * widest > std::uint64_t{~std::size_t{0}};
    if (!quick && !too_large) return;
    static const ModelDescription small = small_model().description;
    ModelDescription description = small;
    description.configuration = c;
    translate({std::move(description), share(Parameters::zeros(c))}, letters(words), options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input{data, size};
    const std::size_t choice = input.number();
    if (choice % 4 == 0) {
        translate_sizes(input);
        return 0;
    }
    const auto& file = valid_file(input.number());
    const std::string text = letters(input.number() % 32);
    const SearchOptions options = options_from(input);
    translate_file(choice % 4 == 1 ? std::vector<std::uint8_t>(input.data, input.data + input.size)
                                   : changed(file, input.data, input.size),
                   text, options);
    return 0;
}

#include "native/bench/models.hpp"

#include "core/nn/random.hpp"
#include "core/text/words.hpp"
#include "native/system/files.hpp"

namespace softalign::bench {

namespace {

constexpr std::uint64_t kSeed = 1;

std::vector<std::string> words(std::size_t vocabulary) {
    std::vector<std::string> result;
    for (std::size_t id = kSymbols; id < vocabulary; ++id) result.push_back("w" + std::to_string(id));
    return result;
}

std::vector<std::uint8_t> write_random_model(const Configuration& configuration, Storage storage) {
    ModelDescription description;
    description.configuration = configuration;
    Parameters parameters = initial_parameters(configuration, kSeed);
    for (const int symbol : {PAD, BOS, EOS}) parameters.head.bias(static_cast<std::size_t>(symbol)) = -1e4F;
    description.source_tokenizer = make_words_tokenizer(words(configuration.src_vocab), false);
    description.target_tokenizer = make_words_tokenizer(words(configuration.tgt_vocab), false);
    description.card = {{"task", "random weights, to measure speed with"}};
    return write_model(description, parameters, storage);
}

}  // namespace

std::vector<NamedConfiguration> configurations() {
    Configuration small;
    small.src_vocab = small.tgt_vocab = 64;
    small.embed = 128;
    small.enc_hidden = small.dec_hidden = small.attn = 256;
    Configuration full;
    full.src_vocab = full.tgt_vocab = 8000;
    full.embed = full.enc_hidden = 256;
    full.dec_hidden = full.attn = 512;
    full.bidirectional = full.bridge = true;
    return {{"small", small}, {"full", full}};
}

NamedConfiguration date_configuration() {
    Configuration date;
    date.src_vocab = kSymbols + 35;
    date.tgt_vocab = kSymbols + 13;
    date.embed = date.enc_hidden = date.dec_hidden = 64;
    date.style = Style::luong;
    date.score = Score::dot;
    return {"date", date};
}

std::vector<int> random_sentence(std::size_t vocabulary, std::size_t length, std::uint64_t seed) {
    const RandomStream random(seed, RandomUse::batch_order, 0);
    std::vector<int> sentence(length);
    for (std::size_t i = 0; i < length; ++i) {
        sentence[i] =
            kSymbols + static_cast<int>(random.uniform(i) * static_cast<double>(vocabulary - std::size_t{kSymbols}));
    }
    return sentence;
}

std::vector<std::vector<int>> random_sentences(std::size_t vocabulary, std::size_t count, std::size_t length) {
    std::vector<std::vector<int>> sentences;
    for (std::size_t i = 0; i < count; ++i) sentences.push_back(random_sentence(vocabulary, length, kSeed + i));
    return sentences;
}

Batch random_batch(const Configuration& configuration, std::size_t sentences, std::size_t length) {
    Batch batch;
    batch.sources = random_sentences(configuration.src_vocab, sentences, length);
    // The first word is only read and the last one only predicted: one word more than steps.
    batch.targets = random_sentences(configuration.tgt_vocab, sentences, length + 1);
    for (std::vector<int>& target : batch.targets) {
        target.front() = BOS;
        target.back() = EOS;
    }
    return batch;
}

double multiply_adds_of_training(const Configuration& configuration, std::size_t sentences, std::size_t length) {
    return 3.0 * static_cast<double>(sentences) * multiply_adds(configuration, length, length);
}

StoredModel random_model(const Configuration& configuration, Storage storage) {
    return read_model(file_bytes(write_random_model(configuration, storage)));
}

std::vector<std::string> save_models(const std::string& folder) {
    std::vector<NamedConfiguration> saved = configurations();
    saved.push_back(date_configuration());
    std::vector<std::string> paths;
    for (const auto& [name, configuration] : saved) {
        for (const Storage storage : {Storage::f32, Storage::i8}) {
            paths.push_back(folder + "/" + name + (storage == Storage::i8 ? "-int8" : "") + ".safetensors");
            write_file(paths.back(), write_random_model(configuration, storage));
        }
    }
    return paths;
}

std::size_t bytes_of_a_step(const Configuration& configuration, Storage storage) {
    std::size_t bytes = 0;
    for (const ParameterDescription& parameter : parameters_of(configuration)) {
        if (parameter.reads.target_word == 0 && parameter.reads.word_pair == 0) continue;
        std::size_t size = 1;
        for (const std::size_t extent : parameter.shape) size *= extent;
        const bool integers = storage == Storage::i8 && parameter.shape.size() == 2;
        bytes += integers ? size + parameter.shape[0] * sizeof(float) : size * sizeof(float);
    }
    return bytes;
}

}  // namespace softalign::bench

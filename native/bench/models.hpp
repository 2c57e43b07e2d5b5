#pragma once

#include <string>
#include <vector>

#include "core/format/model_file.hpp"
#include "core/train/training.hpp"

namespace softalign::bench {

/// A configuration whose speed is measured, and its name.
struct NamedConfiguration {
    std::string name;
    Configuration configuration;
};

/// small: vocabularies of 64, embedding 128, LSTMs and attention 256, one-directional, style bahdanau.
/// full: vocabularies of 8000, embedding 256, a bidirectional encoder of 256 each, decoder and attention 512, bridge.
std::vector<NamedConfiguration> configurations();

/// The shape of TensorFlow.js's example that converts dates, 12 letters to 10: vocabularies of 35 and 13 beside our
/// symbols, LSTMs of 64, dot attention (https://github.com/tensorflow/tfjs-examples, date-conversion-attention).
NamedConfiguration date_configuration();

/// Words of a random sentence, none of them a symbol.
std::vector<int> random_sentence(std::size_t vocabulary, std::size_t length, std::uint64_t seed);
std::vector<std::vector<int>> random_sentences(std::size_t vocabulary, std::size_t count, std::size_t length);

/// Random pairs of `length` source words and as many target steps, without padding.
Batch random_batch(const Configuration& configuration, std::size_t sentences, std::size_t length);

/// Multiply-adds of a training step's matrix products, energies and contexts: each once forward and twice backward.
double multiply_adds_of_training(const Configuration& configuration, std::size_t sentences, std::size_t length);

/// Random weights, tokenizers of words ("w4", "w5" …), and an output bias that keeps a translation from ending or using
/// PAD or BOS, so that any greedy decoder writes as many words as it may.
/// @param storage what the weights are rounded to
StoredModel random_model(const Configuration& configuration, Storage storage);

/// Random models of these and of date_configuration as files, NAME.safetensors and NAME-int8.safetensors.
/// @return their paths
std::vector<std::string> save_models(const std::string& folder);

/// Bytes of the weights that one step of the decoder reads: all of its matrices but the embedding.
std::size_t bytes_of_a_step(const Configuration& configuration, Storage storage);

}  // namespace softalign::bench

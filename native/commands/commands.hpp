#pragma once

#include <CLI/CLI.hpp>

namespace softalign::commands {

// Each adds one subcommand, with its options, help and action, to the command line. The action writes results to
// standard output and all else to standard error, and throws softalign::Error where it fails.

void add_split(CLI::App& app);
void add_train(CLI::App& app);
void add_translate(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_align(CLI::App& app);
void add_attention(CLI::App& app);
void add_inspect(CLI::App& app);
void add_convert(CLI::App& app);
void add_quantize(CLI::App& app);
void add_lab(CLI::App& app);
void add_bench(CLI::App& app);

}  // namespace softalign::commands

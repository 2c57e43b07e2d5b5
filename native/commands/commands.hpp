#pragma once

#include <CLI/CLI.hpp>

// Every command is a name here, in the order of the help, and a file beside this one: NAME.cpp defines add_NAME.
#define SOFTALIGN_EACH_COMMAND(command)                                                                  \
    command(split) command(train) command(translate) command(evaluate) command(align) command(attention) \
        command(inspect) command(convert) command(quantize) command(lab) command(bench)

namespace softalign::commands {

// Each add_NAME adds one subcommand, with its options, help and action, to the command line. The action writes results
// to standard output and everything else to standard error, and throws softalign::Error if it fails.

#define SOFTALIGN_DECLARE(name) void add_##name(CLI::App& app);
SOFTALIGN_EACH_COMMAND(SOFTALIGN_DECLARE)
#undef SOFTALIGN_DECLARE

}  // namespace softalign::commands

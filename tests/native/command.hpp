#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/native/temporary_folder.hpp"

namespace softalign::testing {

/// What a run of the built command did.
struct Outcome {
    int status = -1;
    std::string out;
    std::string err;
};

/// Runs `softalign ARGUMENTS` (shell syntax) within the folder, with `input` as its standard input.
inline Outcome run(const TemporaryFolder& folder, const std::string& arguments, const std::string& input = "") {
    folder.file("stdin", input);
    const std::string command =
        "cd '" + folder / "" + "' && ( '" SOFTALIGN_COMMAND "' " + arguments + " ) <stdin >stdout 2>stderr";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, folder.read("stdout"), folder.read("stderr")};
}

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
        lines.push_back(text.substr(begin, end - begin));
    }
    if (begin < text.size()) lines.push_back(text.substr(begin));
    return lines;
}

}  // namespace softalign::testing

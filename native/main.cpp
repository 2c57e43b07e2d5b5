#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <new>
#include <sstream>

#include "core/error.hpp"
#include "native/commands/commands.hpp"
#include "native/options/options.hpp"
#include "native/say/output.hpp"
#include "native/system/memory.hpp"

namespace {

// Exit statuses of the command.
constexpr int kSuccess = 0;
constexpr int kFailure = 1;
constexpr int kWrongUsage = 2;

int fail(int status, const std::string& message) {
    softalign::write_message(fmt::format("softalign: {}\n", message));
    return status;
}

int run(int argc, char** argv) {
    CLI::App app("Translation with soft alignment: train, use and examine encoder-decoders with attention.",
                 "softalign");
    app.set_version_flag("--version", std::string("softalign " SOFTALIGN_VERSION));
    app.require_subcommand(0, 1);
    app.footer("softalign COMMAND --help explains a command. Exit status: 0 success, 1 failure, 2 wrong usage.");

#define SOFTALIGN_ADD(name) softalign::commands::add_##name(app);
    SOFTALIGN_EACH_COMMAND(SOFTALIGN_ADD)
#undef SOFTALIGN_ADD
    softalign::refuse_odd_values(app);

    try {
        app.parse(argc, argv);
        if (app.get_subcommands().empty()) {
            softalign::write_message(app.help());
            return kWrongUsage;
        }
        softalign::flush_output();
        return kSuccess;
    } catch (const CLI::ParseError& error) {
        std::ostringstream help;
        std::ostringstream complaint;
        const int status = app.exit(error, help, complaint);
        softalign::write_message(complaint.str());
        softalign::write_output(help.str());
        softalign::flush_output();
        return status == 0 ? kSuccess : kWrongUsage;
    }
}

}  // namespace

int main(int argc, char** argv) {
    softalign::occupy_closed_streams();
    softalign::keep_freed();
    // A closed pipe or a file beyond the size limit shows as a failed write.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        return run(argc, argv);
    } catch (const softalign::BrokenPipe&) {
        return kFailure;
    } catch (const softalign::UsageError& error) {
        return fail(kWrongUsage, error.what());
    } catch (const std::bad_alloc&) {
        return fail(kFailure, "not enough memory");
    } catch (const std::exception& error) {
        return fail(kFailure, error.what());
    }
}

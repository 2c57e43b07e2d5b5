#include <filesystem>
#include <functional>

#include "core/error.hpp"
#include "native/commands/commands.hpp"
#include "native/commands/shared.hpp"
#include "native/files.hpp"
#include "native/lab/worked_example.hpp"
#include "native/output.hpp"
#include "native/thread_pool.hpp"

namespace softalign::commands {

namespace {

/// What every experiment is told.
struct Common {
    std::string out;
    bool json_only = false;
    std::size_t threads = 0;
};

std::string picture_extension(const std::string& path) {
    const std::string extension = std::filesystem::path(path).extension().string();
    if (extension != ".svg" && extension != ".png") {
        throw UsageError("--out must end with .svg or .png, not '" + path + "'");
    }
    return extension;
}

void run(const Common& common, const std::function<lab::Report(simd::Executor&)>& experiment) {
    // A name that cannot be drawn to is told before minutes of work.
    const std::string extension = common.json_only ? "" : picture_extension(common.out);
    ThreadPool executor(common.threads);
    const lab::Report report = experiment(executor);
    if (!common.json_only) {
        write_file(common.out, extension == ".svg" ? chart_svg(report.chart) : chart_png(report.chart));
    }
    write_output(report.json.dump(2) + "\n");
}

/// One experiment: its options beside the common ones, and what runs it.
template <typename Options>
void add_experiment(CLI::App& app, const std::string& name, const std::string& description, const std::string& footer,
                    const std::function<void(CLI::App&, Options&)>& add_options,
                    const std::function<lab::Report(const Options&, simd::Executor&)>& experiment) {
    struct Given {
        Common common;
        Options options;
    };
    const auto given = std::make_shared<Given>();
    given->common.out = name + ".svg";
    CLI::App* command = app.add_subcommand(name, description);
    command->footer(footer);
    add_options(*command, given->options);
    CLI::Option* out =
        command->add_option("--out", given->common.out, "the picture: NAME.svg or NAME.png")->capture_default_str();
    command->add_flag("--json-only", given->common.json_only, "draw no picture")->excludes(out);
    add_threads(*command, given->common.threads);
    command->callback([given, experiment] {
        run(given->common, [&](simd::Executor& executor) { return experiment(given->options, executor); });
    });
}

struct NoOptions {};

void add_worked_example(CLI::App& app) {
    add_experiment<NoOptions>(
        app, "worked-example", "two calculations of attention by hand, with every number in between",
        "Energies to weights, and one whole step of additive attention: with the library's own layers, so that a\n"
        "calculation on paper can be held against the code.",
        [](CLI::App&, NoOptions&) {},
        [](const NoOptions&, simd::Executor& executor) { return lab::worked_example(executor); });
}

}  // namespace

void add_lab(CLI::App& app) {
    CLI::App* command = app.add_subcommand("lab", "experiments with attention, as JSON and as a picture");
    command->require_subcommand(1);
    command->footer(
        "Every experiment prints its figures as JSON on standard output and draws EXPERIMENT.svg, or what --out "
        "names.\n"
        "softalign lab EXPERIMENT --help tells what it asks and how.\n\n"
        "Example: softalign lab length-curve --out curve.png >curve.json");
    add_worked_example(*command);
}

}  // namespace softalign::commands

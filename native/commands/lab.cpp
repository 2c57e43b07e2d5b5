#include <filesystem>
#include <memory>

#include "core/error.hpp"
#include "native/commands/commands.hpp"
#include "native/lab/experiment.hpp"
#include "native/options/options.hpp"
#include "native/say/output.hpp"
#include "native/say/progress.hpp"
#include "native/system/files.hpp"
#include "native/system/thread_pool.hpp"

namespace softalign::commands {

namespace {

/// Options of every experiment.
struct LabCommand {
    std::string out;
    bool json_only = false;
    std::size_t threads = 0;
    lab::Run run;
};

std::string picture_extension(const std::string& path) {
    const std::string extension = std::filesystem::path(path).extension().string();
    if (extension != ".svg" && extension != ".png") {
        throw UsageError("--out must end with .svg or .png, not '" + path + "'");
    }
    return extension;
}

/// A piece of an experiment's work whose progress is shown.
lab::OnWork show(const std::string& label, std::uint64_t total) {
    const auto progress = std::make_shared<Progress>(label, total);
    return [progress](std::uint64_t done, const std::string& note) { progress->update(done, note); };
}

void run(const LabCommand& command) {
    // A name that cannot be drawn to is refused before minutes of work.
    const std::string extension = command.json_only ? "" : picture_extension(command.out);
    ThreadPool executor(command.threads);
    const lab::Report report = command.run({executor, show});
    if (!command.json_only) {
        write_file(command.out, extension == ".svg" ? chart_svg(report.chart) : chart_png(report.chart));
    }
    write_output(report.json.dump(2) + "\n");
}

void add_experiment(CLI::App& app, const lab::Experiment& experiment) {
    const auto options = std::make_shared<LabCommand>();
    options->out = std::string(experiment.name) + ".svg";
    CLI::App* command = app.add_subcommand(experiment.name, experiment.question);
    command->footer(experiment.explanation);
    options->run = experiment.add_options(*command);
    CLI::Option* out =
        command->add_option("--out", options->out, "the picture: NAME.svg or NAME.png")->capture_default_str();
    command->add_flag("--json-only", options->json_only, "draw no picture")->excludes(out);
    add_threads(*command, options->threads);
    command->callback([options] { run(*options); });
}

}  // namespace

void add_lab(CLI::App& app) {
    CLI::App* command = app.add_subcommand("lab", "run experiments with attention, as JSON and a picture");
    command->require_subcommand(1);
    command->footer(
        "Every experiment prints its figures as JSON on standard output and draws EXPERIMENT.svg, or the file that\n"
        "--out names. softalign lab EXPERIMENT --help explains what it asks and how.\n\n"
        "Example: softalign lab length-curve --out curve.png >curve.json");
    for (const lab::Experiment& experiment : lab::experiments()) add_experiment(*command, experiment);
}

}  // namespace softalign::commands

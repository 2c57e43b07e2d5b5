#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "native/bench/measurements.hpp"
#include "native/bench/models.hpp"
#include "native/commands/commands.hpp"
#include "native/options/options.hpp"
#include "native/say/output.hpp"
#include "native/system/files.hpp"

namespace softalign::commands {

namespace {

struct BenchCommand {
    bench::Options options;
    bool json = false;
    std::string save;
};

/// Prints records as tables, with a heading whenever their kind changes.
class Table {
  public:
    void add(const bench::Record& record) {
        std::string heading;
        std::string row;
        for (const auto& [key, value] : record.items()) {
            const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
            if (value.is_number()) {
                const std::size_t width = std::max(key.size(), std::size_t{9});
                heading += fmt::format("{:>{}}  ", key, width);
                row += fmt::format("{:>{}}  ", text, width);
            } else {
                const std::size_t width = std::max(key.size(), std::size_t{17});
                heading += fmt::format("{:<{}}  ", key, width);
                row += fmt::format("{:<{}}  ", text, width);
            }
        }
        const std::string kind = record.at("bench");
        if (kind != kind_) write_output((kind_.empty() ? "" : "\n") + heading + "\n");
        kind_ = kind;
        write_output(row + "\n");
        flush_output();
    }

  private:
    std::string kind_;
};

void run_bench(const BenchCommand& command) {
    if (!command.save.empty()) {
        make_folder(command.save);
        for (const std::string& path : bench::save_models(command.save)) write_output(path + "\n");
        return;
    }
    Table table;
    bench::measure_all(command.options, [&](const bench::Record& record) {
        if (!command.json) return table.add(record);
        write_output(record.dump() + "\n");
        flush_output();
    });
}

}  // namespace

void add_bench(CLI::App& app) {
    const auto options = std::make_shared<BenchCommand>();
    CLI::App* command = app.add_subcommand("bench", "measure kernels, training and decoding on this machine");
    command->footer(
        "Two models with random weights stand for all others: small (vocabularies of 64, embedding 128, LSTMs and\n"
        "attention 256, one-directional) and full (vocabularies of 8000, embedding 256, encoder 2 x 256, decoder and\n"
        "attention 512). Training uses batches of 64 pairs, with Adam and clipping; decoding is greedy, 20 words from "
        "20.\n"
        "Every figure is a median. of_peak is a share of the speed of multiply-adds on registers alone, measured in "
        "turns\n"
        "with it, so it holds on a busy machine too; all other figures need an idle one.\n\n"
        "Example: softalign bench --filter \"training full\" --threads 2");
    command->add_flag("--json", options->json, "one JSON object a line");
    add_whole_number(*command, "--threads", options->options.threads, {0, 1024},
                     "0: first one thread, then one per processor");
    command->add_option(
        "--filter", options->options.filter,
        "only measurements with this in their name: \"product\", \"decoding full int8\", \"training small 12\" …");
    command->add_flag("--quick", options->options.quick, "tiny work, timed once, to see whether everything runs");
    command->add_option("--save", options->save,
                        "write the models to this folder, as f32 and as int8, and measure nothing");
    command->callback([options] { run_bench(*options); });
}

}  // namespace softalign::commands

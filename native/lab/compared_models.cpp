#include "native/lab/compared_models.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>

#include "native/data/load_model.hpp"
#include "native/say/printable.hpp"

namespace softalign::lab {

void ComparedModels::add_options(CLI::App& command, const std::string& data_help) {
    command.add_option("--model", paths, "a model file; repeat it to compare several")->required();
    command.add_option("--data", data, data_help)->required();
}

std::vector<NamedModel> ComparedModels::load() const {
    std::vector<NamedModel> models;
    for (const std::string& path : paths)
        models.push_back({printable(std::filesystem::path(path).stem().string()), load_model(path)});
    return models;
}

}  // namespace softalign::lab

#pragma once

#include <string>
#include <vector>

#include "core/format/model_file.hpp"
#include "native/options/options.hpp"

namespace softalign::lab {

/// A model that an experiment compares, and its name in charts.
struct NamedModel {
    std::string name;
    StoredModel model;
};

/// The trained models that an experiment compares, and the data it compares them on: --model and --data.
struct ComparedModels {
    std::vector<std::string> paths;
    std::string data;

    /// @param data_help what the data holds
    void add_options(CLI::App& command, const std::string& data_help);
    /// Each under its file name without the extension.
    std::vector<NamedModel> load() const;
};

}  // namespace softalign::lab

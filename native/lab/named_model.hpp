#pragma once

#include <string>

#include "core/format/model_file.hpp"

namespace softalign::lab {

/// A model that an experiment was given, and what charts call it.
struct NamedModel {
    std::string name;
    ModelFile file;
};

}  // namespace softalign::lab

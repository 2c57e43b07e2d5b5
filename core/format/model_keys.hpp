#pragma once

#include <string>

#include "core/format/model_file.hpp"

namespace softalign {

// Keys that reading and writing share.
constexpr int kModelVersion = 1;
constexpr const char* kModelKey = "softalign";  ///< of the description in __metadata__
constexpr const char* kScaleSuffix = ".scale";  ///< after the name of an I8 matrix

inline bool has_training_name(const std::string& name) {
    return name.rfind(kTrainingPrefix, 0) == 0;
}

}  // namespace softalign

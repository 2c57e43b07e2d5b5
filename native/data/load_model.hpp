#pragma once

#include <memory>
#include <string>

#include "core/format/model_file.hpp"
#include "core/translator.hpp"

namespace softalign {

/// The model in a file's bytes. Throws FormatError that begins with the path.
StoredModel parse_model(const FileBytes& bytes, const std::string& path);
/// Throws as above, or Error if the file cannot be read.
StoredModel load_model(const std::string& path);
std::unique_ptr<Translator> load_translator(const std::string& path);

}  // namespace softalign

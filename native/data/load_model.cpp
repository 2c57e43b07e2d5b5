#include "native/data/load_model.hpp"

#include "core/error.hpp"
#include "native/data/normalise.hpp"
#include "native/system/files.hpp"

namespace softalign {

StoredModel parse_model(const FileBytes& bytes, const std::string& path) {
    try {
        return read_model(bytes);
    } catch (const FormatError& error) {
        throw FormatError("'" + path + "' cannot be used as a model: " + error.what());
    }
}

StoredModel load_model(const std::string& path) {
    return parse_model(file_bytes(read_file(path)), path);
}

std::unique_ptr<Translator> load_translator(const std::string& path) {
    return std::make_unique<Translator>(load_model(path), to_nfc);
}

}  // namespace softalign

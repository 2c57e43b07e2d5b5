#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace softalign {

/// Parses untrusted JSON. `what` names it in messages ("configuration"). Throws FormatError for a syntax error, a key
/// that stands twice in one object, or nesting deeper than 32 levels.
nlohmann::json parse_json(std::string_view text, const std::string& what);

/// Untrusted text for a message: in quotes, escaped, cut when long.
std::string shown_text(std::string_view text);

/// The JSON of a value as text. Throws FormatError when a string in it is not UTF-8.
std::string dump_json(const nlohmann::json& value, const std::string& what);

/// Refuses a value that is not an object, or has a key that is not among `known`. Throws FormatError.
void require_keys_among(const nlohmann::json& value, std::initializer_list<const char*> known, const std::string& what);

/// The member `key`. Throws FormatError where it is missing.
const nlohmann::json& member(const nlohmann::json& object, const char* key, std::string_view what);

}  // namespace softalign

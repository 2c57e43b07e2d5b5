#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace softalign {

/// Parses untrusted JSON. `what` names it in messages ("configuration"). Throws FormatError for a syntax error, a key
/// that appears twice in one object, or nesting deeper than 32 levels.
nlohmann::json parse_json(std::string_view text, const std::string& what);

/// Untrusted text for a message: quoted, escaped, and cut if long.
std::string shown_text(std::string_view text);

/// A value as JSON text. Throws FormatError if a string in it is not UTF-8.
std::string dump_json(const nlohmann::json& value, const std::string& what);

/// Throws FormatError for a value that is not an object or has a key that is not among `known`.
void require_keys_among(const nlohmann::json& value, std::initializer_list<const char*> known, const std::string& what);

/// The member `key`. Throws FormatError if it is missing.
const nlohmann::json& member(const nlohmann::json& object, const char* key, std::string_view what);

}  // namespace softalign

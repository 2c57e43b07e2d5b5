#include "core/json.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "core/error.hpp"

namespace softalign {

using nlohmann::json;

namespace {

constexpr int kDeepest = 32;
constexpr std::size_t kLongestQuote = 120;

}  // namespace

json parse_json(std::string_view text, const std::string& what) {
    std::vector<std::set<std::string>> keys;  // of the open objects, innermost last
    const auto check = [&](int depth, json::parse_event_t event, json& parsed) {
        if (depth > kDeepest) {
            throw FormatError(what + ": nested deeper than " + std::to_string(kDeepest) + " levels.");
        }
        if (event == json::parse_event_t::object_start) keys.emplace_back();
        if (event == json::parse_event_t::object_end) keys.pop_back();
        if (event == json::parse_event_t::key) {
            const auto& key = parsed.get_ref<const std::string&>();
            if (!keys.back().insert(key).second)
                throw FormatError(what + ": the key " + shown_text(key) + " appears twice.");
        }
        return true;
    };
    try {
        return json::parse(text.begin(), text.end(), check);
    } catch (const json::exception& error) {
        throw FormatError(what + ": not valid JSON (" + shown_text(error.what()) + ").");
    }
}

std::string shown_text(std::string_view text) {
    const bool cut = text.size() > kLongestQuote;
    const std::string kept(text.substr(0, kLongestQuote));
    return json(kept + (cut ? "..." : "")).dump(-1, ' ', true, json::error_handler_t::replace);
}

std::string dump_json(const json& value, const std::string& what) {
    try {
        return value.dump();
    } catch (const json::exception& error) {
        throw FormatError(what + ": cannot be written as JSON (" + shown_text(error.what()) + ").");
    }
}

void require_keys_among(const json& value, std::initializer_list<const char*> known, const std::string& what) {
    if (!value.is_object()) throw FormatError(what + ": it must be a JSON object.");
    for (const auto& entry : value.items()) {
        if (std::find(known.begin(), known.end(), entry.key()) == known.end()) {
            throw FormatError(what + ": the key " + shown_text(entry.key()) + " is unknown.");
        }
    }
}

const json& member(const json& object, const char* key, std::string_view what) {
    const auto found = object.find(key);
    if (found == object.end()) throw FormatError(std::string(what) + ": the key \"" + key + "\" is missing.");
    return *found;
}

}  // namespace softalign

#pragma once

#include <string>

#include "core/error.hpp"

namespace softalign {

/// A row of a table that holds only names.
template <typename Value>
struct Named {
    Value value;
    const char* name;
};

/// The row of a table for a value, such as ScoreKind for a Score. Every value has one.
template <typename Table>
constexpr const typename Table::value_type& row_of(const Table& table, decltype(table[0].value) value) {
    for (const auto& row : table) {
        if (row.value == value) return row;
    }
    return table[0];
}

/// "none, additive or dot", for help texts.
template <typename Table>
std::string names_of(const Table& table) {
    std::string names;
    for (const auto& row : table) {
        if (&row != &table.front()) names += &row != &table.back() ? ", " : " or ";
        names += row.name;
    }
    return names;
}

/// Refuses a name that is not in a table.
[[noreturn]] inline void refuse_name(const std::string& name, const char* key, const std::string& known) {
    throw FormatError(std::string(key) + ": unknown value \"" + name + "\"; it must be " + known + ".");
}

/// The value with this name. Throws FormatError that names `key` and lists the valid names.
template <typename Table>
auto value_named(const Table& table, const std::string& name, const char* key) {
    for (const auto& row : table) {
        if (name == row.name) return row.value;
    }
    refuse_name(name, key, names_of(table));
}

}  // namespace softalign

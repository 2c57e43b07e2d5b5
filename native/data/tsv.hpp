#pragma once

#include <string>
#include <vector>

namespace softalign {

/// One line of parallel text.
struct SentencePair {
    std::string source;
    std::vector<std::string> targets;  ///< at least one; the others are further references
};

/// Columns of one line of a table.
using Columns = std::vector<std::string>;

/// The lines of a UTF-8 text, gzipped or not, split at tabs. `path` may be "-" for standard input. CRLF, CR alone
/// and a byte order mark are accepted. Throws Error that names file, line and reason: an unreadable or empty file, a
/// damaged or truncated gzip, a line longer than kLongestLine, invalid UTF-8, or fewer columns than `least_columns`
/// (which `layout` describes).
std::vector<Columns> read_table(const std::string& path, std::size_t least_columns, const std::string& layout);

/// source<TAB>target[<TAB>further references]. Empty further columns, with which spreadsheets fill rows, are ignored.
/// Throws Error as above, and if source or target is empty.
std::vector<SentencePair> read_parallel(const std::string& path);

/// The bytes of a file with these rows, gzipped if its name ends with .gz, and always the same for the same rows.
std::string table_bytes(const std::vector<Columns>& rows, const std::string& path);

}  // namespace softalign

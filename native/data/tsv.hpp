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

/// The lines of a UTF-8 text, gzipped or not, cut at tabs. `path` may be "-" for standard input. CRLF, CR alone
/// and a byte order mark are tolerated. Throws Error that names file, line and reason: an unreadable or empty file, a
/// damaged or truncated gzip, a line longer than kLongestLine, invalid UTF-8, fewer columns than `least_columns` (which
/// `layout` describes).
std::vector<Columns> read_table(const std::string& path, std::size_t least_columns, const std::string& layout);

/// source<TAB>target[<TAB>further references]. Empty further columns, as spreadsheets write them to fill a row, are no
/// references. Throws Error as above, and where source or target is empty.
std::vector<SentencePair> read_parallel(const std::string& path);

/// What a file of these rows holds: gzipped where its name ends with .gz, and always the same for the same rows.
std::string table_bytes(const std::vector<Columns>& rows, const std::string& path);

}  // namespace softalign

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace softalign {

/// A whole file. Throws Error with the path and the system's reason.
std::vector<std::uint8_t> read_file(const std::string& path);
std::string read_text_file(const std::string& path);

/// Makes a folder and its parents unless they exist. Throws UsageError if `path` is something else, or Error with the
/// system's reason.
void make_folder(const std::string& path);

/// Writes a file whole or not at all: to a temporary file in the same folder, which is flushed to disk and then
/// renamed. A reader of `path` sees the old file or the new one at any time, even after a crash. The new file keeps the
/// old one's permissions, and a symbolic link stays a link. Leftovers of killed writers beside `path` are removed. A
/// device or pipe is written directly. Throws Error with the path and the system's reason; the old file then still
/// exists.
void write_file(const std::string& path, const std::vector<std::uint8_t>& bytes);
void write_file(const std::string& path, std::string_view text);

struct NamedBytes {
    std::string path;
    std::string bytes;
};

/// Writes files that belong together: none is renamed before all are on disk.
void write_files(const std::vector<NamedBytes>& files);

}  // namespace softalign

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace softalign {

/// A whole file. Throws Error with the path and the system's reason.
std::vector<std::uint8_t> read_file(const std::string& path);
std::string read_text_file(const std::string& path);

/// Makes a folder, and those that it stands in, unless it is there. Throws UsageError where `path` is something else,
/// Error with the system's reason.
void make_folder(const std::string& path);

/// Writes a file whole or not at all: into a temporary file of the same folder, which is flushed to the disk and then
/// takes the name over. Whoever reads `path` at any time, or after a crash, sees the old or the new file, which keeps
/// the old one's permissions; a symbolic link stays one. What killed writers left beside `path` is removed. A device or
/// pipe is written directly. Throws Error with the path and the system's reason; the old file then still exists.
void write_file(const std::string& path, const std::vector<std::uint8_t>& bytes);
void write_file(const std::string& path, std::string_view text);

struct NamedBytes {
    std::string path;
    std::string bytes;
};

/// Writes files that belong together: none takes its name over before all are on the disk.
void write_files(const std::vector<NamedBytes>& files);

}  // namespace softalign

#include "native/data/tsv.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>

#include "core/error.hpp"
#include "core/text/unicode.hpp"
#include "native/data/line_input.hpp"

namespace softalign {

namespace {

std::string display_name(const std::string& path) {
    return path == "-" ? "standard input" : path;
}

[[noreturn]] void fail_at(const std::string& path, std::size_t line, const std::string& reason) {
    throw Error(display_name(path) + ":" + std::to_string(line) + ": " + reason);
}

/// Lines of a file, decompressed by zlib if it starts like a gzip.
class LineReader {
  public:
    explicit LineReader(const std::string& path) : path_(path), file_(nullptr, &gzclose) {
        const int descriptor = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (descriptor < 0) throw Error("cannot read '" + display_name(path) + "': " + std::strerror(errno));
        file_.reset(gzdopen(descriptor, "rb"));
        if (!file_) throw Error("cannot read '" + display_name(path) + "': not enough memory");
        gzbuffer(file_.get(), 1U << 17U);
    }

    /// Without its line break. Returns false at the end of the file.
    bool next(std::string& line) {
        line.clear();
        for (;;) {
            const char* filled_end = buffer_.data() + filled_;
            const char* line_end = std::find(position_, filled_end, line_break_);
            line.append(position_, line_end);
            if (line.size() > kLongestLine) fail_at(path_, number_ + 1, too_long());
            if (line_end != filled_end) {
                position_ = line_end + 1;
                break;
            }
            if (!fill()) {
                if (line.empty()) return false;
                break;
            }
        }
        ++number_;
        if (line_break_ == '\r' && line.find('\n') != std::string::npos) {
            fail_at(path_, number_, "some lines end with CR alone and some with LF; convert the file to one of them");
        }
        if (!line.empty() && line.back() == '\r') line.pop_back();
        return true;
    }

    std::size_t number() const { return number_; }  ///< of the line read last, from 1

  private:
    bool fill() {
        const int count = gzread(file_.get(), buffer_.data(), static_cast<unsigned>(buffer_.size()));
        int code = Z_OK;
        const char* message = gzerror(file_.get(), &code);
        if (code == Z_BUF_ERROR) fail_at(path_, number_ + 1, "the gzip file is truncated");
        if (code == Z_ERRNO) throw Error("cannot read '" + display_name(path_) + "': " + std::strerror(errno));
        if (count < 0) fail_at(path_, number_ + 1, std::string("the gzip file is damaged: ") + message);
        position_ = buffer_.data();
        filled_ = static_cast<std::size_t>(count);
        if (!begun_) line_break_ = break_of_first_block();
        begun_ = true;
        return count > 0;
    }

    /// CR if there is no LF, as Excel for Mac writes. A CR at the end of a full block may belong to a CRLF.
    char break_of_first_block() const {
        const char* end = buffer_.data() + filled_;
        if (std::find(buffer_.data(), end, '\n') != end) return '\n';
        const char* last = filled_ == buffer_.size() ? end - 1 : end;
        return std::find(buffer_.data(), last, '\r') != last ? '\r' : '\n';
    }

    std::string path_;
    std::unique_ptr<gzFile_s, decltype(&gzclose)> file_;
    std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 16U);
    const char* position_ = buffer_.data();
    std::size_t filled_ = 0;
    std::size_t number_ = 0;
    bool begun_ = false;
    char line_break_ = '\n';
};

Columns split_at_tabs(const std::string& line) {
    Columns columns;
    std::size_t begin = 0;
    for (std::size_t tab; (tab = line.find('\t', begin)) != std::string::npos; begin = tab + 1) {
        columns.push_back(line.substr(begin, tab - begin));
    }
    columns.push_back(line.substr(begin));
    return columns;
}

std::string gzipped(const std::string& text) {
    z_stream stream{};
    constexpr int kGzipFormat = 15 + 16;  // the largest window, and zlib's sign for a gzip header (without a time)
    constexpr int kMemoryLevel = 8;
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipFormat, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw Error("cannot compress: not enough memory");
    }
    std::string result;
    std::vector<unsigned char> block(std::size_t{1} << 16U);
    std::string_view rest = text;
    for (int code = Z_OK; code != Z_STREAM_END;) {
        // zlib counts in 32 bits and only reads its input.
        const std::string_view piece = rest.substr(0, std::size_t{1} << 30U);
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
        stream.avail_in = static_cast<uInt>(piece.size());
        stream.next_out = block.data();
        stream.avail_out = static_cast<uInt>(block.size());
        code = deflate(&stream, piece.size() == rest.size() ? Z_FINISH : Z_NO_FLUSH);
        rest.remove_prefix(piece.size() - stream.avail_in);
        result.append(block.data(), block.data() + (block.size() - stream.avail_out));
    }
    deflateEnd(&stream);
    return result;
}

bool is_blank(const std::string& text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c == ' '; });
}

}  // namespace

std::vector<Columns> read_table(const std::string& path, std::size_t least_columns, const std::string& layout) {
    LineReader reader(path);
    std::vector<Columns> rows;
    for (std::string line; reader.next(line);) {
        if (reader.number() == 1 && line.rfind("\xEF\xBB\xBF", 0) == 0) line.erase(0, 3);
        if (!is_valid_utf8(line)) fail_at(path, reader.number(), "invalid UTF-8; convert the file to UTF-8");
        Columns columns = split_at_tabs(line);
        if (columns.size() < least_columns) {
            fail_at(path, reader.number(),
                    "missing column: expected " + layout + ", found " + std::to_string(columns.size()) + " of " +
                        std::to_string(least_columns) + " columns");
        }
        rows.push_back(std::move(columns));
    }
    if (rows.empty()) throw Error("'" + display_name(path) + "' is empty: expected lines of " + layout);
    return rows;
}

std::vector<SentencePair> read_parallel(const std::string& path) {
    std::vector<SentencePair> pairs;
    for (Columns& columns : read_table(path, 2, "source<TAB>target")) {
        const std::size_t line = pairs.size() + 1;
        if (is_blank(columns[0])) fail_at(path, line, "the source column is empty");
        if (is_blank(columns[1])) fail_at(path, line, "the target column is empty");
        SentencePair pair{std::move(columns[0]), {}};
        for (std::size_t i = 1; i < columns.size(); ++i) {
            if (!is_blank(columns[i])) pair.targets.push_back(std::move(columns[i]));
        }
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

std::string table_bytes(const std::vector<Columns>& rows, const std::string& path) {
    std::string text;
    for (const Columns& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0) text += '\t';
            text += row[i];
        }
        text += '\n';
    }
    const bool compress = path.size() > 3 && path.compare(path.size() - 3, 3, ".gz") == 0;
    return compress ? gzipped(text) : text;
}

}  // namespace softalign

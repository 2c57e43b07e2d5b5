#include "native/system/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "core/error.hpp"

namespace softalign {

namespace {

[[noreturn]] void fail(const std::string& action, const std::string& path, int error = errno) {
    throw Error("cannot " + action + " '" + path + "': " + std::strerror(error));
}

/// A file descriptor that is always closed.
class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return number_; }
    /// Some file systems report a failed write only here.
    bool close() { return ::close(std::exchange(number_, -1)) == 0; }

  private:
    int number_;
};

void write_all(int descriptor, const std::uint8_t* bytes, std::size_t size, const std::string& path) {
    while (size > 0) {
        const ssize_t written = ::write(descriptor, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail("write", path);
        bytes += written;
        size -= static_cast<std::size_t>(written);
    }
}

constexpr const char* kTemporary = ".tmp-";

/// A new file beside `path`, under a name that is not in use.
std::string temporary_name(const std::string& path, unsigned attempt) {
    return path + kTemporary + std::to_string(::getpid()) + "-" + std::to_string(attempt);
}

/// The process whose temporary file has this name, if it is one. @param beginning of all such names
std::optional<pid_t> writer_of(const std::string& name, const std::string& beginning) {
    if (name.compare(0, beginning.size(), beginning) != 0) return {};
    const char* end = name.data() + name.size();
    pid_t process = 0;
    unsigned attempt = 0;
    const auto first = std::from_chars(name.data() + beginning.size(), end, process);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return {};
    const auto second = std::from_chars(first.ptr + 1, end, attempt);
    if (second.ec != std::errc() || second.ptr != end || process <= 0) return {};
    return process;
}

/// Another machine or container may have a process with the same number, so a living writer also holds a lock.
bool is_abandoned(pid_t writer, const std::string& path) {
    const bool may_live = writer != ::getpid() && (::kill(writer, 0) == 0 || errno != ESRCH);
    if (may_live) return false;
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    return file.number() >= 0 && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0;
}

/// Removes the temporary files of `path` whose writers were killed.
void remove_leftovers(const std::filesystem::path& path) {
    const std::filesystem::path folder = path.parent_path();
    const std::string beginning = path.filename().string() + kTemporary;
    std::error_code error;
    std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        const std::optional<pid_t> writer = writer_of(entry->path().filename().string(), beginning);
        if (writer && is_abandoned(*writer, entry->path().string())) ::unlink(entry->path().c_str());
    }
}

bool is_device(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored);
}

/// Gives a new file the owner, group and permissions of the one it replaces. If the group cannot be kept, it gets no
/// permissions.
void take_over_permissions(int descriptor, const struct stat& old) {
    mode_t mode = old.st_mode & 0777;
    const bool kept = ::fchown(descriptor, old.st_uid, old.st_gid) == 0 ||
                      ::fchown(descriptor, static_cast<uid_t>(-1), old.st_gid) == 0;
    if (!kept) mode &= ~static_cast<mode_t>(S_IRWXG);
    [[maybe_unused]] const int ignored = ::fchmod(descriptor, mode);
}

/// A complete file that still has its temporary name, and is removed unless it gets its final one.
class NewFile {
  public:
    NewFile(const std::string& path, const std::uint8_t* bytes, std::size_t size) : given_path_(path) {
        // A symbolic link stays; the file it points to is replaced.
        struct stat old {};
        const bool replaces = ::stat(path.c_str(), &old) == 0;
        // The system may refuse to follow a link that another user put into a folder that everyone may write to.
        if (!replaces && errno != ENOENT) fail("write", given_path_);
        std::error_code error;
        const auto resolved = std::filesystem::weakly_canonical(path, error);
        path_ = error ? path : resolved.string();
        remove_leftovers(path_);

        int number = -1;
        for (unsigned attempt = 0; number < 0; ++attempt) {
            temporary_ = temporary_name(path_, attempt);
            number = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? 0600 : 0666);
            if (number < 0 && errno != EEXIST) fail("write", given_path_);
        }
        try {
            Descriptor file(number);
            [[maybe_unused]] const int ignored = ::flock(number, LOCK_EX | LOCK_NB);
            if (replaces) take_over_permissions(number, old);
            write_all(number, bytes, size, given_path_);
            if (::fsync(number) != 0) fail("write", given_path_);
            if (!file.close()) fail("write", given_path_);
        } catch (...) {
            ::unlink(temporary_.c_str());
            throw;
        }
    }
    ~NewFile() {
        if (!published_) ::unlink(temporary_.c_str());
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    void publish() {
        if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("write", given_path_);
        published_ = true;
        const std::string folder = std::filesystem::path(path_).parent_path().string();
        const Descriptor directory(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        // A file system that cannot flush folders returns EINVAL; the rename is all it can promise.
        if (directory.number() >= 0 && ::fsync(directory.number()) != 0 && errno != EINVAL)
            fail("flush the folder of", path_);
    }

  private:
    std::string given_path_;  ///< for messages
    std::string path_;
    std::string temporary_;
    bool published_ = false;
};

void write_device(const std::string& path, const std::uint8_t* bytes, std::size_t size) {
    const Descriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (device.number() < 0) fail("write", path);
    write_all(device.number(), bytes, size, path);
}

void write_bytes(const std::string& path, const std::uint8_t* bytes, std::size_t size) {
    if (is_device(path)) return write_device(path, bytes, size);
    NewFile(path, bytes, size).publish();
}

const std::uint8_t* bytes_of(std::string_view text) {
    return reinterpret_cast<const std::uint8_t*>(text.data());
}

template <typename Container>
Container read_bytes(const std::string& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.number() < 0) fail("read", path);
    Container bytes;
    constexpr std::size_t kBlock = std::size_t{1} << 20U;
    for (;;) {
        const std::size_t size = bytes.size();
        bytes.resize(size + kBlock);
        const ssize_t count = ::read(file.number(), bytes.data() + size, kBlock);
        bytes.resize(size + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail("read", path);
        if (count == 0) return bytes;
    }
}

}  // namespace

std::vector<std::uint8_t> read_file(const std::string& path) {
    return read_bytes<std::vector<std::uint8_t>>(path);
}

std::string read_text_file(const std::string& path) {
    return read_bytes<std::string>(path);
}

void make_folder(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (std::filesystem::is_directory(path)) return;
    if (std::filesystem::exists(path)) throw UsageError("'" + path + "' is not a folder");
    fail("make the folder", path, error.value());
}

void write_file(const std::string& path, const std::vector<std::uint8_t>& bytes) {
    write_bytes(path, bytes.data(), bytes.size());
}

void write_file(const std::string& path, std::string_view text) {
    write_bytes(path, bytes_of(text), text.size());
}

void write_files(const std::vector<NamedBytes>& files) {
    std::vector<std::unique_ptr<NewFile>> waiting;
    for (const auto& [path, bytes] : files) {
        if (is_device(path)) {
            write_device(path, bytes_of(bytes), bytes.size());
        } else {
            waiting.push_back(std::make_unique<NewFile>(path, bytes_of(bytes), bytes.size()));
        }
    }
    for (const auto& file : waiting) file->publish();
}

}  // namespace softalign

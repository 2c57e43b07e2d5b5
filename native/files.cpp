#include "native/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/error.hpp"

namespace softalign {

namespace {

[[noreturn]] void fail(const std::string& action, const std::string& path, int error = errno) {
    throw Error("cannot " + action + " '" + path + "': " + std::strerror(error));
}

/// A file descriptor that is closed whatever happens.
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

/// A new file beside `path`, which nobody else has.
std::string temporary_name(const std::string& path, unsigned attempt) {
    return path + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(attempt);
}

void write_bytes(const std::string& given_path, const std::uint8_t* bytes, std::size_t size) {
    std::error_code ignored;
    if (std::filesystem::exists(given_path, ignored) && !std::filesystem::is_regular_file(given_path, ignored)) {
        const Descriptor device(::open(given_path.c_str(), O_WRONLY | O_CLOEXEC));
        if (device.number() < 0) fail("write", given_path);
        write_all(device.number(), bytes, size, given_path);
        return;
    }
    // A symbolic link stays one: what it points to is replaced.
    const auto resolved = std::filesystem::weakly_canonical(given_path, ignored);
    const std::string path = ignored ? given_path : resolved.string();

    std::string temporary;
    int number = -1;
    for (unsigned attempt = 0; number < 0; ++attempt) {
        temporary = temporary_name(path, attempt);
        number = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (number < 0 && errno != EEXIST) fail("write", given_path);
    }
    try {
        Descriptor file(number);
        write_all(number, bytes, size, given_path);
        if (::fsync(number) != 0) fail("write", given_path);
        if (!file.close()) fail("write", given_path);
        if (::rename(temporary.c_str(), path.c_str()) != 0) fail("write", given_path);
    } catch (...) {
        ::unlink(temporary.c_str());
        throw;
    }
    const std::string folder = std::filesystem::path(path).parent_path().string();
    const Descriptor directory(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // A file system that cannot flush folders says EINVAL; it gives no stronger promise than the rename.
    if (directory.number() >= 0 && ::fsync(directory.number()) != 0 && errno != EINVAL)
        fail("flush the folder of", path);
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

void write_file(const std::string& path, const std::vector<std::uint8_t>& bytes) {
    write_bytes(path, bytes.data(), bytes.size());
}

void write_file(const std::string& path, std::string_view text) {
    write_bytes(path, reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

}  // namespace softalign

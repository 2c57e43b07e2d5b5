#include "native/system/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.hpp"

namespace softalign {

namespace {

/// The holder of a lock, as written in its file.
std::string holder(int descriptor) {
    std::array<char, 32> text{};
    const ssize_t count = ::pread(descriptor, text.data(), text.size(), 0);
    return count > 0 ? " (process " + std::string(text.data(), static_cast<std::size_t>(count)) + ")" : "";
}

/// Whether the path still names the open file, which its last holder may have removed.
bool is_at(const std::string& path, int descriptor) {
    struct stat named {};
    struct stat opened {};
    return ::stat(path.c_str(), &named) == 0 && ::fstat(descriptor, &opened) == 0 && named.st_ino == opened.st_ino &&
           named.st_dev == opened.st_dev;
}

}  // namespace

FileLock::FileLock(std::string path, const std::string& subject) : path_(std::move(path)) {
    for (;;) {
        descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (descriptor_ < 0) throw Error("cannot write '" + path_ + "': " + std::strerror(errno));
        if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            const std::string who = holder(descriptor_);
            ::close(descriptor_);
            throw Error("another run" + who + " is writing " + subject + "; wait for it, or choose another --out");
        }
        if (is_at(path_, descriptor_)) break;
        ::close(descriptor_);
    }
    const std::string process = std::to_string(::getpid());
    [[maybe_unused]] const int emptied = ::ftruncate(descriptor_, 0);
    [[maybe_unused]] const ssize_t written = ::pwrite(descriptor_, process.data(), process.size(), 0);
}

FileLock::~FileLock() {
    ::unlink(path_.c_str());
    ::close(descriptor_);
}

}  // namespace softalign

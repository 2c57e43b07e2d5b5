#pragma once

#include <string>

namespace softalign {

/// A lock file that names its holder. The lock ends with the process, however that ends; the file is removed with this
/// object, and one left by a killed process does no harm. If the file system has no locks, nothing is locked.
class FileLock {
  public:
    /// @param path of the lock file, which is created if necessary   @param subject what is locked, for the message
    /// Throws Error if another process holds the lock, naming that process, or if the file cannot be made.
    FileLock(std::string path, const std::string& subject);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

  private:
    std::string path_;
    int descriptor_ = -1;
};

}  // namespace softalign

#pragma once

#include <string>

namespace softalign {

/// A file that says who works on something. The lock ends with the process, however that ends; the file goes with this
/// object, and one that a killed process left behind is no obstacle. Where the file system knows no locks there is
/// none.
class FileLock {
  public:
    /// @param path of the lock, made if need be   @param subject what is locked, for the message
    /// Throws Error where another process has the lock, naming that process, or where the file cannot be made.
    FileLock(std::string path, const std::string& subject);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

  private:
    std::string path_;
    int descriptor_ = -1;
};

}  // namespace softalign

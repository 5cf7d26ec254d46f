#include "io/files/append_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "areia/error.h"
#include "io/files/atomic_file.h"

namespace areia {
namespace fs = std::filesystem;

AppendFile::AppendFile(fs::path path) : path_(std::move(path)) {
  repair_torn_line(path_);
  // Not through a link, and not into a file that has another name, too: a copy of a folder may be made of such names.
  struct stat status {};
  if (::lstat(path_.c_str(), &status) == 0 && status.st_nlink > 1) write_file_atomically(path_, read_file(path_));
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw_file_error(path_, "open", errno);
}

AppendFile::~AppendFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

void AppendFile::append(std::string_view line) {
  const off_t before = ::lseek(descriptor_, 0, SEEK_END);
  std::string text;
  text.reserve(line.size() + 1);
  text.append(line);
  text += '\n';
  try {
    write_all(descriptor_, text, path_);
  } catch (const FileError&) {
    // Best effort: if even this fails, the torn line is repaired when the file is opened again.
    if (before >= 0 && ::ftruncate(descriptor_, before) != 0) errno = 0;
    throw;
  }
}

void AppendFile::sync() {
  if (::fsync(descriptor_) != 0) throw_file_error(path_, "write to disk", errno);
}

std::int64_t AppendFile::size() const {
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  if (end < 0) throw_file_error(path_, "measure", errno);
  return end;
}

void repair_torn_line(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return;
  const std::string text = read_file(path);
  const std::size_t newline = text.rfind('\n');
  const std::size_t sound = newline == std::string::npos ? 0 : newline + 1;
  if (sound == text.size()) return;
  write_file_atomically(path, std::string_view(text).substr(0, sound));
}

}  // namespace areia

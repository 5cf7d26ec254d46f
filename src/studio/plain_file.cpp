#include "studio/plain_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "io/files/atomic_file.h"

namespace areia::studio {

namespace fs = std::filesystem;

namespace {

// O_NONBLOCK: a pipe that took the place of the file must not hold us up.
constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

int open_without_links(const fs::path& path) {
  open_how how{};
  how.flags = kFlags;
  how.resolve = RESOLVE_NO_SYMLINKS;
  const auto file = static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how));
  if (file >= 0 || (errno != ENOSYS && errno != EPERM)) return file;
  // Linux before 5.6, or a sandbox that does not know the call: what was opened must have the name that was asked for
  const int other = ::open(path.c_str(), kFlags);
  if (other < 0) return other;
  std::error_code error;
  if (fs::read_symlink(fmt::format("/proc/self/fd/{}", other), error) == path && !error) return other;
  ::close(other);
  errno = ELOOP;
  return -1;
}

}  // namespace

PlainFile::PlainFile(const fs::path& path, Kind kind) : file_(open_without_links(path)) {
  if (file_ < 0) throw_file_error(path, "open", errno);
  struct stat status {};
  const bool known = ::fstat(file_, &status) == 0;
  size_ = static_cast<std::uintmax_t>(std::max<off_t>(status.st_size, 0));
  if (known && (kind == Kind::file ? S_ISREG(status.st_mode) : S_ISDIR(status.st_mode))) return;
  ::close(file_);
  throw FileError(fmt::format("{}: is no {}", path.string(), kind == Kind::file ? "file" : "folder"));
}

PlainFile::~PlainFile() { ::close(file_); }

std::string PlainFile::part(std::size_t most, bool end) const {
  std::string text(static_cast<std::size_t>(std::min<std::uintmax_t>(size_, most)), '\0');
  auto from = static_cast<off_t>(end ? size_ - text.size() : 0);
  std::size_t got = 0;
  while (got < text.size()) {
    const ssize_t n = ::pread(file_, text.data() + got, text.size() - got, from + static_cast<off_t>(got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw_file_error("a file of the studio's folder", "read", errno);
    if (n == 0) break;  // it became shorter
    got += static_cast<std::size_t>(n);
  }
  text.resize(got);
  return text;
}

fs::path PlainFile::handle() const { return fmt::format("/proc/self/fd/{}", file_); }

std::string read_plain(const fs::path& path) {
  const PlainFile file(path);
  return file.part(file.size(), false);
}

}  // namespace areia::studio

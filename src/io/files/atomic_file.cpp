#include "io/files/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "areia/error.h"

namespace areia {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kTemporarySuffix = ".areia-part";
constexpr std::size_t kBufferSize = std::size_t{1} << 20;
constexpr int kMostTemporaries = 1000;
constexpr std::size_t kLongestStream = std::size_t{1} << 28;

// The leading dot keeps half-written files out of listings and of globs such as frames/*.vtp. A number comes in where
// the name is taken.
fs::path temporary_name(const fs::path& path, int number) {
  return path.parent_path() / fmt::format(".{}{}{}", path.filename().string(),
                                          number == 0 ? "" : fmt::format(".{}", number), kTemporarySuffix);
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

}  // namespace

void throw_file_error(const fs::path& path, std::string_view operation, std::string_view reason) {
  throw FileError(fmt::format("cannot {} {}: {}", operation, path.string(), reason));
}

void throw_file_error(const fs::path& path, std::string_view operation, int errno_value) {
  throw_file_error(path, operation, std::generic_category().message(errno_value));
}

void write_all(int file_descriptor, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_descriptor, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      throw_file_error(path, "write", errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)) {
  // A name of its own: what is there already may be somebody's file, a link to one, or at work in another process.
  for (int number = 0; descriptor_ < 0; ++number) {
    temporary_ = temporary_name(path_, number);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && (errno != EEXIST || number == kMostTemporaries)) throw_file_error(path_, "create", errno);
  }
  temporary_exists_ = true;
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  if (temporary_exists_) ::unlink(temporary_.c_str());
  temporary_exists_ = false;
}

void AtomicFile::flush() {
  write_all(descriptor_, buffer_, path_);
  written_ += buffer_.size();
  buffer_.clear();
}

void AtomicFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferSize) flush();
  if (bytes.size() >= kBufferSize) {
    write_all(descriptor_, bytes, path_);
    written_ += bytes.size();
  } else {
    buffer_.append(bytes);
  }
}

void AtomicFile::rewrite(std::uint64_t at, std::string_view bytes) {
  if (at + bytes.size() > position()) throw Error("bytes that were not written yet cannot be rewritten");
  if (at >= written_) {
    buffer_.replace(at - written_, bytes.size(), bytes);
    return;
  }
  flush();
  while (!bytes.empty()) {
    const ssize_t done = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) throw_file_error(path_, "write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(done));
    at += static_cast<std::uint64_t>(done);
  }
}

void AtomicFile::commit(Lasting lasting) {
  flush();
  // Some file systems report a full disk only when the data are forced out, or at close.
  if (lasting == Lasting::yes && ::fsync(descriptor_) != 0) throw_file_error(path_, "write to disk", errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) throw_file_error(path_, "close", errno);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) throw_file_error(path_, "rename the complete file to", errno);
  temporary_exists_ = false;
  if (lasting == Lasting::yes) sync_folder(folder_of(path_));
}

void write_file_atomically(const fs::path& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

std::string read_file(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw_file_error(path, "open", errno);
  struct Closer {
    int descriptor;
    ~Closer() { ::close(descriptor); }
  } closer{descriptor};
  struct stat status {};
  std::string bytes;
  if (::fstat(descriptor, &status) == 0 && status.st_size > 0) bytes.resize(static_cast<std::size_t>(status.st_size));
  std::size_t filled = 0;
  while (true) {
    if (filled == bytes.size()) bytes.resize(std::max<std::size_t>(4096, filled + filled / 2));
    const ssize_t got = ::read(descriptor, bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_file_error(path, "read", errno);
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
    // what is no plain file (a pipe, a device) may never end
    if (!S_ISREG(status.st_mode) && filled > kLongestStream)
      throw_file_error(path, "read", fmt::format("it is not a plain file, and goes on after {} bytes", kLongestStream));
  }
  bytes.resize(filled);
  return bytes;
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw_file_error(folder, "make the folder", error.message());
}

void sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) throw_file_error(folder, "open the folder", errno);
  const int result = ::fsync(descriptor);
  const int reason = errno;
  ::close(descriptor);
  // Network file systems may not offer this for folders: the rename is then as durable as they make it.
  if (result != 0 && reason != EINVAL && reason != ENOTSUP)
    throw_file_error(folder, "write the folder to disk", reason);
}

void remove_file(const fs::path& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) throw_file_error(path, "remove", errno);
}

void remove_half_written(const fs::path& path) {
  const fs::path half = temporary_name(path, 0);
  struct stat status {};
  if (::lstat(half.c_str(), &status) == 0 && S_ISREG(status.st_mode)) remove_file(half);
}

}  // namespace areia

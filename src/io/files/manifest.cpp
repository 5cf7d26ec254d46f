#include "io/files/manifest.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "areia/error.h"
#include "io/files/atomic_file.h"

namespace areia {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostToldOf = 20;

std::string checksum(std::string_view bytes) { return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size())); }

// A name below the folder: no way out of it, nothing that would break a line.
bool is_name(const std::string& name) {
  const fs::path path(name);
  if (name.empty() || name.find_first_of("\n\r ") != std::string::npos || !path.is_relative()) return false;
  for (const fs::path& part : path)
    if (part.empty() || part == "." || part == "..") return false;
  return true;
}

// Whether the lock can be had: not within the time that `is_at_work` holds it, a few system calls.
bool taken_soon(int descriptor) {
  for (int attempt = 0; ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; ++attempt) {
    if (attempt == 5) return false;
    ::usleep(20000);
  }
  return true;
}

mode_t kind_of(const fs::path& path) {  // of the entry itself, not of what a link leads to; 0: nothing there
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & S_IFMT : 0;
}

}  // namespace

Manifest::Manifest(fs::path folder, std::string option, std::string kind)
    : folder_(std::move(folder)), option_(std::move(option)), head_(fmt::format("areia manifest: {}", kind)) {
  const mode_t what = kind_of(folder_ / kFile);
  if (what == 0) return;
  if (what != S_IFREG)
    throw InputError(option_, (folder_ / kFile).string(), "is not a file that areia wrote; choose another folder");
  lock(O_RDWR);
}

Manifest::~Manifest() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Manifest::lock(int flags) {
  const fs::path path = folder_ / kFile;
  descriptor_ = ::open(path.c_str(), flags | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw_file_error(path, "open", errno);
  // Some file systems of clusters know no locks: there it is left to the user. The system ends a lock with its process.
  if (!taken_soon(descriptor_)) {
    ::close(std::exchange(descriptor_, -1));
    throw InputError(option_, folder_.string(), "another process is at work in this folder");
  }
  try {
    read();
  } catch (...) {
    ::close(std::exchange(descriptor_, -1));
    throw;
  }
}

bool Manifest::is_at_work(const fs::path& folder) {
  const int descriptor = ::open((folder / kFile).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return false;
  const bool taken = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  return taken;
}

void Manifest::read() {
  const fs::path path = folder_ / kFile;
  const std::string text = read_file(path);
  owned_.clear();
  const std::size_t sound = text.rfind('\n') + 1;  // a kill may tear the last line, which may be the first
  if (sound == 0 ? !head_.starts_with(text) : !text.starts_with(head_ + "\n"))
    throw InputError(
        option_, path.string(),
        fmt::format("was not written by this command, which begins it with `{}`; choose another folder", head_));
  if (sound != text.size() && ::ftruncate(descriptor_, static_cast<off_t>(sound)) != 0)
    throw_file_error(path, "repair the last line of", errno);
  for (std::size_t at = head_.size() + 1; at < sound;) {
    const std::size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t blank = line.find(' ', 2);
    const std::string name = line.size() > 2 ? line.substr(2, blank == std::string::npos ? blank : blank - 2) : "";
    if ((!line.starts_with("+ ") && !line.starts_with("- ")) || !is_name(name))
      throw InputError(option_, path.string(), fmt::format("has a line that areia did not write: {}", line));
    if (line[0] == '-') owned_.erase(name);
    else if (blank == std::string::npos) owned_[name].clear();
    else owned_[name].insert(line.substr(blank + 1));
  }
}

bool Manifest::in_real_folders(const std::string& name) const {
  fs::path path = folder_;
  for (const fs::path& part : fs::path(name).parent_path())
    if (kind_of(path /= part) != S_IFDIR) return false;
  return true;
}

bool Manifest::owns(const std::string& name) const {
  const std::lock_guard guard(guard_);
  const auto found = owned_.find(name);
  if (found == owned_.end() || !in_real_folders(name) || kind_of(folder_ / name) != S_IFREG) return false;
  return found->second.empty() || found->second.contains(checksum(read_file(folder_ / name)));
}

bool Manifest::lists(const std::string& name) const {
  const std::lock_guard guard(guard_);
  return owned_.contains(name);
}

std::set<std::string> Manifest::names() const {
  const std::lock_guard guard(guard_);
  std::set<std::string> all;
  for (const auto& [name, sums] : owned_) all.insert(name);
  return all;
}

bool Manifest::holds_files() const {
  for (const std::string& name : names())
    if (kind_of(folder_ / name) != 0) return true;
  return false;
}

void Manifest::refuse_others(const Names& would_write, const std::vector<std::string>& folders) const {
  std::set<std::string> others;
  const auto look = [&](const std::string& inside) {
    std::error_code error;
    fs::directory_iterator entries(folder_ / inside, error);
    if (error && error != std::errc::no_such_file_or_directory)
      throw_file_error(folder_ / inside, "list the folder", error.message());
    for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
      const std::string name = (fs::path(inside) / entries->path().filename()).string();
      if (would_write(name) && !owns(name)) others.insert(name);
    }
  };
  if (const mode_t what = kind_of(folder_); what != 0 && !fs::is_directory(folder_))
    throw InputError(option_, folder_.string(), "is a file; results go into a folder of their own");
  look("");
  for (const std::string& inside : folders) {
    const mode_t what = kind_of(folder_ / inside);
    if (what == S_IFDIR) look(inside);
    else if (what != 0) others.insert(inside);
  }
  if (others.empty()) return;
  std::vector<Problem> problems;
  for (const std::string& name : others) {
    if (problems.size() == kMostToldOf) {
      problems.push_back({"", 0, option_, folder_.string(), fmt::format("and {} more", others.size() - kMostToldOf)});
      break;
    }
    problems.push_back({"", 0, option_, (folder_ / name).string(),
                        lists(name)
                            ? "has been changed since areia wrote it, and would be overwritten; move it away, or "
                              "choose another folder"
                            : "was not written by an earlier run of this command, and would be overwritten; move "
                              "it away, or choose another folder"});
  }
  throw InputError(std::move(problems));
}

void Manifest::open() {
  if (!exists()) {
    make_folder(folder_);
    lock(O_RDWR | O_CREAT);
  }
  struct stat status {};
  if (::fstat(descriptor_, &status) == 0 && status.st_nlink > 1) {  // a copy of the folder may share it
    write_file_atomically(folder_ / kFile, read_file(folder_ / kFile));
    ::close(std::exchange(descriptor_, -1));
    lock(O_RDWR);
  }
  if (::fstat(descriptor_, &status) == 0 && status.st_size == 0) {
    append(head_ + "\n");
    sync_folder(folder_);
  }
  for (const std::string& name : names())
    if (in_real_folders(name)) remove_half_written(folder_ / name);
}

void Manifest::append(const std::string& lines) {
  const off_t before = ::lseek(descriptor_, 0, SEEK_END);
  try {
    write_all(descriptor_, lines, folder_ / kFile);
  } catch (const FileError&) {
    if (before >= 0 && ::ftruncate(descriptor_, before) != 0) errno = 0;  // repaired when it is read
    throw;
  }
  if (::fdatasync(descriptor_) != 0) throw_file_error(folder_ / kFile, "write to disk", errno);
}

void Manifest::add_all(const std::vector<std::string>& names) {
  const std::lock_guard guard(guard_);
  std::string lines;
  for (const std::string& name : names) {
    if (!is_name(name)) throw Error(fmt::format("`{}` cannot be the name of a file of a results folder", name));
    if (!owned_.contains(name)) lines += fmt::format("+ {}\n", name);
  }
  if (lines.empty()) return;
  append(lines);
  for (const std::string& name : names) owned_.try_emplace(name);
}

void Manifest::add(const std::string& name, std::string_view bytes) {
  const std::lock_guard guard(guard_);
  const std::string sum = checksum(bytes);
  append(fmt::format("+ {} {}\n", name, sum));
  owned_[name].insert(sum);
}

void Manifest::remove(const std::vector<std::string>& names) {
  std::string lines;
  for (const std::string& name : names) {
    const fs::path path = folder_ / name;
    if (kind_of(path) != 0) {
      if (!owns(name)) throw_file_error(path, "remove", "it is not a file that areia wrote");
      remove_file(path);
    }
    lines += fmt::format("- {}\n", name);
  }
  if (lines.empty()) return;
  const std::lock_guard guard(guard_);
  append(lines);
  for (const std::string& name : names) owned_.erase(name);
}

std::string Manifest::name_of(const fs::path& path) const { return path.lexically_relative(folder_).generic_string(); }

void write_owned(Manifest& manifest, const NamedTexts& files) {
  std::vector<std::string> names;
  std::set<std::string> folders;
  for (const auto& [name, text] : files) {
    names.push_back(name);
    if (const fs::path parent = fs::path(name).parent_path(); !parent.empty()) folders.insert(parent.string());
  }
  const std::set<std::string> all(names.begin(), names.end());
  manifest.refuse_others([&](const std::string& name) { return all.contains(name); }, {folders.begin(), folders.end()});
  manifest.open();
  manifest.add_all(names);
  for (const std::string& inside : folders) make_folder(manifest.folder() / inside);
  for (const auto& [name, text] : files) write_file_atomically(manifest.folder() / name, text);
}

void refuse_existing(const fs::path& path, const std::string& option, bool overwrite) {
  const mode_t what = kind_of(path);
  if (what == 0 || (overwrite && what == S_IFREG)) return;
  throw InputError(option, path.string(),
                   what != S_IFREG ? "exists already, and is not a plain file; choose another name"
                                   : "exists already; choose another name, or say --overwrite");
}

}  // namespace areia

// Files below the folder of the studio, opened so that no link leads out of it: not even one that takes the place of a
// file or a folder after it was looked at. The path of that folder is canonical, so a path below it has no link in it
// unless somebody put one there.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "areia/error.h"

namespace areia::studio {

class PlainFile {
 public:
  enum class Kind { file, folder };
  // Throws FileError where it is not there, is something else, or lies behind a link.
  explicit PlainFile(const std::filesystem::path& path, Kind kind = Kind::file);
  ~PlainFile();
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;

  std::uintmax_t size() const { return size_; }
  // Up to `most` bytes from its beginning, or its end.
  std::string part(std::size_t most, bool end) const;
  // A name under which readers find this very file, whatever its path has become.
  std::filesystem::path handle() const;

 private:
  int file_ = -1;
  std::uintmax_t size_ = 0;
};

// All of it.
std::string read_plain(const std::filesystem::path& path);

// What `use` makes of the file, or of the folder; errors name its path.
template <class F>
auto through_handle(const std::filesystem::path& path, F&& use, PlainFile::Kind kind = PlainFile::Kind::file) {
  const PlainFile file(path, kind);
  try {
    return use(file.handle());
  } catch (const FileError& e) {
    std::string text = e.what();
    if (const std::size_t at = text.find(file.handle().string()); at != std::string::npos)
      text.replace(at, file.handle().string().size(), path.string());
    throw FileError(text);
  }
}

}  // namespace areia::studio

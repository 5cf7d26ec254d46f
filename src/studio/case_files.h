// Case files below the folder of the studio: listed, read, and written as nobody else changed them.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "areia/error.h"

namespace areia::studio {

inline constexpr std::uintmax_t kLongestCase = 1 << 20;  // bytes; longer ones hold lists and are not for an editor

struct CaseEntry {
  std::string path;  // below the folder
  std::string title;
  double changed = 0;  // s since 1970
};

class CaseFiles {
 public:
  explicit CaseFiles(std::filesystem::path folder);  // canonical

  // TOML files with a table that cases have, up to six folders deep; neither hidden ones nor those of results folders.
  std::vector<CaseEntry> all() const;

  // The file of a path below the folder; nothing where it leads out, goes through a link, lies in a results folder, is
  // hidden or ends otherwise than in ".toml". The file itself may be missing, the folder it lies in may not.
  std::optional<std::filesystem::path> find(const std::string& path) const;

  struct Text {
    std::string text, version;  // the version is a checksum of the text
  };
  Text read(const std::filesystem::path& file) const;  // throws FileError where it is too long
  // Writes in one go, provided that what is there is of this version; "" stands for no file. Nothing is returned, and
  // nothing written, where it is not.
  std::optional<std::string> save(const std::filesystem::path& file, const std::string& text,
                                  const std::string& version) const;

  // A name that is free in the folder: "heap.out", "heap-2.out", ...; made as an empty folder.
  std::filesystem::path new_folder(const std::filesystem::path& parent, const std::string& stem,
                                   const std::string& ending) const;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

// Texts of the case that name something outside of the folder, or behind a link: it would be read. Relative ones count
// from where the case is.
std::vector<Problem> names_outside(std::string_view text, const std::string& name, const std::filesystem::path& folder);

}  // namespace areia::studio

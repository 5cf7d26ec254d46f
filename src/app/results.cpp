#include "app/results.h"

#include <fmt/format.h>

#include "areia/error.h"

namespace areia::app {

namespace fs = std::filesystem;

void require_folder(const std::string& results) {
  if (!fs::is_directory(results)) throw FileError(fmt::format("{}: no such results folder", results));
}

std::vector<FrameEntry> frames_of(const std::string& results) {
  require_folder(results);
  std::vector<FrameEntry> frames = list_frames(results);
  if (frames.empty())
    throw FileError(fmt::format("{}: no frames there; give the folder that `areia run` wrote", results));
  return frames;
}

fs::path file_beside(const std::string& results, const char* ending) {
  const fs::path folder = fs::path(results).lexically_normal();
  return fs::path(folder.has_filename() ? folder : folder.parent_path()).replace_extension(ending);
}

}  // namespace areia::app

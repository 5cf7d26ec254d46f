#include "app/in_path.h"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace areia::app {

namespace fs = std::filesystem;

fs::path in_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    fs::path file = fs::path(folder.empty() ? "." : folder) / program;
    std::error_code error;
    if (fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

}  // namespace areia::app

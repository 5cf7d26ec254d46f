#include "run/examples.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "areia/error.h"

namespace areia {

namespace fs = std::filesystem;

namespace {

fs::path examples_folder() {
  fs::path installed = fs::canonical("/proc/self/exe").parent_path().parent_path() / "share/areia/examples";
  if (fs::exists(installed)) return installed;
  return AREIA_EXAMPLES_DIR;
}

void read_readme(Example& example) {
  std::ifstream readme(example.folder / "README.md");
  std::string line;
  std::getline(readme, line);
  example.title = line.starts_with("# ") ? line.substr(2) : line;
  while (std::getline(readme, line)) {
    if (line.empty() && !example.text.empty()) break;
    if (line.empty() || line.starts_with("![")) continue;
    if (line.starts_with('#') || line.starts_with("```") || line.starts_with('|') || line.starts_with("    ")) break;
    example.text += (example.text.empty() ? "" : " ") + line;
  }
}

}  // namespace

std::vector<Example> find_examples() {
  const fs::path folder = examples_folder();
  if (!fs::exists(folder)) throw FileError(fmt::format("no examples in {}", folder.string()));
  std::vector<Example> found;
  for (const auto& e : fs::directory_iterator(folder))
    if (fs::exists(e.path() / "case.toml")) {
      found.push_back({e.path().filename().string(), {}, {}, e.path()});
      read_readme(found.back());
    }
  std::sort(found.begin(), found.end(), [](const Example& a, const Example& b) { return a.name < b.name; });
  return found;
}

}  // namespace areia

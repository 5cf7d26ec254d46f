#include "engine/plugin_file.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

namespace areia {

namespace {

// The folder of the file that this code is in: the program, the Python module, or libareia.so with which another
// program is linked. None where it goes by a name that is no place.
std::filesystem::path own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0 || !info.dli_fname) return {};
  const std::filesystem::path file = info.dli_fname;
  return file.is_absolute() ? file.parent_path() : std::filesystem::path();
}

std::vector<std::filesystem::path> places(const char* name, const char* place) {
  if (const char* given = std::getenv(place)) return {given};
  std::error_code none;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
  std::vector<std::filesystem::path> all{program / name, program.parent_path() / AREIA_LIBDIR / "areia" / name};
  if (const std::filesystem::path own = own_folder(); !own.empty())
    for (const std::filesystem::path& beside : {own / name, own / "areia" / name}) all.push_back(beside);
  return all;
}

}  // namespace

void* open_plugin(const char* name, const char* place, bool global, std::string& why_not) {
  const std::vector<std::filesystem::path> files = places(name, place);
  for (const std::filesystem::path& file : files) {
    std::error_code none;
    if (!std::filesystem::exists(file, none)) continue;
    void* const library = dlopen(file.c_str(), RTLD_NOW | (global ? RTLD_GLOBAL : RTLD_LOCAL));
    if (!library) why_not = fmt::format("its library cannot be opened: {}", dlerror());
    return library;
  }
  why_not = fmt::format("{} is not there", files.front().filename().string());
  return nullptr;
}

}  // namespace areia

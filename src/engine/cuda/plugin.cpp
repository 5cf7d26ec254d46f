#include "engine/cuda/plugin.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "areia/error.h"
#include "areia/version.h"

namespace areia::cuda {

namespace {

// What the library has (device_library.cu).
struct Library {
  DeviceEngine* (*make)(const DeviceCase*) = nullptr;
  FoundDevice found;
};

// The folder of the file that this code is in: the program, the Python module, or libareia.so with which another
// program is linked. None where it goes by a name that is no place.
std::filesystem::path own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0 || !info.dli_fname) return {};
  const std::filesystem::path file = info.dli_fname;
  return file.is_absolute() ? file.parent_path() : std::filesystem::path();
}

// Beside the program, where it is built and where it is installed, and likewise beside the file with this code;
// AREIA_CUDA names another place.
std::vector<std::filesystem::path> places() {
  constexpr const char* kName = "libareia_cuda.so";
  if (const char* given = std::getenv("AREIA_CUDA")) return {given};
  std::error_code none;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
  std::vector<std::filesystem::path> all{program / kName, program.parent_path() / AREIA_LIBDIR / "areia" / kName};
  if (const std::filesystem::path own = own_folder(); !own.empty())
    for (const std::filesystem::path& place : {own / kName, own / "areia" / kName}) all.push_back(place);
  return all;
}

Library open_library() {
  Library l;
  void* library = nullptr;
  for (const std::filesystem::path& place : places()) {
    std::error_code none;
    if (!std::filesystem::exists(place, none)) continue;
    library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library) break;
    l.found.why_not = fmt::format("its library cannot be opened: {}", dlerror());
    return l;
  }
  if (!library) {
    l.found.why_not = fmt::format("{} is not there", places().front().filename().string());
    return l;
  }
  const auto version = reinterpret_cast<const char* (*)()>(dlsym(library, "areia_cuda_version"));
  const auto look = reinterpret_cast<const char* (*)(const char**)>(dlsym(library, "areia_cuda_look"));
  const auto make = reinterpret_cast<DeviceEngine* (*)(const DeviceCase*)>(dlsym(library, "areia_cuda_make"));
  const std::string wanted = fmt::format("{} {}", kVersion, kDeviceInterface);
  if (!version || !look || !make || version() != wanted) {
    l.found.why_not = fmt::format("its library belongs to version {}, not {}", version ? version() : "unknown", wanted);
    return l;
  }
  const char* why_not = nullptr;
  if (const char* name = look(&why_not)) {
    l.found.name = name;
    l.make = make;
  } else {
    l.found.why_not = why_not ? why_not : "no device";
  }
  return l;
}

const Library& library() {
  static const Library one = open_library();
  return one;
}

}  // namespace

const FoundDevice& found_device() { return library().found; }

void require_device() {
  if (!library().make) throw InputError("engine", "cuda", "there is no device here: " + found_device().why_not);
}

std::unique_ptr<DeviceEngine> make_device_engine(const DeviceCase& c) {
  require_device();
  return std::unique_ptr<DeviceEngine>(library().make(&c));
}

}  // namespace areia::cuda

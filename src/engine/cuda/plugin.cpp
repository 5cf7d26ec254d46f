#include "engine/cuda/plugin.h"

#include <fmt/format.h>

#include "areia/error.h"
#include "areia/version.h"
#include "engine/plugin_file.h"

namespace areia::cuda {

namespace {

// What the library has (device_library.cu).
struct Library {
  DeviceEngine* (*make)(const DeviceCase*) = nullptr;
  FoundDevice found;
};

Library open_library() {
  Library l;
  void* const library = open_plugin("libareia_cuda.so", "AREIA_CUDA", false, l.found.why_not);
  if (!library) return l;
  const auto version = plugin_function<const char* (*)()>(library, "areia_cuda_version");
  const auto look = plugin_function<const char* (*)(const char**)>(library, "areia_cuda_look");
  const auto make = plugin_function<DeviceEngine* (*)(const DeviceCase*)>(library, "areia_cuda_make");
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

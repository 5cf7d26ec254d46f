// The library with the device (plugin.h).
#include "engine/cuda/device_engine_impl.h"

using namespace areia::cuda;

extern "C" {

const char* areia_cuda_version() { return AREIA_CUDA_VERSION; }

// The name of the device, or null and why there is none.
const char* areia_cuda_look(const char** why_not) {
  static std::string name, reason;
  int devices = 0;
  cudaError_t error = cudaGetDeviceCount(&devices);
  cudaDeviceProp properties{};
  if (error == cudaSuccess && devices > 0) error = cudaGetDeviceProperties(&properties, 0);
  if (error != cudaSuccess) reason = cudaGetErrorString(error);
  else if (devices == 0) reason = "the driver knows of none";
  else if (properties.major < 8)  // for which there is no code here (cmake/cuda.cmake)
    reason = std::string(properties.name) + " has compute capability " + std::to_string(properties.major) + "." +
             std::to_string(properties.minor) + ", and 8.0 is the least";
  if (!reason.empty()) {
    *why_not = reason.c_str();
    return nullptr;
  }
  name = properties.name;
  return name.c_str();
}

DeviceEngine* areia_cuda_make(const DeviceCase* c) { return new EngineOnDevice(*c); }

}  // extern "C"

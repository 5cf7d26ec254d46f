// The device: a library that is opened while the program runs, so that one program serves machines with and without
// one.
#pragma once
#include <memory>
#include <string>

#include "engine/cuda/device_engine.h"

namespace areia::cuda {

// Of DeviceCase and the classes beside it: to be raised when one of them changes.
inline constexpr int kDeviceInterface = 3;

struct FoundDevice {
  std::string name;     // of the device; empty: there is none
  std::string why_not;  // then, in words
};
const FoundDevice& found_device();  // looked for once

void require_device();  // throws InputError where there is none
std::unique_ptr<DeviceEngine> make_device_engine(const DeviceCase& c);

}  // namespace areia::cuda

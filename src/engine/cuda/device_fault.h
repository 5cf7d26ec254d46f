// How a device fails. Thrown by the library that is opened while the program runs, caught by the program.
#pragma once
#include <stdexcept>

namespace areia::cuda {

// The device did not do what it was asked for.
struct DeviceFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// There is not so much memory.
struct DeviceFull : DeviceFault {
  using DeviceFault::DeviceFault;
};

}  // namespace areia::cuda

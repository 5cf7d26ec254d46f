// The engine of the device with its kernels on the host.
#include "engine/cuda/device_engine_impl.h"

namespace areia::cuda {

std::unique_ptr<DeviceEngine> make_host_engine(const DeviceCase& c) { return std::make_unique<EngineOnDevice>(c); }

}  // namespace areia::cuda

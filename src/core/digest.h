// A hash of 128 bits (XXH3) over numbers one after the other.
#pragma once
#include <fmt/format.h>
#include <xxhash.h>

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "areia/vec3.h"

namespace areia {

class Digest {
 public:
  Digest() {
    if (!state_) throw std::bad_alloc();
    XXH3_128bits_reset(state_.get());
  }
  void real(double a) {
    const double b = a + 0.0;  // turns -0.0 into 0.0: they are the same number
    XXH3_128bits_update(state_.get(), &b, sizeof b);
  }
  void vector(const Vec3d& a) {
    real(a.x);
    real(a.y);
    real(a.z);
  }
  void name(std::string_view a) { XXH3_128bits_update(state_.get(), a.data(), a.size()); }
  void integer(std::int64_t a) { XXH3_128bits_update(state_.get(), &a, sizeof a); }
  std::string text() const {
    const XXH128_hash_t h = XXH3_128bits_digest(state_.get());
    return fmt::format("{:016x}{:016x}", h.high64, h.low64);
  }

 private:
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state_{XXH3_createState(), &XXH3_freeState};
};

}  // namespace areia

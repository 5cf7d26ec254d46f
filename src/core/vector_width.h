// Which vectors the processor has.
#pragma once

namespace areia {

enum class VectorWidth { plain, avx2, avx512 };

// Of this machine.
inline VectorWidth widest_vectors() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return VectorWidth::avx512;
  if (__builtin_cpu_supports("avx2")) return VectorWidth::avx2;
#endif
  return VectorWidth::plain;
}

inline bool has_wide_vectors() { return widest_vectors() >= VectorWidth::avx2; }

}  // namespace areia

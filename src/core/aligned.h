// Arrays that begin on a cache line, for vector loads; large ones lie in huge pages where the system has them, because
// neighbours in space are spread over more memory than the processor can translate addresses for.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

namespace areia {

template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::size_t kLine = 64, kHugePage = std::size_t{1} << 21;
  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}
  static std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t{bytes < kHugePage ? kLine : kHugePage};
  }
  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    void* const p = ::operator new(bytes, alignment(bytes));
#ifdef MADV_HUGEPAGE
    if (bytes >= kHugePage) madvise(p, bytes, MADV_HUGEPAGE);  // a wish; nothing is lost if it is not granted
#endif
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t n) { ::operator delete(p, alignment(n * sizeof(T))); }
  friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }
};

template <class T>
using LineVector = std::vector<T, LineAllocator<T>>;

}  // namespace areia

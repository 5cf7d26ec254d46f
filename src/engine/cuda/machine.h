// What the kernels of the cuda engine run on: memory, launches, sums over all threads, sorting. Compiled by nvcc that
// is a device; compiled as C++ it is the host, where a launch is a loop. So the same kernels run in tests without a
// GPU.
//
// A kernel is an object that acts on one body: kernel(i); or on a group of bodies, by a team of threads that share
// memory: kernel(group, team, shared, tally). On the host a team has one thread. All that threads add to is whole
// numbers, which have no order.
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "areia/portable.h"
#include "areia/vec3.h"
#include "core/vec4.h"
#include "engine/cuda/device_fault.h"
#include "scene/bounds.h"

#if defined(__CUDACC__)
#include <cuda_runtime.h>

#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>
#include <cub/device/device_radix_sort.cuh>
#else
#include <algorithm>
#include <cstring>
#include <numeric>
#endif

// What is compiled for both has a name for each: a program may hold the one and open a library with the other, and
// functions of one name are one function to it.
#if defined(__CUDACC__)
#define AREIA_MACHINE device_code
#else
#define AREIA_MACHINE host_code
#endif

namespace areia::cuda {
inline namespace AREIA_MACHINE {

#if !defined(AREIA_THREADS_PER_BLOCK)
#define AREIA_THREADS_PER_BLOCK 128
#endif
#if !defined(AREIA_LEAST_BLOCKS)
#define AREIA_LEAST_BLOCKS 4
#endif
#if defined(__CUDACC__)
#define AREIA_UNROLL _Pragma("unroll")
#else
#define AREIA_UNROLL
#endif
// A function that is seldom called and is to take no registers from those that call it.
#if defined(__CUDACC__)
#define AREIA_SELDOM __host__ __device__ __noinline__
#else
#define AREIA_SELDOM [[gnu::noinline, gnu::cold]]
#endif

inline constexpr int kThreadsPerBlock = AREIA_THREADS_PER_BLOCK;

// Bodies that lie one after the other in memory, and what a team works on: the more, the fewer pairs lie across two
// groups. On the host there are fewer in one, so that tests with few bodies have such pairs.
#if defined(AREIA_GROUP)
inline constexpr std::uint32_t kGroup = AREIA_GROUP;
#elif defined(__CUDACC__)
inline constexpr std::uint32_t kGroup = 256;
#else
inline constexpr std::uint32_t kGroup = 16;
#endif
// Pairs of a group are looked at so many at a time.
inline constexpr std::uint32_t kPairsAtOnce = 8 * kGroup;

#if defined(__CUDACC__)

inline void require(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  const std::string text = std::string(what) + ": " + cudaGetErrorString(error);
  if (error == cudaErrorMemoryAllocation) throw DeviceFull(text);
  throw DeviceFault(text);
}
inline void* take_memory(std::size_t bytes) {
  void* p = nullptr;
  require(cudaMalloc(&p, bytes), "memory of the device");
  return p;
}
inline void give_memory_back(void* p) { cudaFree(p); }
inline void to_device(void* to, const void* from, std::size_t bytes) {
  require(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copy to the device");
}
inline void from_device(void* to, const void* from, std::size_t bytes) {
  require(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copy from the device");
}
inline void on_device(void* to, const void* from, std::size_t bytes) {
  require(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "copy on the device");
}
inline void set_bytes(void* to, int byte, std::size_t bytes) {
  require(cudaMemsetAsync(to, byte, bytes), "memory of the device");
}
inline void wait_for_device() { require(cudaDeviceSynchronize(), "kernels of the device"); }

#else

inline void* take_memory(std::size_t bytes) { return ::operator new (bytes, std::align_val_t{64}); }
inline void give_memory_back(void* p) { ::operator delete (p, std::align_val_t{64}); }
// memcpy and memset must not be called with the null pointers of arrays that are empty.
inline void on_device(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}
inline void to_device(void* to, const void* from, std::size_t bytes) { on_device(to, from, bytes); }
inline void from_device(void* to, const void* from, std::size_t bytes) { on_device(to, from, bytes); }
inline void set_bytes(void* to, int byte, std::size_t bytes) {
  if (bytes > 0) std::memset(to, byte, bytes);
}
inline void wait_for_device() {}

#endif

// An array on the device. It grows and never shrinks; what was in it is lost when it grows.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(Array&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Array() {
    if (data_) give_memory_back(data_);
  }
  void swap(Array& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
  }
  void resize(std::size_t n) {
    size_ = n;
    if (n <= room_) return;
    if (data_) give_memory_back(data_);
    data_ = nullptr;
    room_ = 0;
    data_ = static_cast<T*>(take_memory(n * sizeof(T)));
    room_ = n;
  }
  void clear(int byte = 0) {
    if (size_ > 0) set_bytes(data_, byte, size_ * sizeof(T));
  }
  void put(const std::vector<T>& from) {
    resize(from.size());
    if (size_ > 0) to_device(data_, from.data(), size_ * sizeof(T));
  }
  std::vector<T> get() const {
    std::vector<T> to(size_);
    if (size_ > 0) from_device(to.data(), data_, size_ * sizeof(T));
    return to;
  }
  T get(std::size_t k) const {
    T one;
    from_device(&one, data_ + k, sizeof one);
    return one;
  }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return room_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0, room_ = 0;
};

// --- what threads share ----------------------------------------------------------------------------------------------
AREIA_PORTABLE inline void add_to(std::int64_t* sum, std::int64_t n) {
#if defined(__CUDA_ARCH__)
  atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(n));
#else
  *sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(*sum) + static_cast<std::uint64_t>(n));
#endif
}
// The value before.
AREIA_PORTABLE inline std::uint32_t add_to(std::uint32_t* sum, std::uint32_t n) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(sum, n);
#else
  return std::exchange(*sum, *sum + n);
#endif
}
// A whole number of 64 bits in two words: in the memory that a team shares, atomics of 32 bits are those of the
// hardware.
AREIA_PORTABLE inline void add_to(std::uint32_t* low, std::uint32_t* high, std::int64_t n) {
  const auto part = static_cast<std::uint32_t>(n);
  const std::uint32_t carry = add_to(low, part) + part < part ? 1 : 0;
  add_to(high, static_cast<std::uint32_t>(n >> 32) + carry);
}
// A number of one's own, from 0 on; threads that ask together get those that follow each other.
AREIA_PORTABLE inline std::uint32_t next_number(std::uint32_t* taken) {
#if defined(__CUDA_ARCH__)
  const unsigned together = __activemask(), lane = threadIdx.x % 32, first = __ffs(together) - 1;
  std::uint32_t at = 0;
  if (lane == first) at = atomicAdd(taken, __popc(together));
  return __shfl_sync(together, at, first) + __popc(together & ((1u << lane) - 1));
#else
  return (*taken)++;
#endif
}
AREIA_PORTABLE inline void least_of(std::uint32_t* least, std::uint32_t n) {
#if defined(__CUDA_ARCH__)
  atomicMin(least, n);
#else
  if (n < *least) *least = n;
#endif
}
AREIA_PORTABLE inline void most_of(std::uint32_t* most, std::uint32_t n) {
#if defined(__CUDA_ARCH__)
  atomicMax(most, n);
#else
  if (n > *most) *most = n;
#endif
}
AREIA_PORTABLE inline void raise_flag(std::uint32_t* flags, std::uint32_t flag) {
#if defined(__CUDA_ARCH__)
  atomicOr(flags, flag);
#else
  *flags |= flag;
#endif
}

// A whole number in two words, so that many large ones can be added: high 2^32 + low.
struct WideSum {
  std::int64_t low = 0, high = 0;
};
AREIA_PORTABLE inline void add_to(WideSum* sum, std::int64_t n) {
  add_to(&sum->low, static_cast<std::int64_t>(static_cast<std::uint64_t>(n) & 0xffffffffu));
  add_to(&sum->high, n >> 32);
}

AREIA_PORTABLE inline std::uint32_t fewer_of(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }

// Items that threads take up together: those that run in step.
#if defined(__CUDACC__)
inline constexpr std::uint32_t kChunk = 32;
#else
inline constexpr std::uint32_t kChunk = 1;
#endif
AREIA_PORTABLE inline std::uint32_t chunks_of(std::uint32_t items) { return (items + kChunk - 1) / kChunk; }

// The threads that work on a group together.
struct Team {
  std::uint32_t thread, threads;

  // f(0) to f(n - 1), each by one of them.
  template <class F>
  AREIA_PORTABLE void each(std::uint32_t n, F&& f) const {
    for (std::uint32_t k = thread; k < n; k += threads) f(k);
  }
  // f(chunk, place in it) for each of so many chunks, by the threads that take it up together. `taken` counts those
  // that have been, so that whoever is ready goes on with the next one.
  template <class F>
  AREIA_PORTABLE void each_chunk(std::uint32_t* taken, std::uint32_t chunks, F&& f) const {
    for (;;) {
#if defined(__CUDA_ARCH__)
      std::uint32_t chunk = 0;
      if (thread % kChunk == 0) chunk = atomicAdd(taken, 1);
      chunk = __shfl_sync(0xffffffffu, chunk, 0);
#else
      const std::uint32_t chunk = (*taken)++;
#endif
      if (chunk >= chunks) return;
      f(chunk, thread % kChunk);
    }
  }
  // Until all are here, and see what the others have written.
  AREIA_PORTABLE void wait() const {
#if defined(__CUDA_ARCH__)
    __syncthreads();
#endif
  }
};

inline __int128 value_of(const WideSum& s) { return (static_cast<__int128>(s.high) << 32) + s.low; }

// Sums of one thread, added to those of all when it ends. On a device they lie in memory that the threads of a block
// share, so that they take no registers.
struct Tally {
  std::int64_t* first;
  int stride;
  AREIA_PORTABLE void add(int k, std::int64_t n) { first[k * stride] += n; }
};
// Sums of all threads lie this often in memory, so that blocks do not wait for each other to add to them.
inline constexpr unsigned kSumCopies = 64;

// How many blocks are to run at once on a processor, which bounds the registers of a thread: a kernel may say so.
template <class Kernel>
constexpr int least_blocks() {
  if constexpr (requires { Kernel::kLeastBlocks; }) return Kernel::kLeastBlocks;
  else return AREIA_LEAST_BLOCKS;
}

#if defined(__CUDACC__)

template <class Kernel>
__global__ void __launch_bounds__(kThreadsPerBlock) run_kernel(const __grid_constant__ Kernel kernel, std::uint32_t n) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) kernel(i);
}

// kernel(group, team, shared, tally) for each group. A thread makes fewer than 2^12 bookings of 2^51 at most, so those
// of a thread fit into 64 bits; those of a block are added in two parts. A kernel returns false where it has booked
// nothing.
template <int kSums, class Kernel>
__global__ void __launch_bounds__(kThreadsPerBlock, least_blocks<Kernel>())
    run_groups(const __grid_constant__ Kernel kernel, WideSum* sums) {
  constexpr unsigned kLanes = kThreadsPerBlock / kSums;  // that add up one sum
  static_assert(kLanes * kSums == kThreadsPerBlock && kLanes <= 32 && (kLanes & (kLanes - 1)) == 0);
  __shared__ typename Kernel::Shared shared;
  __shared__ std::int64_t own[kSums][kThreadsPerBlock];
#pragma unroll
  for (int k = 0; k < kSums; ++k) own[k][threadIdx.x] = 0;
  Tally tally{&own[0][threadIdx.x], kThreadsPerBlock};
  if (__syncthreads_or(kernel(blockIdx.x, Team{threadIdx.x, kThreadsPerBlock}, shared, tally)) == 0) return;
  const unsigned k = threadIdx.x / kLanes, lane = threadIdx.x % kLanes;
  std::int64_t low = 0, high = 0;
#pragma unroll
  for (unsigned at = 0; at < kThreadsPerBlock; at += kLanes) {
    const std::int64_t n = own[k][at + lane];
    low += n & 0xffffffff;
    high += n >> 32;
  }
#pragma unroll
  for (unsigned way = kLanes / 2; way > 0; way /= 2) {
    low += __shfl_down_sync(0xffffffffu, low, way, kLanes);
    high += __shfl_down_sync(0xffffffffu, high, way, kLanes);
  }
  if (lane != 0) return;
  WideSum* const sum = &sums[blockIdx.x % kSumCopies * kSums + k];
  if (low != 0) add_to(&sum->low, low);
  if (high != 0) add_to(&sum->high, high);
}

template <class Kernel>
void launch(std::size_t n, const Kernel& kernel) {
  if (n == 0) return;
  run_kernel<<<static_cast<unsigned>((n + kThreadsPerBlock - 1) / kThreadsPerBlock), kThreadsPerBlock>>>(
      kernel, static_cast<std::uint32_t>(n));
  require(cudaGetLastError(), "launch of a kernel");
}
template <int kSums, class Kernel>
void launch_groups(std::size_t groups, const Kernel& kernel, WideSum* sums) {
  if (groups == 0) return;
  run_groups<kSums><<<static_cast<unsigned>(groups), kThreadsPerBlock>>>(kernel, sums);
  require(cudaGetLastError(), "launch of a kernel");
}

// kernel(i, words) with words of whole numbers that all threads add to; those of a block first by themselves.
template <int kWords, class Kernel>
__global__ void __launch_bounds__(kThreadsPerBlock)
    run_shared(const __grid_constant__ Kernel kernel, std::uint32_t n, std::int64_t* words) {
  __shared__ std::int64_t part[kWords];
  for (unsigned k = threadIdx.x; k < kWords; k += blockDim.x) part[k] = 0;
  __syncthreads();
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) kernel(i, part);
  __syncthreads();
  for (unsigned k = threadIdx.x; k < kWords; k += blockDim.x)
    if (part[k] != 0) add_to(&words[k], part[k]);
}
template <int kWords, class Kernel>
void launch_shared(std::size_t n, const Kernel& kernel, std::int64_t* words) {
  if (n == 0) return;
  const std::size_t blocks = (n + kThreadsPerBlock - 1) / kThreadsPerBlock;
  run_shared<kWords><<<static_cast<unsigned>(blocks < 1024 ? blocks : 1024), kThreadsPerBlock>>>(
      kernel, static_cast<std::uint32_t>(n), words);
  require(cudaGetLastError(), "launch of a kernel");
}

// f(), with what Thrust throws, in words of its own, as what require() throws.
template <class F>
auto by_thrust(const char* what, F&& f) {
  try {
    return f();
  } catch (const std::bad_alloc& e) {
    throw DeviceFull(std::string(what) + ": " + e.what());
  } catch (const std::exception& e) { throw DeviceFault(std::string(what) + ": " + e.what()); }
}

// Keys and values in order of the lowest `bits` of the keys, from the first arrays to the second ones, and how much
// memory this takes besides.
template <class Key, class Value>
std::size_t memory_of_sorting(std::size_t n, int bits) {
  std::size_t bytes = 0;
  require(cub::DeviceRadixSort::SortPairs(nullptr, bytes, static_cast<const Key*>(nullptr), static_cast<Key*>(nullptr),
                                          static_cast<const Value*>(nullptr), static_cast<Value*>(nullptr), n, 0, bits),
          "sorting on the device");
  return (bytes + 255) / 256 * 256;
}
template <class Key, class Value>
void sort_by_key(const Key* keys, Key* sorted_keys, const Value* values, Value* sorted_values, std::size_t n, int bits,
                 void* memory, std::size_t bytes) {
  require(cub::DeviceRadixSort::SortPairs(memory, bytes, keys, sorted_keys, values, sorted_values, n, 0, bits),
          "sorting on the device");
}
// The sum of all that come before; returns that of all.
inline std::uint32_t scan(const std::uint32_t* counts, std::uint32_t* before, std::size_t n) {
  by_thrust("sums on the device", [&] { thrust::exclusive_scan(thrust::device, counts, counts + n, before); });
  std::uint32_t last = 0, count = 0;
  from_device(&last, before + n - 1, sizeof last);
  from_device(&count, counts + n - 1, sizeof count);
  return last + count;
}

#else

template <class Kernel>
void launch(std::size_t n, const Kernel& kernel) {
  for (std::uint32_t i = 0; i < n; ++i) kernel(i);
}
template <int kSums, class Kernel>
void launch_groups(std::size_t groups, const Kernel& kernel, WideSum* sums) {
  for (std::uint32_t g = 0; g < groups; ++g) {
    typename Kernel::Shared shared;
    std::int64_t own[kSums] = {};
    Tally tally{own, 1};
    kernel(g, Team{0, 1}, shared, tally);
    for (int k = 0; k < kSums; ++k) add_to(&sums[k], own[k]);
  }
}

template <int kWords, class Kernel>
void launch_shared(std::size_t n, const Kernel& kernel, std::int64_t* words) {
  for (std::uint32_t i = 0; i < n; ++i) kernel(i, words);
}

template <class Key, class Value>
std::size_t memory_of_sorting(std::size_t, int) {
  return 0;
}
template <class Key, class Value>
void sort_by_key(const Key* keys, Key* sorted_keys, const Value* values, Value* sorted_values, std::size_t n, int bits,
                 void*, std::size_t) {
  const Key mask = (Key{1} << bits) - 1;
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return (keys[a] & mask) < (keys[b] & mask); });
  for (std::size_t k = 0; k < n; ++k) {
    sorted_keys[k] = keys[order[k]];
    sorted_values[k] = values[order[k]];
  }
}
inline std::uint32_t scan(const std::uint32_t* counts, std::uint32_t* before, std::size_t n) {
  std::uint32_t sum = 0;
  for (std::size_t k = 0; k < n; ++k) {
    before[k] = sum;
    sum += counts[k];
  }
  return sum;
}

#endif

// The box around all places.
struct JoinBounds {
  AREIA_PORTABLE static double least(double a, double b) { return b < a ? b : a; }
  AREIA_PORTABLE static double most(double a, double b) { return b > a ? b : a; }
  AREIA_PORTABLE Bounds operator()(const Bounds& a, const Bounds& b) const {
    return {{least(a.low.x, b.low.x), least(a.low.y, b.low.y), least(a.low.z, b.low.z)},
            {most(a.high.x, b.high.x), most(a.high.y, b.high.y), most(a.high.z, b.high.z)}};
  }
};
struct BoundsOfPlace {
  AREIA_PORTABLE Bounds operator()(const Vec4& x) const { return {x.xyz(), x.xyz()}; }
};
inline Bounds bounds_of(const Vec4* x, std::size_t n) {
  constexpr double kFar = 1.7976931348623157e308;
  const Bounds none{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
#if defined(__CUDACC__)
  return by_thrust("the box around all bodies", [&] {
    return thrust::transform_reduce(thrust::device, x, x + n, BoundsOfPlace(), none, JoinBounds());
  });
#else
  Bounds all = none;
  for (std::size_t k = 0; k < n; ++k) all = JoinBounds()(all, BoundsOfPlace()(x[k]));
  return all;
#endif
}

}  // namespace AREIA_MACHINE
}  // namespace areia::cuda

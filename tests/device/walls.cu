// The search for contacts at walls, as device code: candidates, hits, which contact goes on in which, and what moves
// there. As a program it compares the bits of the device with those of the host; exit code 77: there is no device.
// tests/device/compile_test only compiles it and looks at the code.
#include <cstdio>
#include <cstring>
#include <vector>

#include "wall_meetings.h"

using namespace areia;

namespace {

constexpr int kSets = 256, kSteps = 128;  // sets of walls, and steps of spheres beside each

using test::WallRow;
using test::WallStep;

__global__ void meet(PlainWallView view, std::size_t walls, const WallStep* steps, WallRow* rows) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < kSteps) test::meet_plain_walls(view, walls, steps[k], rows[k]);
}

template <class T>
class There {
 public:
  explicit There(const std::vector<T>& here) : count_(here.size()) {
    cudaMalloc(&at_, count_ * sizeof(T));
    cudaMemcpy(at_, here.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  There(const There&) = delete;
  There& operator=(const There&) = delete;
  ~There() { cudaFree(at_); }
  T* at() const { return at_; }
  std::vector<T> back() const {
    std::vector<T> here(count_);
    cudaMemcpy(here.data(), at_, count_ * sizeof(T), cudaMemcpyDeviceToHost);
    return here;
  }

 private:
  std::size_t count_;
  T* at_ = nullptr;
};

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("there is no device\n");
    return 77;
  }
  test::RandomWalls random(1);
  int differ = 0, touching = 0, several = 0, overflowed = 0;
  for (int set = 0; set < kSets; ++set) {
    const test::WallSet walls = random.some_walls();
    std::vector<WallStep> steps;
    for (int k = 0; k < kSteps; ++k) steps.push_back(random.some_step(walls));
    const There<PlainShape> shapes(walls.shapes);
    const There<WallNow> states(walls.states);
    const There<WallStep> steps_there(steps);
    const There<WallRow> rows{std::vector<WallRow>(kSteps)};
    meet<<<kSteps / 32, 32>>>({shapes.at(), states.at(), walls.periodicity}, walls.shapes.size(), steps_there.at(),
                              rows.at());
    const std::vector<WallRow> there = rows.back();
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
      std::printf("%s\n", cudaGetErrorString(error));
      return 1;
    }
    for (int k = 0; k < kSteps; ++k) {
      WallRow here;
      test::meet_plain_walls(walls.view(), walls.shapes.size(), steps[k], here);
      if (!test::is_same(here, there[k]) && ++differ <= 3) {
        std::printf("set %d, step %d: hits %d and %d, candidates %d and %d, numbers %d and %d\n", set, k, here.hits,
                    there[k].hits, here.candidates, there[k].candidates, here.size, there[k].size);
        int told = 0;
        for (int n = 0; n < here.size && told < 4; ++n)
          if (std::memcmp(&here.of[n], &there[k].of[n], sizeof(double)) != 0)
            std::printf("  number %d: %a on the host, %a on the device\n", n, here.of[n], there[k].of[n]), ++told;
      }
      touching += here.hits > 0;
      several += here.hits > 1;
      overflowed += here.overflowed;
    }
  }
  std::printf("walls: %d of %d differ, %d with contacts, %d with several, %d beyond the room\n", differ, kSets * kSteps,
              touching, several, overflowed);
  return differ > 0 || several == 0 || overflowed > 0;
}

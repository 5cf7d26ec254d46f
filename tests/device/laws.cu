// Every law, the slot functions around it and the elementary functions, as device code. As a program it compares the
// bits of the device with those of the host; exit code 77: there is no device. tests/device/compile_test only compiles
// it and looks at the code.
#include <cstdio>
#include <cstring>
#include <vector>

#include "core/rotation.h"
#include "law_rows.h"
#include "physics/bond.h"
#include "physics/distance_force.h"
#include "physics/drag.h"
#include "physics/magnetic.h"
#include "physics/magnus.h"
#include "some_law.h"

using namespace areia;

namespace {

constexpr int kContacts = 4096;

using Input = test::LawInput<double>;
using Row = test::LawOutput<double>;

// A law and its constants.
template <class Law, Slot slot>
struct Prepared {
  typename Law::Pair pair;
  AREIA_PORTABLE void operator()(const Input& in, Row& row) const { test::evaluate<Law, slot>(pair, in, row); }
};

// What is not a law of a slot.
struct TheRest {
  DistanceLaw distance;
  ImpactPair impact;
  AREIA_PORTABLE void operator()(const Input& in, Row& row) const {
    const double x = in.i.inv_m, e = in.i.v.x;
    row.put(power_of(x, 5 * e));
    row.put(power_of(x, 1.3));
    row.put(cbrt_of(x));
    row.put(log_of(x));
    row.put(distance_force(distance, in.c.radius_i));
    row.put(distance_energy(distance, in.c.radius_i));
    row.put(chow_drag_coefficient(x));
    row.put(bond_force(BondLaw{1e3, 2e2, 2, 1}, true, BondAxis{in.c.n, 10}, in.i.v, {in.i.w, in.i.v, in.j.w},
                       {in.j.w, in.j.v, in.i.w})
                .torque_i());
    row.put(turned_by_magnetic(in.i.v, in.j.w, 1e-3));
    row.put(magnus_force(0.1, in.i.w, in.i.v));
    const Impact hit = Walton::collide(impact, in.c.n, {in.i.v, in.i.w, in.i.radius, in.i.inv_m, in.i.inv_j},
                                       {in.j.v, in.j.w, in.j.radius, in.j.inv_m, in.j.inv_j});
    row.put(hit.dv_i);
    row.put(hit.lost_tangential);
    const Quat q = turned(about_axis(in.c.n, in.i.w.x), in.i.w, 1e-2, true);
    row.put(rotate(q, in.i.v));
    row.put(q[0]);
  }
};

template <class F>
__global__ void run(F f, const Input* in, Row* out) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < kContacts) f(in[k], out[k]);
}

struct Bench {
  std::vector<Input> in;
  Input* in_there = nullptr;
  Row* out_there = nullptr;
  int bad = 0;

  template <class F>
  void compare(const char* slot, const char* name, const F& f) {
    std::vector<Row> here(kContacts), there(kContacts);
    for (int k = 0; k < kContacts; ++k) f(in[k], here[k]);
    cudaMemset(out_there, 0, kContacts * sizeof(Row));
    run<<<kContacts / 128, 128>>>(f, in_there, out_there);
    cudaMemcpy(there.data(), out_there, kContacts * sizeof(Row), cudaMemcpyDeviceToHost);
    int differ = 0;
    for (int k = 0; k < kContacts; ++k) differ += std::memcmp(&here[k], &there[k], sizeof(Row)) != 0;
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
    std::printf("%-10s %-16s %d of %d differ\n", slot, name, differ, kContacts);
    bad += differ > 0 || error != cudaSuccess;
  }

  template <Slot slot, class... L>
  void laws(LawList<L...>) {
    const Material grain{.name = "grain", .density = 2500, .young = 1e7, .poisson = 0.3};
    const auto one = [&]<class Law>() {
      for (const LawChoice& c : {test::some(Law::kInfo), test::other(Law::kInfo)})
        compare(Law::kInfo.slot, Law::kInfo.name, Prepared<Law, slot>{Law::prepare(c, {grain, grain})});
    };
    (one.template operator()<L>(), ...);
  }
};

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("there is no device\n");
    return 77;
  }
  Random random(3);
  Bench bench;
  for (int k = 0; k < kContacts; ++k) bench.in.push_back(test::some_input(random));
  cudaMalloc(&bench.in_there, kContacts * sizeof(Input));
  cudaMalloc(&bench.out_there, kContacts * sizeof(Row));
  cudaMemcpy(bench.in_there, bench.in.data(), kContacts * sizeof(Input), cudaMemcpyHostToDevice);
  bench.laws<kNormal>(LawsOf<kNormal>::List{});
  bench.laws<kAdhesion>(LawsOf<kAdhesion>::List{});
  bench.laws<kTangential>(LawsOf<kTangential>::List{});
  bench.laws<kRolling>(LawsOf<kRolling>::List{});
  bench.laws<kTwisting>(LawsOf<kTwisting>::List{});
  DistanceForce force;
  force.k_at = 1;
  force.a_at = 1;
  force.k_rep = 0.1;
  force.a_rep = 2.7;
  bench.compare("", "elementary", TheRest{make_distance_law(force), Walton::prepare(test::some(Walton::kInfo))});
  return bench.bad > 0;
}

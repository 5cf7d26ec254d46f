// All laws of a pair on whole contacts, as device code: as AnyLaws and as sets of laws, with and without the ledger. As
// a program it compares the bits of the device, step after step, with those of Interaction on the host; exit code 77:
// there is no device. tests/device/compile_test only compiles it, looks at the code, and tells the registers that
// evaluate_once needs.
#include <cstdio>
#include <cstring>
#include <vector>

#include "contact_steps.h"
#include "core/grid_sum.h"
#include "motion/explicit_step.h"
#include "some_law.h"

using namespace areia;

namespace {

constexpr int kContacts = 4096;

using test::ContactStep;
using test::StepRow;

template <class Laws>
__global__ void step(Laws laws, const ContactStep* steps, double* history, StepRow* rows) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= kContacts) return;
  double kept[Laws::Run::kHistory];
  for (int h = 0; h < Laws::Run::kHistory; ++h) kept[h] = history[h * kContacts + k];
  StepRow row;
  test::take_step(laws, steps[k], kept, row);
  rows[k] = row;
  for (int h = 0; h < Laws::Run::kHistory; ++h) history[h * kContacts + k] = kept[h];
}

struct Bench {
  std::vector<ContactStep> steps[test::kStepsOfContact];
  ContactStep* steps_there = nullptr;
  double* history_there = nullptr;
  StepRow* rows_there = nullptr;
  int bad = 0;

  Bench() {
    Random random(3);
    for (int k = 0; k < kContacts; ++k) {
      const std::vector<ContactStep> life = test::some_steps(random);
      for (int s = 0; s < test::kStepsOfContact; ++s) steps[s].push_back(life[s]);
    }
    cudaMalloc(&steps_there, kContacts * sizeof(ContactStep));
    cudaMalloc(&history_there, kContacts * kMostHistory * sizeof(double));
    cudaMalloc(&rows_there, kContacts * sizeof(StepRow));
  }

  template <class Set, bool kLedger>
  void compare(const char* name, const ContactPair& pair) {
    const Material grain{.name = "grain", .density = 2500, .young = 1e7, .poisson = 0.3};
    const Interaction interaction(pair, {grain, grain});
    using Laws = test::HeldPlain<Set, kLedger>;
    const Laws laws{plain_laws(interaction, pair)};
    std::vector<double> history(kContacts * kMostHistory), history_here(kContacts * kMostHistory);
    std::vector<StepRow> rows(kContacts);
    int differ = !is_set_of<Set>(laws.p);
    cudaMemset(history_there, 0, history.size() * sizeof(double));
    for (const std::vector<ContactStep>& now : steps) {
      cudaMemcpy(steps_there, now.data(), kContacts * sizeof(ContactStep), cudaMemcpyHostToDevice);
      cudaMemset(rows_there, 0, kContacts * sizeof(StepRow));
      step<<<kContacts / 128, 128>>>(laws, steps_there, history_there, rows_there);
      cudaMemcpy(rows.data(), rows_there, kContacts * sizeof(StepRow), cudaMemcpyDeviceToHost);
      cudaMemcpy(history.data(), history_there, history.size() * sizeof(double), cudaMemcpyDeviceToHost);
      for (int k = 0; k < kContacts; ++k) {
        StepRow row;
        double* const kept = &history_here[k * kMostHistory];
        test::take_step(interaction, now[k], kept, row);
        bool same = row.size == rows[k].size;
        const int compared = row.size - (kLedger ? 0 : test::kBookingsOfStep);
        same = same && std::memcmp(row.of, rows[k].of, compared * sizeof(double)) == 0;
        for (int h = 0; h < interaction.history(); ++h)
          same = same && std::memcmp(&kept[h], &history[h * kContacts + k], sizeof(double)) == 0;
        differ += !same;
      }
    }
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
    std::printf("%-10s %-60s %d of %d differ\n", kLedger ? "ledger" : "", name, differ,
                kContacts * test::kStepsOfContact);
    bad += differ > 0 || error != cudaSuccess;
  }

  template <class Law>
  static LawChoice choice(LawChoice (*of)(const LawInfo&)) {
    if constexpr (kIsLaw<Law>) return test::of_type<Law>(of);
    else return {};
  }
  template <class N, class A, class T, class R, class W>
  static ContactPair pair_of(LawChoice (*of)(const LawInfo&)) {
    ContactPair pair;
    pair.normal = choice<N>(of);
    pair.adhesion = choice<A>(of);
    pair.tangential = choice<T>(of);
    pair.rolling = choice<R>(of);
    pair.twisting = choice<W>(of);
    return pair;
  }

  // As a set and as any laws.
  template <class N, class A, class T, class R, class W>
  void set(LawSet<N, A, T, R, W>) {
    char name[100];
    std::snprintf(name, sizeof name, "%s %s %s %s %s", N::kInfo.name, A::kInfo.name, T::kInfo.name, R::kInfo.name,
                  W::kInfo.name);
    const ContactPair pair = pair_of<N, A, T, R, W>(test::some);
    compare<LawSet<N, A, T, R, W>, true>(name, pair);
    compare<LawSet<N, A, T, R, W>, false>(name, pair);
    compare<AnyLaws, true>(name, pair);
  }
  // Each law of a slot beside others.
  template <Slot slot, class... L>
  void every(LawList<L...>, LawChoice ContactPair::*place) {
    const auto one = [&]<class Law>() {
      for (const auto of : {test::some, test::other}) {
        ContactPair pair = pair_of<Linear, NoLaw, CoulombHistory, RollingEpsd, TwistingSpring>(test::some);
        pair.*place = test::of_type<Law>(of);
        compare<AnyLaws, true>(Law::kInfo.name, pair);
        compare<AnyLaws, false>(Law::kInfo.name, pair);
      }
    };
    (one.template operator()<L>(), ...);
  }
};

// ---- what the laws cost in registers, without what a test puts around them ----

template <class Set, bool kLedger>
__global__ void evaluate_once(const PlainLaws* __restrict__ table, const ContactStep* __restrict__ steps, double dt,
                              Kick kick, double* history, Outcome<double>* out) {
  using Run = RunLaws<Set, kLedger>;
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= kContacts) return;
  double kept[Run::kHistory];
  for (int h = 0; h < Run::kHistory; ++h) kept[h] = history[h * kContacts + k];
  out[k] = Run::evaluate(table[0], steps[k].touch, steps[k].i, steps[k].j, dt, kick, kept);
  for (int h = 0; h < Run::kHistory; ++h) history[h * kContacts + k] = kept[h];
}
using Usual = LawSet<Hertz, NoLaw, CoulombHistory, NoLaw, NoLaw>;
template __global__ void evaluate_once<Usual, false>(const PlainLaws*, const ContactStep*, double, Kick, double*,
                                                     Outcome<double>*);
template __global__ void evaluate_once<Usual, true>(const PlainLaws*, const ContactStep*, double, Kick, double*,
                                                    Outcome<double>*);
template __global__ void evaluate_once<AnyLaws, false>(const PlainLaws*, const ContactStep*, double, Kick, double*,
                                                       Outcome<double>*);
template __global__ void evaluate_once<AnyLaws, true>(const PlainLaws*, const ContactStep*, double, Kick, double*,
                                                      Outcome<double>*);

// ---- the steps of bodies ----

struct Moved {
  Vec3d x, v, w;
  std::uint64_t quanta;
};

// One step of a body in a box that repeats itself, with each scheme.
AREIA_PORTABLE void move(Scheme scheme, const Periodicity& box, const Grid& grid, const ContactStep& in, Moved& out) {
  Pace<double> v{in.i.v, in.i.w}, old{0.1 * in.j.v, in.j.w};
  Vec3d x{0.4, 0.5, 0.6};
  const FreeAxes free;
  const auto drift = [&](const Pace<double>& u) { x += 10 * u.move; };
  before_forces(scheme, 0.1, v, old, NoFields{}, drift);
  const Vec3d a = free.moving(acceleration_of(in.i.inv_m, in.touch.n, Vec3d{0, -9.81, 0}));
  after_forces(scheme, 0.1, v, Pace<double>{a, free.turning(in.i.inv_j * in.touch.n)}, old, NoFields{}, drift);
  if (box.left_by(x)) x = box.wrapped(x);
  x += 1e-3 * box.nearest(box.shifted(x, {1, 0, -1}) - in.j.v);
  out = {x, v.move, v.turn, grid.raised(work_of_face(in.i.inv_m, a, x) + slow_enough(v.move, 0.1, 0.2))};
}
__global__ void move_all(Scheme scheme, Periodicity box, Grid grid, const ContactStep* in, Moved* out) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < kContacts) move(scheme, box, grid, in[k], out[k]);
}

int compare_moves(Bench& bench) {
  const Periodicity box{{true, false, true}, {0.1, 0, -0.2}, {1, 1, 1.3}};
  const Grid grid(100);
  Moved* moved_there = nullptr;
  cudaMalloc(&moved_there, kContacts * sizeof(Moved));
  cudaMemcpy(bench.steps_there, bench.steps[0].data(), kContacts * sizeof(ContactStep), cudaMemcpyHostToDevice);
  int differ = 0;
  for (const Scheme scheme : {Scheme::drift_kick, Scheme::kick_drift, Scheme::forward_euler, Scheme::velocity_verlet}) {
    std::vector<Moved> there(kContacts);
    move_all<<<kContacts / 128, 128>>>(scheme, box, grid, bench.steps_there, moved_there);
    cudaMemcpy(there.data(), moved_there, kContacts * sizeof(Moved), cudaMemcpyDeviceToHost);
    for (int k = 0; k < kContacts; ++k) {
      Moved here;
      move(scheme, box, grid, bench.steps[0][k], here);
      differ += std::memcmp(&here, &there[k], sizeof(Moved)) != 0;
    }
  }
  std::printf("moves: %d of %d differ\n", differ, 4 * kContacts);
  return differ > 0 || cudaGetLastError() != cudaSuccess;
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("there is no device\n");
    return 77;
  }
  Bench bench;
  bench.set(Usual{});
  bench.set(LawSet<Hertz, AdhesionCapillary, CoulombStickSlip, RollingEpsd, NoLaw>{});
  bench.set(LawSet<Jkr, NoLaw, CoulombHistory, RollingEpsd, TwistingSpring>{});
  bench.set(LawSet<Linear, NoLaw, CoulombTime, NoLaw, NoLaw>{});
  bench.every<kNormal>(LawsOf<kNormal>::List{}, &ContactPair::normal);
  bench.every<kAdhesion>(LawsOf<kAdhesion>::List{}, &ContactPair::adhesion);
  bench.every<kTangential>(LawsOf<kTangential>::List{}, &ContactPair::tangential);
  bench.every<kRolling>(LawsOf<kRolling>::List{}, &ContactPair::rolling);
  bench.every<kTwisting>(LawsOf<kTwisting>::List{}, &ContactPair::twisting);
  return (bench.bad > 0) | compare_moves(bench);
}

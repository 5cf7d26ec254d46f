// Micro-benchmarks of the inner parts: the law over a block of contacts, the turn of a particle, the spatial order and
// the neighbour grid. Build with -DAREIA_BENCH=ON, run build/bench/areia_micro.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <random>

#include "core/aligned.h"
#include "core/rotation.h"
#include "engine/cpu/block_fused.h"
#include "motion/schemes.h"
#include "search/size_class_grid.h"
#include "search/spatial_order.h"

namespace areia {
namespace {

using Block = cpu::ContactBlock;

// Grains of radius 5 mm, a little overlapped and slowly sliding.
std::unique_ptr<Block> some_block(const Interaction& laws) {
  auto block = std::make_unique<Block>();
  block->grid = Grid(1e-3);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> u(-1, 1);
  for (auto& column : block->of)
    for (double& x : column) x = 0;
  for (int k = 0; k < cpu::kBlock; ++k) {
    const Vec3d n = unit(Vec3d{u(random), u(random), u(random)});
    block->set(k, Block::kD, (0.00995 + 2e-5 * u(random)) * n);
    for (const int first : {Block::kDv, Block::kWi, Block::kWj})
      block->set(k, first, {1e-3 * u(random), 1e-3 * u(random), 1e-3 * u(random)});
    for (int c : {Block::kRi, Block::kRj}) block->of[c][k] = 0.005;
    for (int c : {Block::kMi, Block::kMj}) block->of[c][k] = 1 / 1.3e-3;
    for (int c : {Block::kJi, Block::kJj}) block->of[c][k] = 1 / 1.3e-8;
    for (int h = 0; h < laws.history(); ++h) block->history[h][k] = h == 0 ? 5e-5 : h == 1 ? 0.1 : 1e-7 * u(random);
  }
  return block;
}

void laws_over_block(benchmark::State& state, bool ledger) {
  const Material grain{.name = "grain", .density = 2500, .young = 1e7, .poisson = 0.25};
  ContactPair pair;
  pair.normal = {"hertz", {{"xi", 0.2}}, {}};
  pair.tangential = {"coulomb_history", {{"mu", 0.5}, {"xi", 0.2}}, {}};
  const Interaction laws(pair, {grain, grain});
  const auto block = some_block(laws);
  const auto geometry = cpu::pair_geometry(), kinematics = cpu::shared_kinematics();
  const auto normal = cpu::normal_stage("hertz", ledger), tangential = cpu::tangential_stage("coulomb_history", ledger);
  auto call = [&](Slot s) {
    return cpu::BlockCall{laws.part(s)->pair(), 1e-5, 0, cpu::kBlock, laws.scalar_at(s), laws.vector_at(s)};
  };
  for (auto _ : state) {
    geometry(call(kNormal), *block);
    kinematics(call(kNormal), *block);
    normal(call(kNormal), *block);
    tangential(call(kTangential), *block);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * cpu::kBlock);
}
// All in one loop, at a width of the vectors.
void laws_in_one_loop(benchmark::State& state, VectorWidth width) {
  const Material grain{.name = "grain", .density = 2500, .young = 1e7, .poisson = 0.25};
  ContactPair pair;
  pair.normal = {"hertz", {{"xi", 0.2}}, {}};
  pair.tangential = {"coulomb_history", {{"mu", 0.5}, {"xi", 0.2}}, {}};
  const Interaction laws(pair, {grain, grain});
  if (width > widest_vectors()) return state.SkipWithError("this machine has no such vectors");
  const auto block = some_block(laws);
  const auto fused = cpu::fused_stage(pair, true, width);
  cpu::FusedCall call{};
  call.dt = 1e-5;
  call.max_overlap = 0.5;
  call.kick = kick_of(Scheme::drift_kick, call.dt);
  call.lanes = cpu::kBlock;
  call.next_history = &block->scratch[0][0];
  call.begins = false;  // as in nearly all blocks of a bed
  for (const Slot s : {kNormal, kTangential}) {
    call.pair[s] = laws.part(s)->pair();
    call.scalar[s] = laws.scalar_at(s);
    call.vector[s] = laws.vector_at(s);
  }
  for (auto _ : state) {
    fused(call, *block);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * cpu::kBlock);
}
BENCHMARK_CAPTURE(laws_in_one_loop, avx2, VectorWidth::avx2);
BENCHMARK_CAPTURE(laws_in_one_loop, avx512, VectorWidth::avx512);

// What memory gives to one core: a = b + s c over 3 x 64 MB.
void triad(benchmark::State& state) {
  const std::size_t n = 8u << 20;
  LineVector<double> a(n, 1.0), b(n, 2.0), c(n, 3.0);
  for (auto _ : state) {
    for (std::size_t k = 0; k < n; ++k) a[k] = b[k] + 0.5 * c[k];
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * n * 24));
}
BENCHMARK(triad);

BENCHMARK_CAPTURE(laws_over_block, ledger, true);
BENCHMARK_CAPTURE(laws_over_block, plain, false);

void turn(benchmark::State& state) {
  Quat q{1, 0, 0, 0};
  const Vec3d w{1, -2, 3};
  for (auto _ : state) benchmark::DoNotOptimize(q = turned(q, w, 1e-5, true));
}
BENCHMARK(turn);

std::vector<Vec4> random_positions(std::size_t n) {
  const double edge = 0.01 * std::cbrt(static_cast<double>(n));
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> u(0, edge);
  std::vector<Vec4> x(n);
  for (Vec4& p : x) p = {u(random), u(random), u(random), 0.005};
  return x;
}

void order(benchmark::State& state) {
  const auto x = random_positions(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(spatial_order(x, {}, 0.01125));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(order)->Arg(50000);

void grid(benchmark::State& state) {
  const auto x = random_positions(state.range(0));
  for (auto _ : state) {
    SizeClassGrid g;
    g.build(x, 0.00125, {});
    benchmark::DoNotOptimize(g.bytes());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(grid)->Arg(50000);

}  // namespace
}  // namespace areia

BENCHMARK_MAIN();

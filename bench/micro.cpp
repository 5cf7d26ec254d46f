// Micro-benchmarks of the inner parts: the law over a block of contacts, the turn of a particle, the spatial order and
// the neighbour grid. Build with -DAREIA_BENCH=ON, run build/bench/areia_micro.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <random>

#include "core/rotation.h"
#include "engine/cpu/contact_block.h"
#include "search/size_class_grid.h"
#include "search/spatial_order.h"

namespace areia {
namespace {

using Block = cpu::ContactBlock;

// Grains of radius 5 mm, a little overlapped and slowly sliding.
std::unique_ptr<Block> some_block(const Interaction& laws) {
  auto block = std::make_unique<Block>();
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> u(-1, 1);
  for (auto& column : block->of)
    for (double& x : column) x = 0;
  for (int k = 0; k < cpu::kBlock; ++k) {
    const Vec3d n = unit(Vec3d{u(random), u(random), u(random)});
    block->set(k, Block::kD, (0.00995 + 2e-5 * u(random)) * n);
    for (int c = Block::kVi; c < Block::kRi; ++c) block->of[c][k] = 1e-3 * u(random);
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

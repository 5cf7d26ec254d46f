// Micro-benchmarks of the inner parts: the law over a block of contacts, the turn of a particle, the spatial order and
// the neighbour grid. Build with -DAREIA_BENCH=ON, run build/bench/areia_micro.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <random>

#include "core/rotation.h"
#include "engine/cpu/contact_block.h"
#include "physics/hertz.h"
#include "search/size_class_grid.h"
#include "search/spatial_order.h"

namespace areia {
namespace {

using Law = Interaction<Hertz, CoulombHistory, NoRolling>;
using Block = cpu::ContactBlock<Law>;

// Grains of radius 5 mm, a little overlapped and slowly sliding.
std::unique_ptr<Block> some_block() {
  auto block = std::make_unique<Block>();
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> u(-1, 1);
  for (auto& column : block->out.of)
    for (double& x : column) x = 0;
  for (int k = 0; k < cpu::kBlock; ++k) {
    const Vec3d n = unit(Vec3d{u(random), u(random), u(random)});
    block->put(0, 1, Block::kOwn, 0, false, (0.00995 + 2e-5 * u(random)) * n);
    ++block->count;
    for (int c = Block::kVi; c < Block::kRi; ++c) block->in.of[c][k] = 1e-3 * u(random);
    for (int c : {Block::kRi, Block::kRj}) block->in.of[c][k] = 0.005;
    for (int c : {Block::kMi, Block::kMj}) block->in.of[c][k] = 1 / 1.3e-3;
    for (int c : {Block::kJi, Block::kJj}) block->in.of[c][k] = 1 / 1.3e-8;
    for (int h = 0; h < Law::kHistory; ++h) block->history.of[h][k] = h == 0 ? 5e-5 : h == 1 ? 0.1 : 1e-7 * u(random);
  }
  return block;
}

void law_over_block(benchmark::State& state, cpu::EvaluateBlock<Law> evaluate) {
  const auto block = some_block();
  Law::Pair p;
  p.normal = {5.3e6, 0.2, 1};
  p.tangential = {1.1e6, 0.5, 0.5, 0.2, 0};
  for (auto _ : state) {
    evaluate(p, 1e-5, 0, cpu::kBlock, *block);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * cpu::kBlock);
}
BENCHMARK_CAPTURE(law_over_block, ledger_this_cpu, (cpu::evaluate_for_this_cpu<Law, true>()));
BENCHMARK_CAPTURE(law_over_block, ledger_any_cpu, (cpu::evaluate_block<Law, true>));
BENCHMARK_CAPTURE(law_over_block, plain_this_cpu, (cpu::evaluate_for_this_cpu<Law, false>()));

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

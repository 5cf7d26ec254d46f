#include "engine/cpu/block_fused.h"

namespace areia::cpu {
namespace {

#if defined(__x86_64__)
template <class Set, bool kLedger>
[[gnu::target("avx2"), gnu::flatten]] void fused_avx2(const FusedCall& call, ContactBlock& block) {
  run_fused<4, Set, kLedger>(call, block);
}
template <class Set, bool kLedger>
[[gnu::target("avx512f,avx512dq,avx512vl"), gnu::flatten]] void fused_avx512(const FusedCall& call,
                                                                             ContactBlock& block) {
  run_fused<8, Set, kLedger>(call, block);
}
#endif

template <class Set>
FusedStage of_width(bool ledger, VectorWidth width) {
#if defined(__x86_64__)
  if (width == VectorWidth::avx512) return ledger ? fused_avx512<Set, true> : fused_avx512<Set, false>;
  if (width == VectorWidth::avx2) return ledger ? fused_avx2<Set, true> : fused_avx2<Set, false>;
#endif
  return nullptr;
}

}  // namespace

void book_large(ContactBlock& block, const double* amount, unsigned used, int width, int lane) {
  for (int b = 0; b < kBookings; ++b)
    for (int l = 0; (used >> b & 1) != 0 && l < width; ++l) {
      const double a = amount[b * width + l];
      const std::uint64_t raised = block.grid.raised(a);
      if (raised <= Grid::kFits) continue;
      block.sums[b][lane + l] -= raised - Grid::kZero;  // a term of zero is left
      block.booked(b) += a;
    }
}

FusedStage fused_stage(const ContactPair& laws, bool ledger, VectorWidth width) {
  FusedStage stage = nullptr;
  for_each_set(FusedSets{}, [&]<class Set>(Set) {
    if (is_set_of<Set>(laws)) stage = of_width<Set>(ledger, width);
  });
  return stage;
}

}  // namespace areia::cpu

#include "engine/cpu/block_fused.h"

#include "core/transposed.h"

namespace areia::cpu {
namespace {

#if defined(__x86_64__)
template <class Set, bool kLedger>
[[gnu::target("avx2"), gnu::flatten]] void fused_avx2(const FusedCall& call, ContactBlock& block) {
  run_fused<4, Set, kLedger>(call, block);
}
template <class Set, bool kLedger>
AREIA_WIDER void fused_avx512(const FusedCall& call, ContactBlock& block) {
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

void book_large(ContactBlock& block, std::uint32_t lanes, unsigned used) {
  for (int b = 0; b < kBookings; ++b)
    for (std::uint32_t left = used >> b & 1 ? lanes : 0; left != 0; left &= left - 1) {
      const int k = std::countr_zero(left);
      const double a = block.of[ContactBlock::kBooking + b][k];
      const std::uint64_t raised = block.grid.raised(a);
      if (raised <= Grid::kFits) continue;
      block.sums[b][k % kLanes] -= raised - Grid::kZero;  // a term of zero is left
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

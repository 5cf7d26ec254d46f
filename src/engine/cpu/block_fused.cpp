#include "engine/cpu/block_fused.h"

namespace areia::cpu {
namespace {

#if defined(__x86_64__)
template <class N, class T, class R, bool kLedger>
[[gnu::target("avx2"), gnu::flatten]] void fused_avx2(const FusedCall& call, ContactBlock& block) {
  run_fused<4, N, T, R, kLedger>(call, block);
}
template <class N, class T, class R, bool kLedger>
[[gnu::target("avx512f,avx512dq,avx512vl"), gnu::flatten]] void fused_avx512(const FusedCall& call,
                                                                             ContactBlock& block) {
  run_fused<8, N, T, R, kLedger>(call, block);
}
#endif

template <class N, class T, class R>
FusedStage of_width(bool ledger, VectorWidth width) {
#if defined(__x86_64__)
  if (width == VectorWidth::avx512) return ledger ? fused_avx512<N, T, R, true> : fused_avx512<N, T, R, false>;
  if (width == VectorWidth::avx2) return ledger ? fused_avx2<N, T, R, true> : fused_avx2<N, T, R, false>;
#endif
  return nullptr;
}

}  // namespace

void book_large(ContactBlock& block, const double* amount, int bookings, int width, int lane) {
  for (int b = 0; b < bookings; ++b)
    for (int l = 0; l < width; ++l) {
      const double a = amount[b * width + l];
      const std::uint64_t raised = block.grid.raised(a);
      if (raised <= Grid::kFits) continue;
      // modulo 2^64, as it was added
      auto& sum = block.sums[b][lane + l];
      sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) - (raised - Grid::kZero));
      block.booked(b) += a;
    }
}

FusedStage fused_stage(const std::string& normal, const std::string& tangential, const std::string& rolling,
                       bool ledger, VectorWidth width) {
  if (tangential != CoulombHistory::kInfo.name) return nullptr;
  const bool rolls = !rolling.empty() && rolling != "none";
  if (normal == Linear::kInfo.name && !rolls) return of_width<Linear, CoulombHistory, NoLaw>(ledger, width);
  if (normal != Hertz::kInfo.name) return nullptr;
  if (!rolls) return of_width<Hertz, CoulombHistory, NoLaw>(ledger, width);
  if (rolling == RollingConstant::kInfo.name) return of_width<Hertz, CoulombHistory, RollingConstant>(ledger, width);
  if (rolling == RollingEpsd::kInfo.name) return of_width<Hertz, CoulombHistory, RollingEpsd>(ledger, width);
  return nullptr;
}

}  // namespace areia::cpu

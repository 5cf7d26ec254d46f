// Series that a run writes by itself, as NAME.csv, and collections of its frames, as NAME.pvd; measures that write such
// files cannot have these names.
#pragma once
#include <array>
#include <string_view>

namespace areia {

inline constexpr std::string_view kEnergySeries = "energy", kStateSeries = "state", kWallSeries = "walls",
                                  kParticleSeries = "particles", kBreakSeries = "breaks", kImplicitSeries = "implicit",
                                  kStageSeries = "stages", kCellSeries = "cell";
inline constexpr std::array kOwnSeries{kEnergySeries, kStateSeries,    kWallSeries,  kParticleSeries,
                                       kBreakSeries,  kImplicitSeries, kStageSeries, kCellSeries};
inline constexpr std::array<std::string_view, 5> kFrameFiles{"particles", "contacts", "walls", "bonds", "all"};

}  // namespace areia

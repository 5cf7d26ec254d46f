// Series that a run writes by itself, as NAME.csv; measures cannot have these names.
#pragma once
#include <array>
#include <string_view>

namespace areia {

inline constexpr std::string_view kEnergySeries = "energy", kStateSeries = "state", kWallSeries = "walls",
                                  kParticleSeries = "particles", kBreakSeries = "breaks", kImplicitSeries = "implicit",
                                  kStageSeries = "stages";
inline constexpr std::array kOwnSeries{kEnergySeries, kStateSeries,    kWallSeries, kParticleSeries,
                                       kBreakSeries,  kImplicitSeries, kStageSeries};

}  // namespace areia

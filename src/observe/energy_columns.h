// The entries of the energy ledger by name, in the order in which files carry them.
#pragma once
#include <array>
#include <string_view>

#include "areia/frame.h"

namespace areia {

struct EnergyColumn {
  std::string_view name;
  double Energy::*member;
};

inline constexpr std::array kEnergyColumns{
    EnergyColumn{"kinetic", &Energy::kinetic},
    EnergyColumn{"rotational", &Energy::rotational},
    EnergyColumn{"potential", &Energy::potential},
    EnergyColumn{"elastic_normal", &Energy::elastic_normal},
    EnergyColumn{"elastic_tangential", &Energy::elastic_tangential},
    EnergyColumn{"elastic_rolling", &Energy::elastic_rolling},
    EnergyColumn{"adhesive", &Energy::adhesive},
    EnergyColumn{"distant", &Energy::distant},
    EnergyColumn{"bonds", &Energy::bonds},
    EnergyColumn{"damping", &Energy::damping},
    EnergyColumn{"sliding", &Energy::sliding},
    EnergyColumn{"rolling", &Energy::rolling},
    EnergyColumn{"adhesion", &Energy::adhesion},
    EnergyColumn{"bond_damping", &Energy::bond_damping},
    EnergyColumn{"broken", &Energy::broken},
    EnergyColumn{"drag", &Energy::drag},
    EnergyColumn{"wall_work", &Energy::wall_work},
    EnergyColumn{"field_work", &Energy::field_work},
    EnergyColumn{"removed", &Energy::removed},
    EnergyColumn{"numerical", &Energy::numerical},
    EnergyColumn{"initial", &Energy::initial},
    EnergyColumn{"turned_over", &Energy::turned_over},
    EnergyColumn{"residual", &Energy::residual},
};

// A new entry of the ledger must get its line above, or it would be lost in silence.
static_assert(sizeof(Energy) == kEnergyColumns.size() * sizeof(double));

}  // namespace areia

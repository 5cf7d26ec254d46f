// The entries of the energy ledger by name, in the order in which files carry them.
#pragma once
#include <array>
#include <string_view>

#include "areia/frame.h"

namespace areia {

struct EnergyField {
  std::string_view name;
  double Energy::*member;
};

inline constexpr std::array kEnergyFields{
    EnergyField{"kinetic", &Energy::kinetic},
    EnergyField{"rotational", &Energy::rotational},
    EnergyField{"potential", &Energy::potential},
    EnergyField{"elastic_normal", &Energy::elastic_normal},
    EnergyField{"elastic_tangential", &Energy::elastic_tangential},
    EnergyField{"elastic_rolling", &Energy::elastic_rolling},
    EnergyField{"adhesive", &Energy::adhesive},
    EnergyField{"distant", &Energy::distant},
    EnergyField{"bonds", &Energy::bonds},
    EnergyField{"damping", &Energy::damping},
    EnergyField{"sliding", &Energy::sliding},
    EnergyField{"rolling", &Energy::rolling},
    EnergyField{"adhesion", &Energy::adhesion},
    EnergyField{"bond_damping", &Energy::bond_damping},
    EnergyField{"broken", &Energy::broken},
    EnergyField{"drag", &Energy::drag},
    EnergyField{"wall_work", &Energy::wall_work},
    EnergyField{"field_work", &Energy::field_work},
    EnergyField{"removed", &Energy::removed},
    EnergyField{"numerical", &Energy::numerical},
    EnergyField{"initial", &Energy::initial},
    EnergyField{"turned_over", &Energy::turned_over},
    EnergyField{"residual", &Energy::residual},
};

// A new entry of the ledger must get its line above, or it would be lost in silence.
static_assert(sizeof(Energy) == kEnergyFields.size() * sizeof(double));

}  // namespace areia

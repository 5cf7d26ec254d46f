#pragma once

namespace areia {
class Rules;
void check_bonds(Rules& r);
}  // namespace areia

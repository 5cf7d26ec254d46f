#pragma once

namespace areia {
class Rules;
void check_loading(Rules& r);
}  // namespace areia

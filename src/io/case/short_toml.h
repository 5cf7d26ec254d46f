// A case as a person would write it.
#pragma once
#include <string>

#include "areia/case.h"

namespace areia {

// What differs from its default, in SI units; reads back to the same Case. to_toml writes every key.
std::string to_short_toml(const Case& c);

}  // namespace areia

// The rules of a case about names and values that depend on each other.
#pragma once
#include <vector>

#include "areia/case.h"
#include "areia/error.h"

namespace areia {

std::vector<Problem> check_relations(const Case& c);

}  // namespace areia

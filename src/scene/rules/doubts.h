// What is possible and probably not meant, told before anything is computed.
#pragma once
#include <string>
#include <vector>

#include "areia/case.h"

namespace areia {

std::vector<std::string> doubts(const Case& c);

}  // namespace areia

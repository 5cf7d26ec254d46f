// A script for ParaView that shows a results folder as it should look: grains as spheres, walls one can look through,
// contacts as force chains, bonds.
#pragma once
#include <string>

#include "areia/case.h"

namespace areia {

inline constexpr const char* kParaViewScript = "view.py";

std::string paraview_script(const Case& c);

}  // namespace areia

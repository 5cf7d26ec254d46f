// Tabulated motions as comma separated values.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "areia/case.h"
#include "areia/error.h"

namespace areia::io {

// Columns t, x, y, z (m), ax, ay, az (rotation vector, rad), named in the header; those left out are 0.
void parse_motion_csv(std::string_view text, const std::string& file, std::vector<MotionRow>& rows,
                      std::vector<Problem>& problems);

}  // namespace areia::io

// Particles as comma separated values: a header that names the columns, then one line per particle, in SI units.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "areia/case.h"
#include "areia/error.h"

namespace areia::io {

// Appends the particles of `text`; problems carry `file` and the line counted from `first_line` (0: no lines).
void parse_particle_csv(std::string_view text, const std::string& file, int first_line,
                        std::vector<ListedParticle>& particles, std::vector<Problem>& problems);

std::string write_particle_csv(const std::vector<ListedParticle>& particles);

// The whole of a regular file, or the reason why not.
std::optional<std::string> read_text_file(const std::filesystem::path& file, std::string& why);

}  // namespace areia::io

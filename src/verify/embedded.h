// Files compiled into the program: reference values and case files of verified examples, and as impact/NAME.toml the
// cases of the impact lab (cmake/embed.cmake).
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace areia::verify {

std::vector<std::string> embedded_names();
std::string_view embedded_file(const std::string& name);  // throws Error for an unknown name

}  // namespace areia::verify

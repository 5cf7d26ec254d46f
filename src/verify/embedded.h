// Files compiled into the program: reference values and case files of verified examples (cmake/embed.cmake).
#pragma once
#include <string>
#include <string_view>

namespace areia::verify {

std::string_view embedded_file(const std::string& name);  // throws Error for an unknown name

}  // namespace areia::verify

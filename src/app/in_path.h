// Other programs, where a shell would find them.
#pragma once
#include <filesystem>
#include <string>

namespace areia::app {

// The file of a program in the folders of PATH; empty where there is none.
std::filesystem::path in_path(const std::string& program);

}  // namespace areia::app

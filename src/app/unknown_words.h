// Commands and options that do not exist, told with the nearest one that does.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace areia::app {

// What is wrong with the command line, or "" where the parser knows better.
std::string unknown_word(const CLI::App& app, int argc, const char* const* argv);

}  // namespace areia::app

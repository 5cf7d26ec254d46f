// What the command line understands, as plain descriptions: made from the definitions of the commands, for the manual
// pages and the completion of shells.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace areia::app {

// What a shell can offer for a value, told by the name of its type at the option (commands.h).
enum class Offer { nothing, choices, file, folder, key, example };

struct OptionWords {
  std::vector<std::string> names;  // "--out"; of a positional its one name, without dashes
  bool positional = false, required = false, many = false, takes_value = false;
  std::string value;  // how the manual writes it: FILE, NUMBER
  std::vector<std::string> choices;
  Offer offer = Offer::nothing;
  std::string help;
};

struct CommandWords {
  std::vector<std::string> path;  // {"areia", "impact", "run"}
  std::string help, footer;
  std::vector<OptionWords> options;
  std::vector<CommandWords> commands;

  std::string name(const char* between = " ") const;
};

// Without what is hidden.
CommandWords words_of(const CLI::App& app);

// A manual page in roff.
std::string manual_page(const CommandWords& command);

// A script for one of kShells.
inline constexpr const char* kShells[] = {"bash", "zsh", "fish"};
std::string completion_script(const CommandWords& program, const std::string& shell);

}  // namespace areia::app

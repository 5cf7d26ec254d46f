#include "app/unknown_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/suggest.h"

namespace areia::app {
namespace {

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(one->get_name());
  return names;
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* one : app.get_options())
    for (const std::string& name : one->get_lnames()) names.push_back("--" + name);
  return names;
}

}  // namespace

std::string unknown_word(const CLI::App& app, int argc, const char* const* argv) {
  const CLI::App* at = &app;
  std::string command = "areia";
  int k = 1;
  for (; k < argc; ++k) {
    const std::vector<std::string> commands = commands_of(*at);
    const std::string word = argv[k];
    if (commands.empty() || word.starts_with('-')) break;
    const auto found = std::find(commands.begin(), commands.end(), word);
    if (found == commands.end())
      return fmt::format("{}: there is no command `{}`{}; `{} --help` lists them", command, word,
                         suggestion(word, commands), command);
    at = at->get_subcommand(word);
    command += " " + word;
  }
  const std::vector<std::string> options = options_of(*at);
  for (; k < argc; ++k) {
    const std::string word = argv[k], name = word.substr(0, word.find('='));
    if (word == "--") break;
    if (!name.starts_with("--") || std::find(options.begin(), options.end(), name) != options.end()) continue;
    return fmt::format("{}: there is no option `{}`{}; `{} --help` lists them", command, name,
                       suggestion(name, options), command);
  }
  return "";
}

}  // namespace areia::app

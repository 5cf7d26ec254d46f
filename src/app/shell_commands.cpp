// areia man, completion: manual pages and completion scripts, made from the commands themselves.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "app/command_words.h"
#include "app/commands.h"
#include "app/print.h"
#include "io/case/case_document.h"
#include "io/files/atomic_file.h"
#include "io/files/manifest.h"
#include "run/examples.h"

namespace areia::app {
namespace {

namespace fs = std::filesystem;

// ---- areia man ----

void write_pages(const CommandWords& command, const fs::path& folder) {
  write_file_atomically(folder / (command.name("-") + ".1"), manual_page(command));
  for (const CommandWords& one : command.commands) write_pages(one, folder);
}

int man(const CommandWords& program, const std::vector<std::string>& names, const std::string& folder) {
  if (!folder.empty()) {
    fs::create_directories(folder);
    write_pages(program, folder);
    return kDone;
  }
  const CommandWords* at = &program;
  for (const std::string& name : names) {
    const CommandWords* found = nullptr;
    for (const CommandWords& one : at->commands)
      if (one.path.back() == name) found = &one;
    if (!found) throw InputError("man", name, fmt::format("`{}` has no such command", at->name()));
    at = found;
  }
  write_output(manual_page(*at));
  return kDone;
}

// ---- areia completion ----

constexpr std::size_t kMostKeys = 4000;

void add_keys(const toml::node& node, const std::string& path, std::vector<std::string>& keys) {
  if (keys.size() >= kMostKeys) return;
  if (const toml::table* table = node.as_table()) {
    for (const auto& [key, value] : *table)
      add_keys(value, (path.empty() ? "" : path + ".") + std::string(key.str()), keys);
    return;
  }
  const toml::array* array = node.as_array();
  if (array && array->is_array_of_tables()) {
    for (std::size_t k = 0; k < array->size(); ++k) {
      const toml::node* name = (*array)[k].as_table()->get("name");
      const auto word = name ? name->value<std::string>() : std::nullopt;
      add_keys((*array)[k], word ? path + "." + *word : fmt::format("{}[{}]", path, k), keys);
    }
    return;
  }
  keys.push_back(path + "=");
}

// Those of the complete case, defaults included; without a name, and for a case that has problems, those of the starter
// case; of a file that is not there none. It is a shell that asks: nothing is said.
std::vector<std::string> keys_of(const std::string& file) {
  std::error_code error;
  if (!file.empty() && !fs::exists(file, error)) return {};
  std::vector<std::string> keys;
  const auto add = [&](const std::string& text) {
    const io::CaseDocument document(text, "case");
    if (const toml::node* root = document.find({})) add_keys(*root, "", keys);
  };
  try {
    if (!file.empty()) add(to_toml(read_case(file)));
  } catch (const Error&) {}
  if (keys.empty()) add(to_toml(parse_case(starter_case(), "case")));
  return keys;
}

int completion(const CommandWords& program, const std::string& shell, const std::optional<std::string>& file,
               bool examples) {
  if (file) {
    for (const std::string& key : keys_of(*file)) print("{}\n", key);
  } else if (examples) {
    for (const Example& e : find_examples()) print("{}\n", e.name);
  } else if (shell.empty()) {
    throw InputError("completion", "", "for which shell? bash, zsh or fish");
  } else {
    write_output(completion_script(program, shell));
  }
  return kDone;
}

}  // namespace

void add_shell_commands(CLI::App& app, int& exit_code) {
  auto names = std::make_shared<std::vector<std::string>>();
  auto folder = std::make_shared<std::string>();
  CLI::App* c = app.add_subcommand("man", "print a page of the manual, as man reads it");
  c->add_option("command", *names, "command, such as `run` or `impact run`; default: the program");
  c->add_option("--out", *folder, "write all pages to this folder")->type_name(kFolder);
  c->footer("areia man run | man -l - shows a page.");
  c->callback([=, &app, &exit_code] { exit_code = man(words_of(app), *names, *folder); });

  auto shell = std::make_shared<std::string>();
  auto file = std::make_shared<std::optional<std::string>>();
  auto examples = std::make_shared<bool>(false);
  c = app.add_subcommand("completion", "print a script that completes command lines in a shell");
  c->add_option("shell", *shell, "the shell")->check(CLI::IsMember({kShells[0], kShells[1], kShells[2]}));
  c->add_option("--keys", *file)->group("")->expected(1);
  c->add_flag("--examples", *examples)->group("");
  c->footer("bash: source <(areia completion bash). An installed program brings these scripts along.");
  c->callback([=, &app, &exit_code] { exit_code = completion(words_of(app), *shell, *file, *examples); });
}

}  // namespace areia::app

// areia view: ParaView on a results folder, with the script that the run left there.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "app/commands.h"
#include "app/print.h"
#include "app/results.h"
#include "run/paraview_script.h"

namespace areia::app {
namespace {

namespace fs = std::filesystem;

int view(const std::string& results) {
  require_folder(results);
  const fs::path script = fs::absolute(fs::path(results)) / kParaViewScript;
  if (!fs::is_regular_file(script))
    throw FileError(fmt::format("{}: not there; `areia run` of this version writes it", script.string()));
  setenv("AREIA_RESULTS", script.parent_path().c_str(), 1);  // a script that ParaView starts does not know its file
  const std::string option = "--script=" + script.string();
  finish_output();
  execlp("paraview", "paraview", option.c_str(), nullptr);
  if (errno != ENOENT) throw FileError(fmt::format("paraview: {}", std::strerror(errno)));
  throw FileError(fmt::format(
      "ParaView is not installed, or not on the PATH (Debian: apt install paraview); `areia render {}` draws a "
      "picture without it",
      results));
}

}  // namespace

void add_view(CLI::App& app, int& exit_code) {
  auto results = std::make_shared<std::string>();
  CLI::App* c = app.add_subcommand("view", "show a results folder in ParaView");
  c->add_option("results", *results, "results folder")->type_name(kFolder)->required();
  c->callback([=, &exit_code] { exit_code = view(*results); });
}

}  // namespace areia::app

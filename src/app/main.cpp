// areia: the command line. Only this folder prints and chooses exit codes.
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "app/commands.h"
#include "areia/error.h"
#include "areia/version.h"

using namespace areia;

int main(int argc, char** argv) {
  CLI::App app{"Areia: discrete element simulation of granular materials"};
  app.set_version_flag("--version", kVersion);
  app.require_subcommand(1);
  int exit_code = app::kDone;
  try {
    app::add_run(app, exit_code);
    app::add_check(app, exit_code);
    app::add_render(app, exit_code);
    app::add_import(app, exit_code);
    app::add_mesh(app, exit_code);
    app::add_verify(app, exit_code);
    app::add_impact(app, exit_code);
    app::add_small_commands(app, exit_code);
    app::add_impact_lab(app, exit_code);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? app::kDone : app::kWrongInput;
  } catch (const InputError& e) {
    fmt::print(stderr, "{}\n", e.what());
    fmt::print(stderr, "{} problem{}; nothing was run\n", e.problems.size(), e.problems.size() == 1 ? "" : "s");
    return app::kWrongInput;
  } catch (const StoppedError& e) {
    fmt::print(stderr, "stopped: {}\n", e.what());
    return app::kStopped;
  } catch (const FileError& e) {
    fmt::print(stderr, "files: {}\n", e.what());
    return app::kFiles;
  } catch (const std::filesystem::filesystem_error& e) {
    fmt::print(stderr, "files: {}\n", e.what());
    return app::kFiles;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "stopped: out of memory\n");
    return app::kStopped;
  } catch (const std::exception& e) {
    fmt::print(stderr, "areia has a defect, please report it: {}\n", e.what());
    return app::kDefect;
  }
  return exit_code;
}

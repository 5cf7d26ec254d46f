// areia: the command line. Only this folder prints and chooses exit codes.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "app/commands.h"
#include "app/print.h"
#include "areia/error.h"
#include "areia/version.h"

using namespace areia;

static int run_command(int argc, char** argv) {
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
    app::tell("{}\n", e.what());
    app::tell("{} problem{}; nothing was run\n", e.problems.size(), e.problems.size() == 1 ? "" : "s");
    return app::kWrongInput;
  } catch (const StoppedError& e) {
    app::tell("stopped: {}\n", e.what());
    return app::kStopped;
  } catch (const FileError& e) {
    app::tell("files: {}\n", e.what());
    return app::kFiles;
  } catch (const std::filesystem::filesystem_error& e) {
    app::tell("files: {}\n", e.what());
    return app::kFiles;
  } catch (const std::bad_alloc&) {
    app::tell("stopped: out of memory\n");
    return app::kStopped;
  } catch (const std::exception& e) {
    app::tell("areia has a defect, please report it: {}\n", e.what());
    return app::kDefect;
  }
  return exit_code;
}

int main(int argc, char** argv) {
  app::prepare_streams();
  const int exit_code = run_command(argc, argv);
  const int error = app::finish_output();
  if (error == 0 || exit_code != app::kDone) return exit_code;
  // a reader that has seen enough needs no message
  if (error != EPIPE) app::tell("files: cannot write to standard output: {}\n", std::strerror(error));
  return app::kFiles;
}

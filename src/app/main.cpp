// areia: the command line. Only this folder prints and chooses exit codes.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <system_error>

#include "app/commands.h"
#include "areia/error.h"
#include "areia/version.h"

using namespace areia;

namespace {

constexpr char kOutOfMemory[] = "stopped: out of memory\n";

// Where an exception has nowhere to go, before main or within a destructor. Memory that cannot be had is no defect.
[[noreturn]] void end_without_hope() {
  try {
    if (const std::exception_ptr e = std::current_exception()) std::rethrow_exception(e);
  } catch (const std::bad_alloc&) {
    if (::write(STDERR_FILENO, kOutOfMemory, sizeof kOutOfMemory - 1) < 0) {}
    std::_Exit(app::kStopped);
  } catch (...) {}
  std::abort();
}

[[gnu::constructor(101)]] void before_all_others() { std::set_terminate(end_without_hope); }

int run(int argc, char** argv) {
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
  } catch (const std::system_error& e) {
    if (e.code() != std::errc::resource_unavailable_try_again) throw;
    fmt::print(stderr, "stopped: the system gives no more threads ({})\n", e.what());
    return app::kStopped;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs(kOutOfMemory, stderr);
    return app::kStopped;
  } catch (const std::exception& e) {
    fmt::print(stderr, "areia has a defect, please report it: {}\n", e.what());
    return app::kDefect;
  }
}

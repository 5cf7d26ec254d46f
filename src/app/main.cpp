// areia: the command line. Only this folder prints and chooses exit codes.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include "app/commands.h"
#include "app/print.h"
#include "app/ranks.h"
#include "app/unknown_words.h"
#include "areia/error.h"
#include "areia/version.h"

using namespace areia;

namespace {

constexpr char kOutOfMemory[] = "stopped: out of memory\n";

thread_local bool memory_was_refused = false;

[[noreturn]] void end_out_of_memory() {
  if (::write(STDERR_FILENO, kOutOfMemory, sizeof kOutOfMemory - 1) < 0) {}
  std::_Exit(app::kStopped);
}

// Where an exception has nowhere to go: before main, within a destructor or a function that is noexcept. Memory that
// cannot be had is no defect. What leaves a noexcept function that gcc 12 has inlined is not caught before it calls
// this, so it is on its way, and has no type here.
[[noreturn]] void end_without_hope() {
  try {
    if (const std::exception_ptr e = std::current_exception()) std::rethrow_exception(e);
    if (std::uncaught_exceptions() > 0 && memory_was_refused) end_out_of_memory();
  } catch (const std::bad_alloc&) { end_out_of_memory(); } catch (...) {
  }
  std::abort();
}

[[gnu::constructor(101)]] void before_all_others() {
  std::set_terminate(end_without_hope);
  std::set_new_handler([] {
    memory_was_refused = true;
    throw std::bad_alloc();
  });
}

int run(int argc, char** argv) {
  CLI::App app{"Areia: discrete element simulation of granular materials", "areia"};
  app.set_version_flag("--version", kVersion);
  app.require_subcommand(1);
  int exit_code = app::kDone;
  try {
    app::add_run(app, exit_code);
    app::add_check(app, exit_code);
    app::add_render(app, exit_code);
    app::add_film(app, exit_code);
    app::add_view(app, exit_code);
    app::add_plot(app, exit_code);
    app::add_report(app, exit_code);
    app::add_studio(app, exit_code);
    app::add_import(app, exit_code);
    app::add_export(app, exit_code);
    app::add_mesh(app, exit_code);
    app::add_materials(app, exit_code);
    app::add_verify(app, exit_code);
    app::add_impact(app, exit_code);
    app::add_small_commands(app, exit_code);
    app::add_impact_lab(app, exit_code);
    app::add_doctor(app, exit_code);
    app::add_shell_commands(app, exit_code);
    if (argc == 1) {
      app::print("{}", app.help());
      return app::kDone;
    }
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e) == 0 ? app::kDone : app::kWrongInput;  // help and version
    if (const std::string why = app::unknown_word(app, argc, argv); !why.empty()) {
      app::tell_alarm("{}\n", why);
      return app::kWrongInput;
    }
    app.exit(e);
    return app::kWrongInput;
  } catch (const InputError& e) {
    app::tell_alarm("{}\n", e.what());
    app::tell("{} problem{}; nothing was run\n", e.problems.size(), e.problems.size() == 1 ? "" : "s");
    return app::kWrongInput;
  } catch (const StoppedError& e) {
    app::tell_alarm("stopped: {}\n", e.what());
    return app::kStopped;
  } catch (const FileError& e) {
    app::tell_alarm("files: {}\n", e.what());
    return app::kFiles;
  } catch (const std::filesystem::filesystem_error& e) {
    app::tell_alarm("files: {}\n", e.what());
    return app::kFiles;
  } catch (const std::system_error& e) {
    if (e.code() != std::errc::resource_unavailable_try_again) throw;
    app::tell_alarm("stopped: the system gives no more threads ({})\n", e.what());
    return app::kStopped;
  }
  return exit_code;
}

int run_to_the_end(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs(kOutOfMemory, stderr);
    return app::kStopped;
  } catch (const std::exception& e) {
    app::tell_alarm("areia has a defect, please report it: {}\n", e.what());
    return app::kDefect;
  }
}

}  // namespace

int main(int argc, char** argv) {
  app::prepare_streams();
  const int exit_code = app::on_ranks(argc, argv, run_to_the_end);
  const int error = app::finish_output();
  if (error == 0 || exit_code != app::kDone) return exit_code;
  // a reader that has seen enough needs no message
  if (error != EPIPE) app::tell_alarm("files: cannot write to standard output: {}\n", std::strerror(error));
  return app::kFiles;
}

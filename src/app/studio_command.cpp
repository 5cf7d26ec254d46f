// areia studio: a server for the browser, on a folder with results.
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "app/commands.h"
#include "app/print.h"
#include "areia/error.h"
#include "studio/page.h"
#include "studio/server.h"

namespace areia::app {
namespace {

struct Arguments {
  std::string folder = ".";
  std::optional<std::uint16_t> port;
  bool open = false;
};

void start_browser(const std::string& address) {
  std::string program = "xdg-open", text = address;
  char* words[] = {program.data(), text.data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, words, environ) != 0)
    tell("xdg-open is not there; please open the address yourself\n");
}

int serve(const Arguments& a) {
  if (studio::studio_page().html_gzipped.empty()) {
    tell_alarm("this build has no studio: Node.js and npm were not there when it was configured\n");
    return kWrongInput;
  }
  studio::serve({a.folder, a.port, [&](std::uint16_t port, const std::string& token) {
                   const std::string address = fmt::format("http://127.0.0.1:{}/?token={}", port, token);
                   print("studio    {}\n", address);
                   print("remote    ssh -L {0}:127.0.0.1:{0} THIS_MACHINE, then the same address there\n", port);
                   print("Ctrl-C ends it; runs go on\n");
                   finish_output();
                   if (a.open) start_browser(address);
                 }});
  return kDone;
}

}  // namespace

void add_studio(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* c = app.add_subcommand("studio", "look at results, edit and run cases in the browser");
  c->add_option("folder", a->folder, "folder with results folders, or one of them; default: the present one")
      ->type_name(kFolder);
  c->add_option("--port", a->port,
                fmt::format("port on 127.0.0.1; default: {}, or any that is free", studio::kUsualPort));
  c->add_flag("--open", a->open, "start the browser");
  c->callback([a, &exit_code] { exit_code = serve(*a); });
}

}  // namespace areia::app

#include "app/ranks.h"

#include <csignal>
#include <string_view>

#include "app/commands.h"
#include "app/print.h"
#include "areia/error.h"
#include "engine/ranks/plugin.h"
#include "engine/ranks/rank_backend.h"

namespace areia::app {

namespace {

// Signals that ask for a checkpoint and an end are those of the first rank, which tells the others when to stop.
int serve() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) std::signal(signal, SIG_IGN);
  ranks::serve(ranks::join());
  ranks::leave(0);
  return kDone;
}

}  // namespace

int on_ranks(int argc, char** argv, int (*run)(int, char**)) {
  const ranks::Started here = ranks::started();
  if (here.count == 1) return run(argc, argv);
  const bool leads = here.rank == 0;
  if (argc < 2 || std::string_view(argv[1]) != "run") return leads ? run(argc, argv) : int{kDone};
  try {
    ranks::join();
  } catch (const InputError& e) {
    if (leads) tell_alarm("{}\n", e.what());
    return kWrongInput;
  }
  if (!leads) return serve();
  const int exit_code = run(argc, argv);
  if (ranks::join().is_given_up()) {
    ranks::leave(exit_code == kDone ? int{kDefect} : exit_code);
  } else {
    ranks::dismiss(ranks::join());
    ranks::leave(0);
  }
  return exit_code;
}

ranks::Link* link_to_ranks() { return ranks::has_joined() ? &ranks::join() : nullptr; }

}  // namespace areia::app

#include "engine/ranks/plugin.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <memory>

#include "areia/error.h"
#include "areia/version.h"
#include "engine/plugin_file.h"

namespace areia::ranks {

namespace {

struct Library {
  Link* (*join)() = nullptr;
  void (*leave)(int) = nullptr;
};

std::unique_ptr<Link> joined;
Library library;

Library open_library(int count) {
  const auto refuse = [&](const std::string& why) {
    throw InputError("ranks", fmt::format("{}", count),
                     fmt::format("this program was started {} times as one run, and cannot join: {}", count, why));
  };
  std::string why_not;
  void* const file = open_plugin("libareia_mpi.so", "AREIA_MPI", true, why_not);
  if (!file) refuse(why_not);
  const auto version = plugin_function<const char* (*)()>(file, "areia_mpi_version");
  const Library l{plugin_function<Link* (*)()>(file, "areia_mpi_join"),
                  plugin_function<void (*)(int)>(file, "areia_mpi_leave")};
  const std::string wanted = fmt::format("{} {}", kVersion, kLinkInterface);
  if (!version || !l.join || !l.leave || version() != wanted)
    refuse(fmt::format("the library of MPI belongs to version {}, not {}", version ? version() : "unknown", wanted));
  return l;
}

}  // namespace

// By Open MPI, by those that follow MPICH and by Slurm.
Started started() {
  constexpr std::array<std::array<const char*, 2>, 3> kNames{{{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                                              {"PMI_RANK", "PMI_SIZE"},
                                                              {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}}};
  for (const auto& [rank, count] : kNames) {
    const char *r = std::getenv(rank), *n = std::getenv(count);
    if (!r || !n) continue;
    const Started s{std::atoi(r), std::atoi(n)};
    if (s.count > 1 && s.rank >= 0 && s.rank < s.count) return s;
  }
  return {};
}

Link& join() {
  if (joined) return *joined;
  library = open_library(started().count);
  joined.reset(library.join());
  if (!joined) throw InputError("ranks", fmt::format("{}", started().count), "MPI does not start");
  return *joined;
}

bool has_joined() { return joined != nullptr; }

void leave(int exit_code) {
  if (!joined) return;
  joined.reset();
  library.leave(exit_code);
}

}  // namespace areia::ranks

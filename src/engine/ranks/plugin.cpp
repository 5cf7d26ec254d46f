#include "engine/ranks/plugin.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "areia/error.h"
#include "areia/version.h"
#include "engine/plugin_file.h"

namespace areia::ranks {

namespace {

struct Library {
  Link* (*join)() = nullptr;
  void (*leave)(int) = nullptr;
  FoundMpi found;
};

Library open_library() {
  Library l;
  void* const file = open_plugin("libareia_mpi.so", "AREIA_MPI", true, l.found.why_not);
  if (!file) return l;
  const auto version = plugin_function<const char* (*)()>(file, "areia_mpi_version");
  const auto name = plugin_function<const char* (*)()>(file, "areia_mpi_name");
  l.join = plugin_function<Link* (*)()>(file, "areia_mpi_join");
  l.leave = plugin_function<void (*)(int)>(file, "areia_mpi_leave");
  const std::string wanted = fmt::format("{} {}", kVersion, kLinkInterface);
  if (version && name && l.join && l.leave && version() == wanted) l.found.name = name();
  else
    l.found.why_not =
        fmt::format("the library of MPI belongs to version {}, not {}", version ? version() : "unknown", wanted);
  return l;
}

const Library& library() {
  static const Library one = open_library();
  return one;
}

std::unique_ptr<Link> joined;

}  // namespace

// By Open MPI, by those that follow MPICH and by Slurm. Who starts many runs by them says that they are many.
Started started() {
  if (const char* given = std::getenv("AREIA_MPI"); given && std::string_view(given) == "off") return {};
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

FoundMpi found_mpi() { return library().found; }

Link& join() {
  if (joined) return *joined;
  const std::string count = fmt::format("{}", started().count);
  if (library().found.name.empty())
    throw InputError("ranks", count,
                     fmt::format("this program was started {} times as one run, and cannot join: {}", count,
                                 library().found.why_not));
  joined.reset(library().join());
  if (!joined) throw InputError("ranks", count, "MPI does not start");
  return *joined;
}

bool has_joined() { return joined != nullptr; }

void leave(int exit_code) {
  if (!joined) return;
  joined.reset();
  library().leave(exit_code);
}

}  // namespace areia::ranks

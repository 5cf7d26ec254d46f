// The command line as one of several processes that mpirun or srun has started together.
#pragma once
#include "engine/ranks/link.h"

namespace areia::app {

// Calls run(argc, argv) on the first of them; in `areia run` the others take part, in other commands they end. Returns
// the exit code.
int on_ranks(int argc, char** argv, int (*run)(int, char**));

// The others, for the run that on_ranks() has begun; null where this process is alone.
ranks::Link* link_to_ranks();

}  // namespace areia::app

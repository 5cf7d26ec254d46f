// The ranks of this process: MPI is in a library that is opened when mpirun or srun has started the program as one of
// several. Otherwise nothing of it is looked for.
#pragma once
#include <string>

#include "engine/ranks/link.h"

namespace areia::ranks {

// Of Link: to be raised when it changes.
inline constexpr int kLinkInterface = 1;

// What the environment tells, without asking MPI: the number of this process among those that were started together,
// and how many these are. 1: it is alone, or nobody tells.
struct Started {
  int rank = 0, count = 1;
};
Started started();

struct FoundMpi {
  std::string name;     // of the library; empty: there is none
  std::string why_not;  // then, in words
};
FoundMpi found_mpi();

// Joins the others; once per process, where started() tells of several. Throws InputError where there is no MPI.
Link& join();
bool has_joined();
// The end of a process that has joined. With an exit code, where the others cannot be brought to an end by word, they
// are ended as they are; it may not return.
void leave(int exit_code);

}  // namespace areia::ranks

// How many cores a run may use: those that the system lets it run on, and no more than whoever started it says.
#pragma once
#include <string>

namespace areia {

struct Cores {
  int count = 1;
  std::string reason;
};

// The least of: cores that the process may run on, OMP_NUM_THREADS (of a list the first number), SLURM_CPUS_PER_TASK,
// and the quota of the control group, a line of two numbers, "200000 100000" for two cores or "max 100000" for no
// limit. What is not there is empty; what is not a number above 0 is as good as not there.
Cores cores_within(int seen, const std::string& omp, const std::string& slurm, const std::string& quota);

Cores usable_cores();

}  // namespace areia

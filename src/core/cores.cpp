#include "core/cores.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace areia {

namespace {

// 0: it does not say.
int number_of(const std::string& text) {
  char* end = nullptr;
  const long n = std::strtol(text.c_str(), &end, 10);
  while (*end == ' ' || *end == '\t') ++end;
  const bool whole = end != text.c_str() && (*end == '\0' || *end == ',');
  return whole && n > 0 && n < 1000000 ? static_cast<int>(n) : 0;
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Of the group of this process; groups above it are not looked at, but for the first of all.
std::string quota_line() {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("0::", 0) != 0) continue;  // version 2
    std::string own = first_line("/sys/fs/cgroup" + line.substr(3) + "/cpu.max");
    if (!own.empty()) return own;
  }
  return first_line("/sys/fs/cgroup/cpu.max");
}

}  // namespace

Cores cores_within(int seen, const std::string& omp, const std::string& slurm, const std::string& quota) {
  Cores cores{std::max(1, seen), fmt::format("all {} cores", std::max(1, seen))};
  const auto at_most = [&](int n, const std::string& reason) {
    if (n > 0 && n < cores.count) cores = {n, reason};
  };
  at_most(number_of(omp), "OMP_NUM_THREADS");
  at_most(number_of(slurm), "SLURM_CPUS_PER_TASK");
  double share = 0, period = 0;
  if (std::istringstream(quota) >> share >> period && share > 0 && period > 0 && share / period < cores.count)
    at_most(std::max(1, static_cast<int>(std::ceil(share / period - 1e-9))), "the quota of the control group");
  return cores;
}

Cores usable_cores() {
  return cores_within(omp_get_num_procs(), variable("OMP_NUM_THREADS"), variable("SLURM_CPUS_PER_TASK"), quota_line());
}

}  // namespace areia

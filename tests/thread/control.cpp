// Does the thread sanitizer see what it should with this compiler and OpenMP runtime? Called with `race` the threads
// add to one number without order and it must complain; otherwise barriers order them and it must be silent.
#include <cstdio>
#include <cstring>
#include <vector>

int main(int argc, char** argv) {
  const bool race = argc > 1 && std::strcmp(argv[1], "race") == 0;
  std::vector<double> a(1000, 1.0), b(1000);
  double sum = 0;
  for (int round = 0; round < 20; ++round) {
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 1000; ++i) b[i] = a[999 - i] + 1;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 1000; ++i) {
      a[i] = b[999 - i];
      if (race) sum += a[i];
    }
  }
  std::printf("%g %g\n", a[0], sum);
}

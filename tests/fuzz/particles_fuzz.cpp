// libFuzzer target of particle files: CSV, dumps and data of LAMMPS and LIGGGHTS, VTK as legacy text and as XML.
#include <cmath>
#include <cstdlib>

#include "fuzz.h"
#include "io/particles/particle_csv.h"
#include "io/particles/particle_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace areia;
  return fuzz::expect_typed_errors([&] {
    std::vector<ListedParticle> particles;
    std::vector<Problem> problems;
    io::parse_particle_file(fuzz::text_of(data, size), "fuzz", {}, particles, problems);
    if (!problems.empty()) return;
    // What is read is sound, and reads back from our own table to the same bits.
    for (const ListedParticle& p : particles)
      if (!std::isfinite(norm2(p.x) + norm2(p.v) + norm2(p.w))) std::abort();
    std::vector<ListedParticle> again;
    io::parse_particle_csv(io::write_particle_csv(particles), "again", 1, again, problems);
    if (!particles.empty() && (!problems.empty() || !(again == particles))) std::abort();
  });
}

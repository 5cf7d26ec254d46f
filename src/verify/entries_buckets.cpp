// 001 section 7: spheres falling into a bucket (7.1), unloaded from a chute into it (7.2), and from a larger one (7.3).
// The figures with the containers are lost; what the printed places imply about them is said in the case files.
#include <fmt/format.h>

#include <cmath>

#include "verify/entry.h"

namespace areia::verify {

namespace {

// Index of the particle that begins at a place.
std::size_t starts_at(const Frame& f, const Vec3d& x) {
  std::size_t best = 0;
  for (std::size_t k = 0; k < f.particles.id.size(); ++k)
    if (norm(f.particles.x[k] - x) < norm(f.particles.x[best] - x)) best = k;
  return best;
}

Frame frame_at(Simulation& s, double time) {
  const auto steps = static_cast<std::int64_t>(std::llround(time / s.dt())) - s.step();
  if (steps > 0) s.advance(steps);
  return s.frame();
}

void place_rows(Sheet& s, const std::string& name, const Vec3d& source, const Vec3d& ours, double tolerance,
                const std::string& reason = "") {
  const char* const axes[] = {"x", "y", "z"};
  const double a[] = {source.x, source.y, source.z}, b[] = {ours.x, ours.y, ours.z};
  for (int k = 0; k < 3; ++k) {
    const std::string quantity = fmt::format("{}, {} (m)", name, axes[k]);
    if (reason.empty()) s.near(quantity, a[k], b[k], tolerance);
    else s.explained(quantity, a[k], b[k], tolerance, reason);
  }
}

void falling(Sheet& s) {
  Simulation sim = s.large(case_text("bucket"));
  const Frame first = sim.frame();
  s.near("spheres", 180, static_cast<double>(first.particles.id.size()), 0);
  const std::size_t one = starts_at(first, {1.7, 5.95, 2.1}), two = starts_at(first, {0.5, 2.75, 2.9});
  place_rows(s, "sphere 1 at the start", {1.7, 5.95, 2.1}, first.particles.x[one], 1e-9);
  place_rows(s, "sphere 2 at the start", {0.5, 2.75, 2.9}, first.particles.x[two], 1e-9);
  const Frame fall = frame_at(sim, 0.4);
  place_rows(s, "sphere 1 at 0.4 s", {1.7, 5.95, 1.315}, fall.particles.x[one], 6e-4);
  place_rows(s, "sphere 2 at 0.4 s", {0.5, 2.75, 2.115}, fall.particles.x[two], 6e-4);
  s.near("v_z at 0.4 s (m/s)", -3.924, fall.particles.v[one].z, 6e-4);
  const Frame later = frame_at(sim, 0.8);
  const std::string moving =
      "still in motion: where it is depends on how friction and damping act in the impact, and the source's friction "
      "law, its one sweep per step and its bonds differ";
  place_rows(s, "sphere 1 at 0.8 s", {1.746, 5.95, 0.328}, later.particles.x[one], 6e-4, moving);
  place_rows(s, "sphere 2 at 0.8 s", {0.452, 2.75, 1.239}, later.particles.x[two], 6e-4, moving);
  const Frame rest = frame_at(sim, 1.52);
  place_rows(s, "sphere 1 at rest, 1.52 s", {1.692, 5.95, 0.273}, rest.particles.x[one], 1.5e-3);
  place_rows(s, "sphere 2 at rest, 1.52 s", {0.487, 2.75, 0.859}, rest.particles.x[two], 1.5e-3,
             "a sphere of the upper layer rests in one of several hollows; which one follows from the motion before");
  double fastest = 0;
  for (const Vec3d& v : rest.particles.v) fastest = std::max(fastest, norm(v));
  double fastest_before = 0;
  for (const Vec3d& v : later.particles.v) fastest_before = std::max(fastest_before, norm(v));
  s.near("speed of sphere 1 at 1.52 s (m/s): all stopped", 0, norm(rest.particles.v[one]), 5e-4);
  s.remark(fmt::format("Fastest sphere: {:.3f} m/s at 0.8 s, {:.4f} m/s at 1.52 s.", fastest_before, fastest));
  s.remark(
      "The container is not printed. Its size, 2.2 x 6.3 m, is that of the lower bucket of 7.3, in which a block of 4 "
      "x "
      "15 x 3 spheres with the printed places of two of them is centred; the slopes of 45 degrees follow from the "
      "places of spheres that rest or roll on them in 7.2 (x + z = 4.383 three times).");
}

}  // namespace

std::vector<Entry> bucket_entries() {
  return {{"001-7.1", "180 spheres fall into a bucket", "001 section 7.1, Tables 5 to 7", {}, false, falling}};
}

}  // namespace areia::verify

#include "io/frames/lammps_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "areia/error.h"

namespace areia {
namespace {

void need(bool there, const char* array) {
  if (!there)
    throw InputError("output.arrays", array, "is missing in the frames; the case of the run must not leave it out");
}

std::string head(const Frame& frame, const char* what) {
  std::string title = fmt::format("{} of {}, t = {} s, SI units", what, frame.title, frame.time);
  std::replace_if(
      title.begin(), title.end(), [](char c) { return c < ' ' || c > '~'; }, ' ');
  return title;
}

int type_of(const Frame& f, std::size_t k) { return f.particles.material.empty() ? 1 : f.particles.material[k] + 1; }

}  // namespace

LammpsBox lammps_box(const Frame& frame, const Domain& domain) {
  if (frame.cell.deforms) return {{frame.cell.low, frame.cell.low + frame.cell.length}, domain.periodic};
  if (domain.bounded) return {domain.box, domain.periodic};
  LammpsBox b;
  const FrameParticles& p = frame.particles;
  for (std::size_t k = 0; k < p.id.size(); ++k) {
    const Vec3d r{2 * p.radius[k], 2 * p.radius[k], 2 * p.radius[k]}, low = p.x[k] - r, high = p.x[k] + r;
    if (k == 0) b.box = {low, high};
    b.box.min = {std::min(b.box.min.x, low.x), std::min(b.box.min.y, low.y), std::min(b.box.min.z, low.z)};
    b.box.max = {std::max(b.box.max.x, high.x), std::max(b.box.max.y, high.y), std::max(b.box.max.z, high.z)};
  }
  return b;
}

void write_lammps_data(const Frame& frame, const LammpsBox& box, const TextSink& sink) {
  const FrameParticles& p = frame.particles;
  need(p.mass.size() == p.id.size(), "mass");
  need(p.v.size() == p.id.size(), "velocity");
  need(p.w.size() == p.id.size(), "spin");
  const Box& b = box.box;
  sink(fmt::format("{}\n\n{} atoms\n{} atom types\n\n{} {} xlo xhi\n{} {} ylo yhi\n{} {} zlo zhi\n\nAtoms # sphere\n\n",
                   head(frame, "Particles"), p.id.size(), std::max<std::size_t>(1, frame.materials.size()), b.min.x,
                   b.max.x, b.min.y, b.max.y, b.min.z, b.max.z));
  for (std::size_t k = 0; k < p.id.size(); ++k) {
    const double d = 2 * p.radius[k];
    sink(fmt::format("{} {} {} {} {} {} {}\n", p.id[k] + 1, type_of(frame, k), d,
                     p.mass[k] / (std::numbers::pi / 6 * d * d * d), p.x[k].x, p.x[k].y, p.x[k].z));
  }
  sink("\nVelocities\n\n");
  for (std::size_t k = 0; k < p.id.size(); ++k)
    sink(
        fmt::format("{} {} {} {} {} {} {}\n", p.id[k] + 1, p.v[k].x, p.v[k].y, p.v[k].z, p.w[k].x, p.w[k].y, p.w[k].z));
}

void write_lammps_dump(const Frame& frame, const LammpsBox& box, const TextSink& sink) {
  const FrameParticles& p = frame.particles;
  need(p.mass.size() == p.id.size(), "mass");
  need(p.v.size() == p.id.size(), "velocity");
  need(p.w.size() == p.id.size(), "spin");
  const auto end = [&](int axis) { return box.periodic[axis] ? "pp" : "ff"; };
  const Box& b = box.box;
  sink(fmt::format(
      "ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}\nITEM: BOX BOUNDS {} {} {}\n{} {}\n{} {}\n{} {}\n"
      "ITEM: ATOMS id type x y z vx vy vz omegax omegay omegaz radius mass\n",
      frame.step, p.id.size(), end(0), end(1), end(2), b.min.x, b.max.x, b.min.y, b.max.y, b.min.z, b.max.z));
  for (std::size_t k = 0; k < p.id.size(); ++k)
    sink(fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {}\n", p.id[k] + 1, type_of(frame, k), p.x[k].x, p.x[k].y,
                     p.x[k].z, p.v[k].x, p.v[k].y, p.v[k].z, p.w[k].x, p.w[k].y, p.w[k].z, p.radius[k], p.mass[k]));
}

}  // namespace areia

// The image of a case under what must not matter: turning, mirroring, another frame of reference, other units.
//
//   x' = L Q x + u' t',   t' = T t,   m' = M m,   q' = C q
//
// with an orthogonal Q. What is a vector by a product of two others (spins, torques, turns, magnetic fields) is
// multiplied by det Q as well. Everything else follows from the unit of a number: [m^a kg^b s^c A^e] becomes
// L^a M^b T^c (C/T)^e times as large.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "areia/areia.h"
#include "core/random.h"
#include "core/units.h"
#include "meshes.h"
#include "physics/law_info.h"

namespace areia::test {

using Matrix = std::array<Vec3d, 3>;  // rows

inline Vec3d operator*(const Matrix& m, const Vec3d& v) { return {dot(m[0], v), dot(m[1], v), dot(m[2], v)}; }

struct Image {
  std::string name;
  Matrix turn{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};
  double length = 1, time = 1, mass = 1, charge = 1;
  Vec3d boost{};  // m/s, before the other changes

  double handed() const { return dot(cross(turn[0], turn[1]), turn[2]) > 0 ? 1 : -1; }
  bool turns() const { return !(turn == Image{}.turn); }
  bool boosts() const { return !(boost == Vec3d{}); }
  bool along_axes() const {  // axes become axes
    for (const Vec3d& row : turn)
      if (std::fabs(row.x) + std::fabs(row.y) + std::fabs(row.z) != 1) return false;
    return true;
  }
  int axis(int a) const {  // where axis a goes; along_axes() only
    for (int k = 0; k < 3; ++k)
      if (std::array{turn[k].x, turn[k].y, turn[k].z}[a] != 0) return k;
    return -1;
  }

  double of(const char* unit) const {
    std::string error;
    const auto d = parse_unit(unit, error).value().dimension;
    return std::pow(length, d[0]) * std::pow(mass, d[1]) * std::pow(time, d[2]) * std::pow(charge / time, d[4]);
  }
  void scale(double& v, const char* unit) const { v *= of(unit); }
  void scale(Course& c, const char* unit) const {  // of those that random cases have: no formulas
    for (double* const v : {&c.value, &c.from, &c.to}) scale(*v, unit);
    c.over *= time;
    for (CourseRow& row : c.table) row = {time * row.time, of(unit) * row.value};
  }
  Vec3d polar(const Vec3d& v, const char* unit = "") const { return of(unit) * (turn * v); }
  Vec3d axial(const Vec3d& v, const char* unit = "") const { return (handed() * of(unit)) * (turn * v); }
  Vec3d drift() const { return polar(boost, "m/s"); }
};

inline Motion image_of(Motion m, const Image& g) {
  m.velocity = g.polar(m.velocity, "m/s");
  m.amplitude = g.polar(m.amplitude, "m");
  g.scale(m.omega, "1/s");
  if (m.kind == Motion::Kind::rotating) m.omega *= g.handed();
  m.point = g.polar(m.point, "m");
  m.axis = g.polar(m.axis);
  for (MotionRow& row : m.table) {
    row.time *= g.time;
    row.shift = g.polar(row.shift, "m");
    row.turn = g.axial(row.turn);
  }
  m.start *= g.time;
  m.stop *= g.time;
  Image at_rest = g;
  at_rest.boost = {};
  for (Motion& part : m.then) part = image_of(part, at_rest);
  if (!g.boosts()) return m;
  const Vec3d u = g.drift();
  if (!m.then.empty()) {  // all of it moves on, as its last part
    m.then.emplace_back();
    m.then.back().kind = Motion::Kind::constant;
    m.then.back().velocity = u;
    return m;
  }
  if (m.kind == Motion::Kind::rotating) {  // as a table, which may move on as well
    const double long_after = 2 * M_PI / std::fabs(m.omega);
    m.table = {{}, {long_after, {}, (m.omega * long_after / norm(m.axis)) * m.axis}};
    m.kind = Motion::Kind::table;
  } else if (m.kind == Motion::Kind::fixed) {
    m.kind = Motion::Kind::constant;
    m.velocity = {};
  }
  m.velocity += u;
  for (MotionRow& row : m.table) row.shift += row.time * u;
  return m;
}

inline Box image_of(const Box& b, const Image& g) {
  const Vec3d p = g.polar(b.min, "m"), q = g.polar(b.max, "m");
  return {{std::min(p.x, q.x), std::min(p.y, q.y), std::min(p.z, q.z)},
          {std::max(p.x, q.x), std::max(p.y, q.y), std::max(p.z, q.z)}};
}

inline Region image_of(Region r, const Image& g) {
  r.box = image_of(r.box, g);
  r.center = g.polar(r.center, "m");
  r.from = g.polar(r.from, "m");
  r.to = g.polar(r.to, "m");
  r.point = g.polar(r.point, "m");
  r.normal = g.polar(r.normal);
  g.scale(r.radius, "m");
  return r;
}

// ---- walls ----

inline WallShape image_of(PlaneShape s, const Image& g) {
  s.point = g.polar(s.point, "m");
  s.normal = g.polar(s.normal);
  return s;
}
inline WallShape image_of(CylinderShape s, const Image& g) {
  s.from = g.polar(s.from, "m");
  s.to = g.polar(s.to, "m");
  g.scale(s.radius, "m");
  return s;
}
inline WallShape image_of(ConeShape s, const Image& g) {
  s.from = g.polar(s.from, "m");
  s.to = g.polar(s.to, "m");
  g.scale(s.radius_from, "m");
  g.scale(s.radius_to, "m");
  return s;
}
inline WallShape image_of(SphereShape s, const Image& g) {
  s.center = g.polar(s.center, "m");
  g.scale(s.radius, "m");
  return s;
}
inline WallShape image_of(DiskShape s, const Image& g) {
  s.center = g.polar(s.center, "m");
  s.normal = g.polar(s.normal);
  g.scale(s.radius, "m");
  g.scale(s.hole, "m");
  return s;
}
inline WallShape image_of(RectangleShape s, const Image& g) {
  s.corner = g.polar(s.corner, "m");
  s.edge_a = g.polar(s.edge_a, "m");
  s.edge_b = g.polar(s.edge_b, "m");
  return s;
}
inline WallShape image_of(MeshShape s, const Image& g) {
  for (Vec3d& v : s.vertices) v = g.polar(v, "m");
  s.shift = g.polar(s.shift, "m");
  return s;
}
// A box has faces along the axes; turned by another angle it becomes a mesh.
inline WallShape image_of(const BoxShape& s, const Image& g) {
  if (!g.along_axes()) {
    MeshShape mesh;
    const Vec3d d = s.max - s.min;
    const Vec3d edges[3] = {{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}};
    for (int a = 0; a < 3; ++a)
      for (int side = 0; side < 2; ++side)
        if (!s.open[2 * a + side])
          add_face(mesh, side ? s.min + edges[a] : s.min, edges[(a + 1) % 3], edges[(a + 2) % 3], 1);
    return image_of(std::move(mesh), g);
  }
  const Box box = image_of(Box{s.min, s.max}, g);
  BoxShape image{box.min, box.max, {}};
  for (int a = 0; a < 3; ++a) {
    const int k = g.axis(a);
    const bool turned = g.turn[k].x + g.turn[k].y + g.turn[k].z < 0;
    for (int side = 0; side < 2; ++side) image.open[2 * k + (side != turned)] = s.open[2 * a + side];
  }
  return image;
}

inline Wall image_of(Wall w, const Image& g) {
  w.shape = std::visit([&](const auto& s) { return image_of(s, g); }, w.shape);
  w.motion = image_of(w.motion, g);
  if (w.surface.moves()) {
    w.surface.velocity = g.polar(w.surface.velocity, "m/s");
    w.surface.axis = g.axial(w.surface.axis);
    w.surface.point = g.polar(w.surface.point, "m");
    g.scale(w.surface.rate, "1/s");
    g.scale(w.surface.factor, "");
    w.surface.when.start *= g.time;
    w.surface.when.stop *= g.time;
  }
  w.servo.axis = g.polar(w.servo.axis);
  g.scale(w.servo.force, "N");
  g.scale(w.servo.pressure, "Pa");
  g.scale(w.servo.area, "m^2");
  g.scale(w.servo.max_speed, "m/s");
  g.scale(w.servo.gain, "m/(N s)");
  g.scale(w.servo.min_shift, "m");
  g.scale(w.servo.max_shift, "m");
  w.when.start *= g.time;
  w.when.stop *= g.time;
  return w;
}

// ---- what acts ----

inline LawChoice image_of(LawChoice c, const std::string& slot, const Image& g) {
  for (const LawInfo& law : all_laws())
    if (slot == law.slot && c.law == law.name)
      for (const ParameterInfo& p : law.parameters)
        if (c.numbers.contains(p.name)) g.scale(c.numbers[p.name], p.unit);
  return c;
}

inline ForceField image_of(ForceField f, const Image& g) {
  switch (f.kind) {
    case ForceField::Kind::gravity:
      f.value = g.polar(f.value, "m/s^2");
      break;
    case ForceField::Kind::electric:
      f.value = g.polar(f.value, "V/m");
      break;
    case ForceField::Kind::magnetic:
      f.value = g.axial(f.value, "T");
      break;
  }
  f.turn_axis = g.polar(f.turn_axis);
  f.turn_rate *= g.handed() / g.time;
  f.region = image_of(f.region, g);
  f.start *= g.time;
  f.stop *= g.time;
  return f;
}

inline Fluid image_of(Fluid f, const Image& g) {
  g.scale(f.density, "kg/m^3");
  g.scale(f.viscosity, "Pa s");
  g.scale(f.coefficient, f.drag == Fluid::Drag::linear ? "kg/s" : "Pa s");
  g.scale(f.magnus, "kg");
  for (Flow& w : f.flows) {
    w.velocity = g.polar(w.velocity, "m/s");
    w.point = g.polar(w.point, "m");
    Matrix half, whole;  // Q G Q^T
    for (int k = 0; k < 3; ++k) half[k] = g.turn * w.gradient[k];
    for (int k = 0; k < 3; ++k) {
      const auto column = [&](int a) { return std::array{half[0], half[1], half[2]}[a]; };
      whole[k] = (1 / g.time) * (g.turn[k].x * column(0) + g.turn[k].y * column(1) + g.turn[k].z * column(2));
    }
    w.gradient = whole;
    w.region = image_of(w.region, g);
    w.start *= g.time;
    w.stop *= g.time;
  }
  return f;
}

inline DistanceForce image_of(DistanceForce f, const Image& g) {
  f.k_at *= g.of("N") * std::pow(g.length, f.a_at);
  f.k_rep *= g.of("N") * std::pow(g.length, f.a_rep);
  g.scale(f.depth, "J");
  g.scale(f.size, "m");
  if (f.law == DistanceForce::Law::coulomb) g.scale(f.permittivity, "F/m");
  g.scale(f.cutoff, "m");
  return f;
}

inline BondSet image_of(BondSet b, const Image& g) {
  for (double BondSet::*member : {&BondSet::max_gap, &BondSet::max_distance, &BondSet::ring_radius, &BondSet::radius})
    g.scale(b.*member, "m");
  g.scale(b.stiffness, "N/m");
  g.scale(b.young, "Pa");
  g.scale(b.damper, "N s/m");
  for (double BondSet::*member :
       {&BondSet::strength, &BondSet::tensile_strength, &BondSet::shear_strength, &BondSet::compressive_strength})
    g.scale(b.*member, "N");
  for (double BondSet::*member : {&BondSet::tensile_stress, &BondSet::shear_stress, &BondSet::compressive_stress})
    g.scale(b.*member, "Pa");
  return b;
}

// ---- the whole case ----

// Whether a case file can say it.
inline bool has_image(const Case& c, const Image& g) {
  const bool framed = c.domain.bounded || c.domain.dimension == 2;
  if (!g.along_axes() && framed) return false;
  // Where the anchors of a ring begin is a choice of directions in space (make_bonds.cpp), so a turned joint differs
  // a little from a joint that is made turned.
  for (const BondSet& b : c.bonds)
    if (b.anchors > 1 && g.turns()) return false;
  if (!g.boosts()) return true;
  if (c.domain.dimension == 2) {
    const double across = std::array{g.boost.x, g.boost.y, g.boost.z}[c.domain.flat_axis];
    if (across != 0) return false;
  }
  const auto moves_along = [](const Motion& m) {
    if (!m.then.empty()) return true;  // by one part more
    const bool whole = m.start == 0 && m.stop == kForever;
    return m.kind != Motion::Kind::oscillating && (m.kind == Motion::Kind::fixed || whole);
  };
  for (const Wall& w : c.walls)
    if (!moves_along(w.motion)) return false;
  for (const ParticleSet& s : c.particles)
    if (s.prescribed && !moves_along(s.motion)) return false;
  for (const ForceField& f : c.fields)  // regions stay where they are, and so does what turns
    if (f.region.kind != Region::Kind::all || (f.kind == ForceField::Kind::magnetic && f.turn_rate != 0)) return false;
  for (const Flow& f : c.fluid.flows)
    if (f.region.kind != Region::Kind::all || !(f.gradient == Flow{}.gradient)) return false;
  // velocity_verlet turns a velocity by half a step on either side of the kick. Fields E = -u x B then cancel the
  // turning of u up to (q B dt/m)^2 only; the other schemes turn it in the middle of the kick, and cancel it exactly.
  bool turning = c.fluid.magnus != 0;
  for (const ForceField& f : c.fields) turning = turning || f.kind == ForceField::Kind::magnetic;
  if (c.numerics.scheme == Scheme::velocity_verlet && turning) return false;
  // What stands still from some stage on stands still in one frame of reference only.
  for (const Stage& s : c.stages)
    if (!s.freeze_groups.empty()) return false;
  return true;
}

inline Case image_of(Case c, const Image& g) {
  for (Material& m : c.materials) {
    g.scale(m.density, "kg/m^3");
    g.scale(m.young, "Pa");
    g.scale(m.stiffness, "N/m");
  }
  for (ContactPair& p : c.contacts) {
    p.normal = image_of(p.normal, "normal", g);
    p.tangential = image_of(p.tangential, "tangential", g);
    p.rolling = image_of(p.rolling, "rolling", g);
    p.twisting = image_of(p.twisting, "twisting", g);
    p.adhesion = image_of(p.adhesion, "adhesion", g);
  }
  for (ParticleSet& s : c.particles) {
    g.scale(s.mass, "kg");
    g.scale(s.charge, "C");
    if (s.prescribed) s.motion = image_of(s.motion, g);
    for (ListedParticle& p : std::get<std::vector<ListedParticle>>(s.source)) {
      p.x = g.polar(p.x, "m");
      p.v = g.polar(p.v, "m/s") + g.drift();
      p.w = g.axial(p.w, "1/s");
      g.scale(p.radius, "m");
      g.scale(p.mass, "kg");
      g.scale(p.charge, "C");
    }
  }
  for (Wall& w : c.walls) w = image_of(w, g);
  std::vector<ForceField> fields;
  for (const ForceField& f : c.fields) {
    fields.push_back(image_of(f, g));
    if (!g.boosts() || f.kind != ForceField::Kind::magnetic) continue;
    // q v x B = q (v' - u) x B: what moves through a magnetic field feels an electric one
    ForceField electric = fields.back();
    electric.kind = ForceField::Kind::electric;
    electric.name += "_seen_in_motion";
    electric.value = cross(fields.back().value, g.drift());
    fields.push_back(electric);
  }
  c.fields = fields;
  const bool fluid = !(c.fluid == Fluid{});
  c.fluid = image_of(c.fluid, g);
  if (fluid && g.boosts()) {
    Flow along;
    along.name = "along";
    along.velocity = g.drift();
    c.fluid.flows.push_back(along);
  }
  for (DistanceForce& f : c.forces) f = image_of(f, g);
  for (BondSet& b : c.bonds) b = image_of(b, g);
  for (Stage& s : c.stages) s.duration *= g.time;
  c.domain.box = image_of(c.domain.box, g);
  g.scale(c.domain.disk_thickness, "m");
  if (g.along_axes()) {
    const Domain before = c.domain;
    for (int a = 0; a < 3; ++a) c.domain.periodic[g.axis(a)] = before.periodic[a];
    c.domain.flat_axis = g.axis(before.flat_axis);
  }
  c.numerics.dt *= g.time;
  g.scale(c.numerics.max_speed, "m/s");
  g.scale(c.numerics.skin, "m");
  return c;
}

}  // namespace areia::test

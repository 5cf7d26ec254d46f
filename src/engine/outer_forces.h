// Forces on single particles from outside: electric and magnetic fields, gravity in a region, drag, Magnus force,
// buoyancy. Theory manual, sections 3 and 4. Forces that grow with the velocity and stand across it only turn it: the
// schemes do that exactly (turning), and what is left of them is a force. Uniform gravity that acts everywhere is not
// among them: engines treat it apart, with a potential. Both engines use this class.
#pragma once
#include <cmath>
#include <numbers>
#include <vector>

#include "engine/backend.h"
#include "physics/drag.h"
#include "physics/magnus.h"
#include "scene/region.h"

namespace areia {

struct OuterForce {
  Vec3d field;  // work is booked as field_work
  Vec3d drag;   // work is booked as drag
};

class OuterForces {
 public:
  explicit OuterForces(const Scene& scene)
      : fluid_(scene.settings.fluid),
        disk_(scene.settings.domain.dimension == 2 ? scene.settings.domain.disk_thickness : 0) {
    const Case& c = scene.settings;
    for (const ForceField& f : c.fields) {
      any_ = any_ || !is_uniform_gravity(f);
      turns_ = turns_ || f.kind == ForceField::Kind::magnetic;
      contains(f.region, {});  // throws now, not in a parallel loop, if the surface of a mesh was not prepared
    }
    for (const Flow& f : fluid_.flows) contains(f.region, {});
    any_ = any_ || fluid_.drag != Fluid::Drag::none || fluid_.magnus != 0 || fluid_.buoyancy;
    turns_ = turns_ || fluid_.magnus != 0;
  }

  bool any() const { return any_; }      // at any time
  bool turns() const { return turns_; }  // magnetic fields or the Magnus force, at any time

  // The fields and flows that act at time t. The schedule must live as long as they are asked for.
  void set(const Schedule& schedule, double t) {
    gravity_.clear();
    electric_.clear();
    magnets_.clear();
    flows_.clear();
    for (const ForceField& f : schedule.fields) {
      if (is_uniform_gravity(f) || !(t >= f.start && t < f.stop)) continue;
      auto& list = f.kind == ForceField::Kind::gravity    ? gravity_
                   : f.kind == ForceField::Kind::electric ? electric_
                                                          : magnets_;
      list.push_back({&f.region, value_at(f, t)});
    }
    for (const Flow& f : schedule.flows)
      if (t >= f.start && t < f.stop) flows_.push_back(&f);
  }

  // On a particle with this motion; `gravity` is the uniform part, for buoyancy.
  OuterForce at(const Vec3d& x, const Vec3d& v, const Vec3d& w, double radius, double mass, double charge,
                const Vec3d& gravity) const {
    OuterForce out;
    const Vec3d g = sum(gravity_, x);
    out.field = mass * g + charge * sum(electric_, x);
    if (fluid_.buoyancy) out.field -= (fluid_.density * volume(radius)) * (gravity + g);
    if (fluid_.drag == Fluid::Drag::none && fluid_.magnus == 0) return out;
    const Vec3d current = flow(x);
    if (fluid_.magnus != 0) out.field += magnus_force(fluid_.magnus, w, -current);
    out.drag = drag_force(fluid_, radius, v - current);
    return out;
  }
  // t of dv/dt = v x t: the magnetic force q v x B, and of the Magnus force M w x (v - v_f) the part with v.
  Vec3d turning(const Vec3d& x, const Vec3d& w, double inv_m, double charge) const {
    Vec3d t = (charge * inv_m) * sum(magnets_, x);
    if (fluid_.magnus != 0) t -= (fluid_.magnus * inv_m) * w;
    return t;
  }

  Vec3d flow(const Vec3d& x) const {
    Vec3d v;
    for (const Flow* f : flows_)
      if (contains(f->region, x)) {
        const Vec3d d = (repeats(f->region) ? side_among_images(f->region, x).image : x) - f->point;
        v += f->velocity + Vec3d{dot(f->gradient[0], d), dot(f->gradient[1], d), dot(f->gradient[2], d)};
      }
    return v;
  }

 private:
  struct Active {
    const Region* region;
    Vec3d value;
  };
  static Vec3d sum(const std::vector<Active>& list, const Vec3d& x) {
    Vec3d total;
    for (const Active& a : list)
      if (contains(*a.region, x)) total += a.value;
    return total;
  }
  double volume(double r) const {
    using std::numbers::pi;
    return disk_ > 0 ? pi * r * r * disk_ : 4.0 / 3 * pi * r * r * r;
  }

  Fluid fluid_;
  double disk_;
  bool any_ = false, turns_ = false;
  std::vector<Active> gravity_, electric_, magnets_;
  std::vector<const Flow*> flows_;
};

}  // namespace areia

// Rules of numerics.engine = "events": what hard spheres can do, and what is refused by name.
#include <array>
#include <variant>

#include "scene/rules/rules.h"
#include "scene/wall_geometry.h"

namespace areia {

namespace {

constexpr const char* kHard = "not with `numerics.engine = \"events\"`: ";

bool chosen(const LawChoice& c) { return !c.law.empty() && c.law != "none"; }

int flat_axis(const Domain& d) { return d.dimension == 2 ? d.flat_axis : -1; }

void refuse(Rules& r, const std::string& key, const std::string& value, const std::string& why) {
  r.add(key, value, kHard + why);
}

void check_contacts(Rules& r) {
  for (const ContactPair& p : r.settings().contacts) {
    const std::string key = fmt::format("contacts.{}-{}", p.a, p.b);
    const std::pair<const char*, const LawChoice*> soft[] = {{".normal", &p.normal},
                                                             {".tangential", &p.tangential},
                                                             {".rolling", &p.rolling},
                                                             {".twisting", &p.twisting},
                                                             {".adhesion", &p.adhesion}};
    for (const auto& [slot, choice] : soft)
      if (chosen(*choice))
        refuse(r, key + slot, fmt::format("\"{}\"", choice->law), "hard spheres have no forces, only `impact`");
    if (!chosen(p.impact))
      r.add(key + ".impact", "", "is missing: hard spheres need it, as `impact = { restitution = 0.9 }`");
  }
}

void check_particles(Rules& r) {
  if (const std::string& from = r.settings().start.from; !from.empty())
    refuse(r, "start.from", fmt::format("\"{}\"", from), "hard spheres begin with particles that the case places");
  for (const ParticleSet& s : r.settings().particles) {
    const std::string key = "particles." + s.name;
    if (s.prescribed) refuse(r, key + ".prescribed", "true", "every particle flies freely");
    if (std::holds_alternative<Stream>(s.source)) refuse(r, key + ".stream", "", "particles are there from the start");
    if (const auto* f = std::get_if<RandomAddition>(&s.source)) {
      if (f->method == RandomAddition::Method::layers)
        refuse(r, key + ".fill.method", "\"layers\"", "hard spheres do not settle");
      if (f->relax) refuse(r, key + ".fill.relax", "true", "hard spheres do not settle");
    }
  }
}

// Hard spheres fly to planes; other shapes are refused by their name.
template <class S>
void check_shape(Rules& r, const std::string& key, const S&) {
  refuse(r, key, "", "walls are planes and boxes");
}

void check_shape(Rules&, const std::string&, const PlaneShape&) {}

void check_shape(Rules& r, const std::string& key, const BoxShape& s) {
  const std::array<bool, 3>& periodic = r.settings().domain.periodic;
  for (int face = 0; face < 6; ++face)
    if (s.open[face] && !periodic[face / 2] && face / 2 != flat_axis(r.settings().domain))
      refuse(r, key + ".open", fmt::format("\"{}{}\"", "-+"[face % 2], "xyz"[face / 2]),
             "a face may be open in a periodic direction only; use planes, which have no end");
    else if (!s.open[face] && periodic[face / 2])
      refuse(r, key + ".open", "",
             fmt::format("the faces across the periodic direction {} must be open", "xyz"[face / 2]));
}

void check_walls_of_events(Rules& r) {
  for (const Wall& w : r.settings().walls) {
    const std::string key = "walls." + w.name;
    std::visit([&]<class S>(const S& s) { check_shape(r, key + "." + ShapeInfo<S>::kName, s); }, w.shape);
    if (w.motion.kind != Motion::Kind::fixed) refuse(r, key + ".motion", "", "walls stand still");
    if (w.servo.on) refuse(r, key + ".servo", "", "walls stand still");
    if (w.surface.moves()) refuse(r, key + ".surface", "", "walls stand still");
  }
  for (const Loading& l : r.settings().loading) refuse(r, "loading." + l.name, "", "walls stand still");
}

void check_surroundings(Rules& r) {
  const Case& c = r.settings();
  for (const ForceField& f : c.fields) {
    const std::string key = "fields." + f.name;
    if (f.kind == ForceField::Kind::electric) refuse(r, key + ".electric", "", "uniform gravity is the only field");
    if (f.kind == ForceField::Kind::magnetic) refuse(r, key + ".magnetic", "", "uniform gravity is the only field");
    if (f.region.kind != Region::Kind::all || f.region.outside)
      refuse(r, key + ".region", "", "gravity acts everywhere");
    if (f.turn_rate != 0) refuse(r, key + ".turning", "", "gravity does not turn");
  }
  if (!(c.fluid == Fluid{})) refuse(r, "fluid", "", "the particles fly in empty space");
  for (const DistanceForce& f : c.forces) refuse(r, "forces." + f.name, "", "there are no forces at a distance");
  for (const BondSet& b : c.bonds) refuse(r, "bonds." + b.name, "", "there are no bonds");
  if (c.domain.rule != DomainRule::open)
    refuse(r, "domain.rule", c.domain.rule == DomainRule::stop ? "\"stop\"" : "\"delete\"",
           "what leaves the domain flies on");
}

void check_stages(Rules& r) {
  const Case& c = r.settings();
  for (std::size_t k = 0; k < c.stages.size(); ++k) {
    const Stage& s = c.stages[k];
    const std::string key = fmt::format("stages[{}]", k + 1);
    if (!s.set.empty()) refuse(r, key + ".set", "", "hard spheres keep their tables through all stages");
    if (s.at_rest) refuse(r, key + ".until", "", "hard spheres never come to rest; give a `duration`");
    if (!s.release_groups.empty()) refuse(r, key + ".release", s.release_groups[0], "no particle is held");
    if (!s.freeze_groups.empty()) refuse(r, key + ".freeze", s.freeze_groups[0], "every particle flies freely");
  }
  if (c.numerics.scheme != Scheme::drift_kick)
    refuse(r, "numerics.scheme", "", "flights are exact, there is no scheme to choose");
}

}  // namespace

void check_events(Rules& r) {
  const Numerics& n = r.settings().numerics;
  if (n.collisions != Collisions::hard) {
    if (!(n.events == Events{})) r.add("numerics.events", "", "has a meaning only with `engine = \"events\"`");
    for (const ContactPair& p : r.settings().contacts)
      if (chosen(p.impact))
        r.add(fmt::format("contacts.{}-{}.impact", p.a, p.b), "",
              "is for hard spheres: it needs `numerics.engine = \"events\"`");
    return;
  }
  check_contacts(r);
  check_particles(r);
  check_walls_of_events(r);
  check_surroundings(r);
  check_stages(r);
}

}  // namespace areia

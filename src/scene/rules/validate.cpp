// The rules of a case that need no file: every name known, everything there that the chosen laws need, nothing that
// contradicts something else. They hold for a case read from a file as for one filled by a program. Whether a value is
// possible by itself is a matter of its key, io/schema/.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "areia/case.h"
#include "areia/error.h"
#include "physics/law_info.h"
#include "scene/meeting_pairs.h"
#include "scene/radius.h"
#include "scene/rules/rules.h"
#include "scene/rules/validate.h"
#include "scene/rules/validate_bonds.h"
#include "scene/rules/validate_fields.h"
#include "scene/rules/validate_loading.h"
#include "scene/rules/validate_packing.h"
#include "scene/rules/validate_walls.h"

namespace areia {

void check_implicit(Rules& r);  // validate_implicit.cpp
void check_cell(Rules& r);      // validate_cell.cpp
void check_events(Rules& r);    // validate_events.cpp

namespace {

constexpr double kMostParticles = 2e9;  // about 1 TB of state and contacts
constexpr double kMostLatticeParticles = 1e9;
constexpr double kMostFrames = 1e6;
constexpr double kMostSeriesLines = 1e8;
constexpr double kMostSteps = 9e15;  // beyond 2^53 times are no longer told apart

class Validator : Rules {
 public:
  explicit Validator(const Case& c) : Rules(c) {}

  std::vector<Problem> run() {
    for (const ParticleSet& s : c_.particles) particle_set(s);
    if (total_ > kMostParticles)
      add("particles", fmt::format("{:.3g}", total_), "at most 2e9 particles (about 1 TB of memory)");
    check_walls(*this);
    check_loading(*this);
    unique("materials", c_.materials);
    unique("particles", c_.particles);
    unique("walls", c_.walls);
    unique("fields", c_.fields);
    unique("output.solid_fraction", c_.output.solid_fraction);
    pairs();
    check_bonds(*this);
    check_fields(*this);
    check_fluid(*this);
    check_forces(*this);
    stages();
    domain();
    numerics();
    check_implicit(*this);
    check_events(*this);
    check_cell(*this);
    output();
    return std::move(problems_);
  }

 private:
  // --- particles ----------------------------------------------------------------------------------------------------
  void particle_set(const ParticleSet& s) {
    const std::string key = "particles." + s.name;
    known(key + ".material", s.material, names(c_.materials), "material");
    const Material* m = material(s.material);
    if (m && m->rigid)
      add(key + ".material", fmt::format("\"{}\"", s.material), "particles cannot be rigid, only walls");
    if (s.velocity_std > 0 && (s.prescribed || std::holds_alternative<Stream>(s.source)))
      add(key + ".velocity_std", fmt::format("{}", s.velocity_std),
          "is for particles that are there at the start and move freely");
    motion(key + ".motion", s.motion);
    if (s.motion.kind != Motion::Kind::fixed && !s.prescribed)
      add(key + ".prescribed", "false", "must be true for particles with a `motion`");

    if (std::holds_alternative<Carried>(s.source)) return carried(key, s);
    const auto* list = std::get_if<std::vector<ListedParticle>>(&s.source);
    const bool need_radius =
        !list || std::any_of(list->begin(), list->end(), [](const auto& p) { return p.radius == 0; });
    const bool need_density =
        s.mass == 0 && (!list || std::any_of(list->begin(), list->end(), [](const auto& p) { return p.mass == 0; }));
    const bool good_radius = radius(key + ".radius", s.radius, need_radius);
    if (m && !m->rigid && need_density && m->density == 0)
      add("materials." + m->name + ".density", "",
          fmt::format("is missing: particles.{} have no mass of their own", s.name));
    if (list) listed(key + ".list", *list);
    else if (const auto* l = std::get_if<Lattice>(&s.source)) lattice(key + ".lattice", *l, s.radius, good_radius);
    else if (const auto* f = std::get_if<RandomAddition>(&s.source)) fill(key + ".fill", *f, s.radius, good_radius);
    else if (std::holds_alternative<Stream>(s.source)) total_ += check_stream(*this, s);
  }

  // They are as they were, but for what the case says about them anew.
  void carried(const std::string& key, const ParticleSet& s) {
    if (c_.start.from.empty()) add(key + ".carried", "true", "needs `start.from`: the run that they come from");
    const ParticleSet plain;
    const std::pair<const char*, bool> given[] = {{"radius", !(s.radius == plain.radius)},
                                                  {"mass", s.mass != 0},
                                                  {"charge", s.charge != 0},
                                                  {"velocity", !(s.velocity == Vec3d{})},
                                                  {"velocity_std", s.velocity_std != 0},
                                                  {"spin", !(s.spin == Vec3d{})},
                                                  {"inhibit_rotation", s.inhibit_rotation}};
    for (const auto& [name, is_given] : given)
      if (is_given) add(key + "." + name, "", "is for particles that the case makes; carried ones are as they were");
  }

  bool radius(const std::string& key, const RadiusDistribution& r, bool needed) {
    switch (r.kind) {
      case RadiusDistribution::Kind::fixed:
        if (r.value == 0) {
          if (needed) add(key, "", "is missing: the radius of the particles");
          return false;
        }
        return is_positive(r.value);
      case RadiusDistribution::Kind::uniform:
        if (!is_positive(r.min) || !is_positive(r.max)) return false;
        return rule(r.min <= r.max, key + ".uniform.max", r.max, "must not be smaller than `min`");
      case RadiusDistribution::Kind::gaussian:
        if (!is_positive(r.mean) || !(r.std >= 0) || !is_positive(r.truncate)) return false;
        return rule(r.mean > r.truncate * r.std, key + ".gaussian.std", r.std,
                    "mean - truncate * std, the smallest radius, must be positive");
      case RadiusDistribution::Kind::grading:
      case RadiusDistribution::Kind::table:
        return check_radius_shares(*this, key, r);
    }
    return false;
  }
  void listed(const std::string& key, const std::vector<ListedParticle>& list) {
    if (list.empty()) add(key, "", "must hold at least one particle");
    total_ += static_cast<double>(list.size());
    for (std::size_t k = 0; c_.domain.dimension == 2 && k < list.size(); ++k)
      flat(fmt::format("{}[{}]", key, k + 1), list[k]);
  }
  // In two dimensions nothing leaves the plane: no velocity across it and no spin in it.
  void flat(const std::string& key, const ListedParticle& p) {
    const int a = std::clamp(c_.domain.flat_axis, 0, 2);
    if (component(p.v, a) != 0) add(key + ".v", text(p.v), "must lie in the plane of the 2-D run");
    if (component(p.w, (a + 1) % 3) != 0 || component(p.w, (a + 2) % 3) != 0)
      add(key + ".w", text(p.w), "must be normal to the plane of the 2-D run");
  }

  void lattice(const std::string& key, const Lattice& l, const RadiusDistribution& r, bool good_radius) {
    const double volume = bounded_region(key + ".region", l.region);
    const double spacing = l.spacing > 0 ? l.spacing : 2 * largest_radius(r);
    if (!(volume > 0) || !(spacing > 0) || !(l.spacing > 0 || good_radius)) return;
    const double cells = volume / (spacing * spacing * spacing);
    const double count = l.count > 0 ? static_cast<double>(l.count) : c_.domain.dimension == 2 ? 0 : cells;
    if (count > kMostLatticeParticles)
      add(key + (l.count > 0 ? ".count" : ".spacing"),
          l.count > 0 ? std::to_string(l.count) : fmt::format("{}", spacing),
          fmt::format("would make {:.3g} particles; at most 1e9 on a lattice", count));
    else total_ += count;
  }

  void fill(const std::string& key, const RandomAddition& f, const RadiusDistribution& r, bool good_radius) {
    const double volume = bounded_region(key + ".region", f.region, c_.domain.dimension == 3);
    check_fill(*this, key, f);
    if (f.count == 0 && f.solid_fraction == 0) return;
    if (static_cast<double>(f.count) > kMostParticles) {
      add(key + ".count", std::to_string(f.count), "at most 2e9 particles (about 1 TB of memory)");
      return;
    }
    const double radius = good_radius ? mean_radius(r) : 0;
    const double one = 4.0 / 3 * std::numbers::pi * radius * radius * radius;
    if (!(volume > 0) || !(radius > 0) || c_.domain.dimension == 2) {
      total_ += static_cast<double>(f.count);
      return;
    }
    const double count = f.count > 0 ? static_cast<double>(f.count) : f.solid_fraction * volume / one;
    if (!(count <= kMostParticles))
      add(key + ".solid_fraction", fmt::format("{}", f.solid_fraction),
          fmt::format("would make {:.3g} particles; at most 2e9 (about 1 TB of memory)", count));
    else total_ += count;
    // More solid than space. Tighter limits depend on sizes and are found by trying.
    if (f.count > 0 && count * one > volume && f.method != RandomAddition::Method::layers)
      add(key + ".count", std::to_string(f.count),
          fmt::format("the particles have {:.3g} times the volume of the region", count * one / volume));
  }

  // --- contacts -----------------------------------------------------------------------------------------------------
  const ContactPair* pair(const std::string& a, const std::string& b) const {
    for (const ContactPair& p : c_.contacts)
      if ((p.a == a && p.b == b) || (p.a == b && p.b == a)) return &p;
    return nullptr;
  }

  void pairs() {
    const std::vector<std::string> all = names(c_.materials);
    for (const Wall& w : c_.walls)
      if (w.material.empty() && !contains(all, w.name))
        add("walls." + w.name, "", fmt::format("a rigid wall needs a rigid material `{}` of its own name", w.name));
    for (const MeetingPair& m : meeting_pairs(c_)) {
      const std::string key = fmt::format("contacts.{}-{}", m.a, m.b);
      if (const ContactPair* p = pair(m.a, m.b)) laws(fmt::format("contacts.{}-{}", p->a, p->b), *p);
      else if (m.can_meet)
        add(key, "",
            fmt::format("is missing: what acts between `{}` and `{}`; write [{}] or [contacts.default]", m.a, m.b,
                        key));
    }
    std::set<std::pair<std::string, std::string>> seen;
    for (const ContactPair& p : c_.contacts) {
      const std::string key = fmt::format("contacts.{}-{}", p.a, p.b);
      known(key, p.a, all, "material");
      known(key, p.b, all, "material");
      if (!seen.insert(std::minmax(p.a, p.b)).second) add(key, "", "this pair is given twice");
    }
  }

  void laws(const std::string& key, const ContactPair& p) {
    law(p, key, "impact", p.impact);
    if (c_.numerics.collisions == Collisions::hard) return;  // validate_events.cpp says what must not be there
    law(p, key, "normal", p.normal);
    law(p, key, "tangential", p.tangential);
    law(p, key, "rolling", p.rolling);
    law(p, key, "twisting", p.twisting);
    law(p, key, "adhesion", p.adhesion);
    combination(p, key);
    const auto mu_static = p.tangential.numbers.find("mu_static"), mu_dynamic = p.tangential.numbers.find("mu_dynamic");
    const auto mu = p.tangential.numbers.find("mu");
    const auto end = p.tangential.numbers.end();
    const auto limit = mu_static != end ? mu_static : mu;
    if (mu_dynamic != end && limit != end && mu_dynamic->second > limit->second)
      add(key + ".tangential.mu_dynamic", fmt::format("{}", mu_dynamic->second),
          "must not exceed the static coefficient");
    friction_variants(p, key + ".tangential");
  }

  // Variants of friction that another choice leaves without effect. Parameters that stand at their defaults may come
  // from the case or from the table of the law.
  void friction_variants(const ContactPair& p, const std::string& key) {
    const auto word = [](const LawChoice& c, const char* name, const char* preset) {
      const auto at = c.words.find(name);
      return at == c.words.end() ? std::string(preset) : at->second;
    };
    const auto number = [](const LawChoice& c, const char* name, double preset) {
      const auto at = c.numbers.find(name);
      return at == c.numbers.end() ? preset : at->second;
    };
    const LawChoice& t = p.tangential;
    if (t.law != "coulomb_history") return;
    const double xi = number(t, "xi", 0), factor = number(t, "dashpot_factor", 1);
    const std::string dashpot = word(t, "dashpot", "own");
    if (xi != 0 && dashpot != "own")
      add(key + ".xi", fmt::format("{}", xi),
          fmt::format("has no effect with dashpot = \"{}\": the coefficient comes from the normal law", dashpot));
    if (factor != 1 && dashpot == "own")
      add(key + ".dashpot_factor", fmt::format("{}", factor),
          "has no effect without dashpot = \"normal\" or \"normal_ratio\": `xi` gives the coefficient");
    if (word(t, "limit", "pressing") == "magnitude" && p.normal.law != "jkr" && word(p.normal, "clamp", "on") == "on")
      add(key + ".limit", "magnitude",
          "has no effect while the normal force never pulls: give `normal` clamp = \"off\"");
  }

  // Laws that make no sense beside each other: one of them says so in its table.
  void combination(const ContactPair& p, const std::string& key) {
    const std::pair<std::string, const LawChoice*> slots[] = {{"normal", &p.normal},
                                                              {"tangential", &p.tangential},
                                                              {"rolling", &p.rolling},
                                                              {"twisting", &p.twisting},
                                                              {"adhesion", &p.adhesion}};
    const auto chosen = [](const LawChoice& c) { return !c.law.empty() && c.law != "none"; };
    for (const LawInfo& l : all_laws()) {
      if (!*l.excludes) continue;
      for (const auto& [slot, choice] : slots) {
        if (slot != l.slot || choice->law != l.name) continue;
        for (const auto& [other, beside] : slots)
          if (chosen(*beside) && (l.excludes == other || l.excludes == other + "." + beside->law))
            add(key + "." + other, fmt::format("\"{}\"", beside->law),
                fmt::format("makes no sense with the {} law `{}`: {}", slot, l.name, l.why));
      }
    }
  }

  // A property that the materials of a pair must have; what is rigid needs none.
  void needs(const ContactPair& pair, const std::string& law_key, const std::string& property,
             const std::string& otherwise) {
    if (property.empty()) return;
    for (const std::string& name : {pair.a, pair.b}) {
      const Material* m = material(name);
      if (!m || m->rigid) continue;
      const double value = property == "young" ? m->young : property == "stiffness" ? m->stiffness : m->density;
      if (value == 0)
        missing_once("materials." + name + "." + property,
                     fmt::format("is missing: {} needs it{}", law_key, otherwise));
    }
  }

  void law(const ContactPair& pair, const std::string& pair_key, const std::string& slot, const LawChoice& choice) {
    const std::string key = pair_key + "." + slot;
    if (choice.law.empty() || choice.law == "none") {
      if (slot == "normal") add(key, "", "is missing: particles without a normal law pass through each other");
      return;
    }
    const LawInfo* info = nullptr;
    std::vector<std::string> laws{"none"};
    for (const LawInfo& l : all_laws()) {
      if (slot != l.slot) continue;
      laws.emplace_back(l.name);
      if (choice.law == l.name) info = &l;
    }
    if (!info) return known(key + ".law", choice.law, laws, (slot + " law").c_str());

    std::vector<std::string> parameters;
    for (const ParameterInfo& p : info->parameters) parameters.emplace_back(p.name);
    for (const auto& [name, value] : choice.numbers) known(key + "." + name, name, parameters, "parameter");
    for (const auto& [name, value] : choice.words) known(key + "." + name, name, parameters, "parameter");
    for (const ParameterInfo& p : info->parameters) parameter(key, choice, *info, p);
    needs(pair, key, info->needs, "");
    for (const ParameterInfo& p : info->parameters)
      if (p.instead == std::string_view("materials") && !choice.numbers.contains(p.name))
        needs(pair, key, p.name, fmt::format(", or `{}` of its own", p.name));
  }

  void parameter(const std::string& law_key, const LawChoice& choice, const LawInfo& info, const ParameterInfo& p) {
    const std::string key = law_key + "." + p.name;
    if (*p.words) {
      const auto word = choice.words.find(p.name);
      if (word != choice.words.end() &&
          fmt::format("|{}|", p.words).find(fmt::format("|{}|", word->second)) == std::string::npos)
        add(key, word->second, fmt::format("must be one of {}", p.words));
      return;
    }
    const ParameterInfo* instead = nullptr;
    for (const ParameterInfo& q : info.parameters)
      if (std::string_view(q.name) == p.instead) instead = &q;
    const bool instead_given = instead && choice.numbers.contains(instead->name);
    const auto value = choice.numbers.find(p.name);
    if (value == choice.numbers.end()) {
      const bool served = instead ? instead_given || !std::isnan(instead->preset) : *p.instead != 0;
      // Of two that stand for each other, the first complains.
      const bool told = instead && std::string_view(instead->instead) == p.name && instead < &p;
      if (std::isnan(p.preset) && !served && !told) add(key, "", fmt::format("is missing: {}", p.text));
      return;
    }
    if (!(value->second >= p.min && value->second <= p.max) || !std::isfinite(value->second))
      add(key, fmt::format("{}", value->second),
          std::isfinite(p.max) ? fmt::format("must be in [{}, {}]", p.min, p.max)
                               : fmt::format("must be at least {}", p.min));
    // Each of two that exclude each other would complain; the later one speaks.
    if (instead_given && std::string_view(instead->instead) == p.name && instead < &p)
      add(key, fmt::format("{}", value->second), fmt::format("give `{}` or `{}`, not both", instead->name, p.name));
  }

  // --- time ---------------------------------------------------------------------------------------------------------
  void stages() {
    if (c_.stages.empty()) add("stages", "", "at least one [[stages]] is needed");
    std::set<std::string> groups, seen;
    for (const ParticleSet& s : c_.particles) groups.insert(s.group.empty() ? s.name : s.group);
    const std::vector<std::string> group_names(groups.begin(), groups.end());
    std::set<std::string> gone;
    for (std::size_t k = 0; k < c_.stages.size(); ++k) {
      const Stage& s = c_.stages[k];
      const std::string key = fmt::format("stages[{}]", k + 1);
      if (!s.name.empty() && !seen.insert(s.name).second) add(key + ".name", s.name, "another stage has this name");
      if (!s.ends_by_event() && s.duration == 0)
        add(key, "", "needs a `duration` or an end such as `until = { at_rest = true }`");
      for (const std::string& g : s.remove_groups) {
        known(key + ".remove", g, group_names, "group of particles");
        if (!gone.insert("particles." + g).second) add(key + ".remove", "particles." + g, "was removed before");
      }
      for (const std::string& g : s.release_groups) known(key + ".release", g, group_names, "group of particles");
      for (const std::string& g : s.freeze_groups) known(key + ".freeze", g, group_names, "group of particles");
    }
  }

  void domain() {
    const Domain& d = c_.domain;
    if (d.bounded) box("domain.box", d.box.min, d.box.max);
    if ((d.periodic[0] || d.periodic[1] || d.periodic[2]) && !d.bounded)
      add("domain.periodic", "", "needs `box`: the part of space that repeats itself");
    if (d.rule != DomainRule::open && !d.bounded)
      add("domain.rule", "", "needs `box`: the part of space that may be left");
    if (d.flat_axis < 0 || d.flat_axis > 2)
      add("domain.plane", std::to_string(d.flat_axis), "must be \"xy\", \"xz\" or \"yz\"");
    if (d.disk_thickness != 0 && d.dimension != 2)
      add("domain.disk_thickness", fmt::format("{}", d.disk_thickness), "needs `dimension = 2`");
    if (d.dimension != 2 || d.flat_axis < 0 || d.flat_axis > 2) return;
    if (d.periodic[d.flat_axis]) add("domain.periodic", "", "a 2-D run cannot be periodic across its plane");
    for (const ParticleSet& s : c_.particles) {
      ListedParticle p;
      p.v = s.velocity;
      p.w = s.spin;
      const std::size_t before = problems_.size();
      flat("particles." + s.name, p);
      for (std::size_t k = before; k < problems_.size(); ++k)
        problems_[k].key = "particles." + s.name + (problems_[k].key.ends_with(".v") ? ".velocity" : ".spin");
    }
  }

  void numerics() {
    const Numerics& n = c_.numerics;
    if (n.dt > 0 && run_time() / n.dt > kMostSteps)
      add("numerics.dt", fmt::format("{}", n.dt), fmt::format("would need {:.3g} steps", run_time() / n.dt));
  }

  double run_time() const {
    double sum = 0;
    for (const Stage& s : c_.stages) sum += s.duration;
    return sum;
  }

  void output() {
    const Output& o = c_.output;
    if (o.frames > 0 && run_time() / o.frames > kMostFrames)
      add("output.frames", fmt::format("{}", o.frames),
          fmt::format("would write {:.3g} frames; at most 1e6", run_time() / o.frames));
    if (o.series > 0 && run_time() / o.series > kMostSeriesLines)
      add("output.series", fmt::format("{}", o.series),
          fmt::format("would write {:.3g} lines; at most 1e8", run_time() / o.series));
    if (o.contact_frames > 0) {
      const std::string value = fmt::format("{}", o.contact_frames);
      if (!o.contacts) add("output.contact_frames", value, "has no meaning with `contacts = false`");
      else if (o.frames <= 0) add("output.contact_frames", value, "needs `frames`: contacts are written with frames");
      else if (o.contact_frames < o.frames)
        add("output.contact_frames", value,
            fmt::format("must not be shorter than `frames`, {} s: contacts are written with frames", o.frames));
    }
    // Random addition and lattices may yield fewer particles than asked for, so only listed ids are certain.
    bool counted = true;
    for (const ParticleSet& s : c_.particles)
      counted = counted && std::holds_alternative<std::vector<ListedParticle>>(s.source);
    std::set<std::int64_t> seen;
    for (const std::int64_t id : o.track) {
      const bool beyond = counted && static_cast<double>(id) >= total_;
      if (id < 0 || beyond)
        add("output.track", std::to_string(id),
            beyond ? fmt::format("the case has {:.0f} particles, with ids from 0", total_)
                   : "an id must not be negative");
      if (!seen.insert(id).second) add("output.track", std::to_string(id), "this id is given twice");
    }
    for (const SolidFractionRegion& r : o.solid_fraction) bounded_region("output.solid_fraction." + r.name, r.region);
  }

  double total_ = 0;  // particles, estimated where a generator decides
};

}  // namespace

std::vector<Problem> check_relations(const Case& c) { return Validator(c).run(); }

}  // namespace areia

#include "scene/rules/validate_packing.h"

#include <algorithm>

#include "scene/radius.h"

namespace areia {

namespace {

constexpr double kMostPerInsertion = 1e6;

double run_time(const Case& c) {
  double sum = 0;
  for (const Stage& s : c.stages) sum += s.duration;
  return sum;
}

// Regions that particles can be placed in.
void fillable(Rules& r, const std::string& key, const Region& region) {
  if (region.kind == Region::Kind::mesh && r.settings().domain.dimension == 2)
    r.add(key + ".region.mesh", "", "a mesh has no area in the plane of a 2-D run");
}

}  // namespace

bool check_radius_shares(Rules& r, const std::string& key, const RadiusDistribution& d) {
  const bool grading = d.kind == RadiusDistribution::Kind::grading;
  const std::string at = key + (grading ? ".grading" : ".table");
  if (d.shares.size() < (grading ? 2 : 1)) {
    r.add(at, "", grading ? "needs two lines at least" : "needs one line at least");
    return false;
  }
  bool good = true;
  double sum = 0;
  for (std::size_t k = 0; k < d.shares.size(); ++k) {
    const std::string line = fmt::format("{}[{}]", at, k + 1);
    const RadiusShare& s = d.shares[k];
    good = Rules::is_positive(s.radius) && s.share >= 0 && std::isfinite(s.share) && good;
    if (grading) {
      if (k == 0) continue;
      good = r.rule(s.radius > d.shares[k - 1].radius, line + ".radius", s.radius, "must be above the line before") &&
             good;
      good = r.rule(s.share >= d.shares[k - 1].share, line + ".passing", s.share,
                    "must not be below the line before: what passes a small sieve passes a large one") &&
             good;
    } else {
      sum += s.share;
    }
  }
  if (grading && good) {
    good = r.rule(d.shares.front().share == 0, at + "[1].passing", d.shares.front().share,
                  "must be 0: nothing is smaller than the first line says");
    good = r.rule(d.shares.back().share == 1, fmt::format("{}[{}].passing", at, d.shares.size()), d.shares.back().share,
                  "must be 1: nothing is larger than the last line says") &&
           good;
  }
  if (!grading && good && !(sum > 0)) {
    r.add(at, "", "at least one `number` must be positive");
    good = false;
  }
  return good;
}

void check_fill(Rules& r, const std::string& key, const RandomAddition& f) {
  using Method = RandomAddition::Method;
  fillable(r, key, f.region);
  const bool gravity = norm(uniform_gravity(r.settings())) > 0;
  if (f.method == Method::layers) {
    if (f.solid_fraction != 0)
      r.add(key + ".solid_fraction", fmt::format("{}", f.solid_fraction),
            "layers are given by `count`, or fill the region up to its top; their density comes from settling");
    if (!gravity) r.add(key + ".method", "\"layers\"", "needs a field of gravity under which the layers settle");
    if (f.region.kind == Region::Kind::sphere || f.region.kind == Region::Kind::mesh)
      r.add(key + ".region", "", "layers are put into a box, or into a cylinder along gravity");
    if (f.region.kind == Region::Kind::cylinder && gravity) {
      const Vec3d axis = f.region.to - f.region.from, g = uniform_gravity(r.settings());
      if (norm(cross(axis, g)) > 1e-6 * norm(axis) * norm(g))
        r.add(key + ".region.cylinder", "", "layers need a cylinder whose axis is along gravity");
    }
    if (f.region.kind == Region::Kind::box && gravity) {
      const Vec3d g = uniform_gravity(r.settings());
      const double most = std::max({std::fabs(g.x), std::fabs(g.y), std::fabs(g.z)});
      if (norm(g) - most > 1e-6 * norm(g))
        r.add(key + ".region.box", "", "layers need a box with a side along gravity");
    }
  } else if ((f.count != 0) == (f.solid_fraction != 0)) {
    r.add(key, "", "needs one of `count` and `solid_fraction`");
  }
  if (f.method != Method::layers && f.layer != 0)
    r.add(key + ".layer", fmt::format("{}", f.layer), "only layers have a thickness");
  if (f.method == Method::rsa && f.relax && !gravity)
    r.add(key + ".relax", "true", "without gravity particles placed apart do not move: there is nothing to relax");
  if (f.friction != RandomAddition::kFrictionOfCase) {
    const std::vector<ContactPair>& contacts = r.settings().contacts;
    const bool rubs = std::any_of(contacts.begin(), contacts.end(), [](const ContactPair& p) {
      return !p.tangential.law.empty() && p.tangential.law != "none";
    });
    if (f.method != Method::layers && !f.relax)
      r.add(key + ".friction", fmt::format("{}", f.friction),
            "is for packings that settle: `method = \"layers\"`, or `relax = true`");
    else if (!rubs)
      r.add(key + ".friction", fmt::format("{}", f.friction),
            "takes the place of the coefficient of tangential laws, and no contact has one");
  }
}

double check_stream(Rules& r, const ParticleSet& set) {
  const Stream& s = std::get<Stream>(set.source);
  const std::string key = "particles." + set.name + ".stream";
  r.bounded_region(key + ".region", s.region, r.settings().domain.dimension == 3);
  fillable(r, key, s.region);
  if ((s.rate > 0) == (s.mass_rate > 0)) r.add(key, "", "needs one of `rate` and `mass_rate`");
  r.interval(key, s.when);
  if (set.prescribed)
    r.add("particles." + set.name + ".prescribed", "true", "particles of a stream are free; a stage may freeze them");
  const Material* m = r.material(set.material);
  double rate = s.rate;
  if (s.mass_rate > 0) {
    const double one = set.mass > 0 ? set.mass
                       : m          ? m->density * 4.0 / 3 * std::numbers::pi * mean_cube(set.radius)
                                    : 0;
    rate = one > 0 ? s.mass_rate / one : 0;
  }
  if (s.every > 0 && rate * s.every > kMostPerInsertion)
    r.add(key + ".every", fmt::format("{}", s.every),
          fmt::format("would bring {:.3g} particles at once; at most 1e6", rate * s.every));
  const double all = rate * std::min(run_time(r.settings()), s.when.stop);
  return s.count > 0 ? std::min(all, static_cast<double>(s.count)) : all;
}

}  // namespace areia

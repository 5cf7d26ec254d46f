// Fixes that bring particles: templates, mixtures of them, insertion at once or as a stream.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "io/scripts/translation.h"

namespace areia::io {
namespace {

double volume_of_cube(double r3) { return 4.0 / 3 * std::numbers::pi * r3; }

double volume_of(const Region& r) {
  const Vec3d d = r.box.max - r.box.min;
  if (r.kind == Region::Kind::box) return d.x * d.y * d.z;
  if (r.kind == Region::Kind::sphere) return volume_of_cube(r.radius * r.radius * r.radius);
  return std::numbers::pi * r.radius * r.radius * norm(r.to - r.from);
}

constexpr double kMostParticles = 1e9;

}  // namespace

void Translation::particle_template(const ScriptFix& f) {
  Arguments a(*this, f.command, 4);
  if (!a.done()) a.word("seed");
  Template t;
  bool sized = false;
  while (!a.done()) {
    const std::string key = a.word("keyword");
    if (key == "atom_type") {
      t.type = static_cast<int>(std::clamp<std::int64_t>(a.whole("type"), 0, 1000));
      if (t.type < 1 || t.type > std::max(types_, 1))
        a.wrong("atom_type", fmt::format("{}", t.type), "must be one of the types of the box");
    } else if (key == "density") {
      const std::string& how = a.word("density");
      t.density = a.positive("density", units.density());
      if (how == "uniform" || how == "gaussian") {
        const double second = a.positive("density", units.density());
        if (how == "uniform") t.density = 0.5 * (t.density + second);
        note(fmt::format("fix {}: particles of a set have one density, the mean", f.id));
      } else if (how != "constant") {
        throw NotTakenOver{fmt::format("density {}", how)};
      }
    } else if (key == "radius") {
      sized = true;
      const std::string& how = a.word("radius");
      if (how != "constant" && how != "uniform" && how != "gaussian") throw NotTakenOver{fmt::format("radius {}", how)};
      if (a.peek() == "mass") throw NotTakenOver{"a distribution of radii by mass: [particles] has `grading`"};
      a.take("number");
      const double r = a.positive("radius", units.length);
      t.mean_radius = t.radius.value = r;
      t.mean_volume = volume_of_cube(r * r * r);
      if (how == "constant") continue;
      const double s = a.positive("radius", units.length);
      if (how == "uniform") {
        if (!(r < s)) a.wrong("radius", f.command.text, "must rise from the smallest to the largest");
        t.radius = {};
        t.radius.kind = RadiusDistribution::Kind::uniform;
        t.radius.min = r;
        t.radius.max = s;
        t.mean_radius = 0.5 * (r + s);
        t.mean_volume = volume_of_cube((std::pow(s, 4) - std::pow(r, 4)) / (4 * (s - r)));
      } else {
        t.radius = {};
        t.radius.kind = RadiusDistribution::Kind::gaussian;
        t.radius.mean = r;
        t.radius.std = s;
        if (s * t.radius.truncate >= r) t.radius.truncate = 0.99 * r / s;
        t.mean_volume = volume_of_cube(r * r * r + 3 * r * s * s);
      }
    } else if (key == "volume_limit" || key == "relative") {
      a.word("value");
    } else {
      throw NotTakenOver{fmt::format("particletemplate with `{}`", key)};
    }
  }
  if (!sized) a.wrong("radius", "", "is missing");
  if (!(t.density > 0)) a.wrong("density", "", "is missing");
  templates_[f.id] = t;
}

void Translation::mixture(const ScriptFix& f) {
  Arguments a(*this, f.command, 4);
  a.word("seed");
  const std::int64_t count = a.whole("number of templates");
  const bool by_number = f.style.find("numberbased") != std::string::npos;
  std::vector<MixtureShare> shares;
  double sum = 0;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::string& name = a.word("template");
    const double weight = a.number("weight");
    const auto t = templates_.find(name);
    if (t == templates_.end())
      throw NotTakenOver{fmt::format("the template `{}` is not there, or was not taken over", name)};
    if (weight < 0) a.wrong("weight", fmt::format("{}", weight), "must not be negative");
    shares.push_back({name, by_number ? weight : weight / t->second.mean_mass()});
    sum += shares.back().number;
  }
  if (!(sum > 0)) a.wrong("weight", f.command.text, "must not all be zero");
  for (MixtureShare& s : shares) s.number /= sum;
  std::stable_sort(shares.begin(), shares.end(), [&](const MixtureShare& x, const MixtureShare& y) {
    return templates_[x.name].mean_volume > templates_[y.name].mean_volume;  // large ones find their places first
  });
  mixtures_[f.id] = shares;
}

// One set for each template of a mixture.
void Translation::add_sets(const ScriptFix& f, const std::vector<MixtureShare>& shares, const ParticleSet& like,
                           const Amount& amount) {
  double mean_mass = 0, mean_volume = 0;
  for (const MixtureShare& s : shares) {
    mean_mass += s.number * templates_[s.name].mean_mass();
    mean_volume += s.number * templates_[s.name].mean_volume;
  }
  double count = amount.count > 0 ? amount.count : amount.mass / mean_mass;
  if (!(count <= kMostParticles)) throw WrongArgument{"particles", fmt::format("{:g}", count), "must be 1e9 at most"};
  for (const MixtureShare& share : shares) {
    const Template& t = templates_[share.name];
    const double number = std::round(count * share.number);
    if ((count > 0 && number < 1) || share.number == 0) continue;
    ParticleSet s = like;
    s.name = unique_name(shares.size() == 1 ? f.id : f.id + "_" + share.name);
    s.group = fmt::format("type{}", t.type);
    s.material = material(t.type, t.density);
    s.radius = t.radius;
    if (auto* fill = std::get_if<RandomAddition>(&s.source)) {
      if (count > 0) fill->count = static_cast<std::int64_t>(number);
      else fill->solid_fraction = amount.solid_fraction * share.number * t.mean_volume / mean_volume;
    } else if (auto* stream = std::get_if<Stream>(&s.source)) {
      if (count > 0) stream->count = static_cast<std::int64_t>(number);
      if (amount.rate > 0) stream->rate = amount.rate * share.number;
      else stream->mass_rate = amount.mass_rate * share.number * t.mean_mass() / mean_mass;
    }
    case_.particles.push_back(std::move(s));
    means_[t.type].add(count > 0 ? number : 1000 * share.number, t.mean_radius, t.mean_mass());
  }
}

void Translation::insert(const ScriptFix& f) {
  Arguments a(*this, f.command, 4);
  const bool pack = f.style == "insert/pack";
  ParticleSet set;
  Amount amount;
  const std::vector<MixtureShare>* shares = nullptr;
  std::optional<Region> region;
  std::string face;
  double length = 0, every = 0, start = 0, steps_of_face = 0;
  while (!a.done()) {
    const std::string key = a.word("keyword");
    if (key == "distributiontemplate") {
      const std::string& name = a.word("mixture");
      const auto at = mixtures_.find(name);
      if (at == mixtures_.end())
        throw NotTakenOver{fmt::format("the distribution `{}` is not there, or was not taken over", name)};
      shares = &at->second;
    } else if (key == "region") region = insertion_region(a.word("region"));
    else if (key == "insertion_face") face = a.word("mesh");
    else if (key == "extrude_length") length = a.positive("extrude_length", units.length);
    else if (key == "particles_in_region") amount.count = a.positive("particles_in_region");
    else if (key == "mass_in_region") amount.mass = a.positive("mass_in_region", units.mass);
    else if (key == "volumefraction_region") amount.solid_fraction = a.positive("volumefraction_region");
    else if (key == "nparticles" || key == "mass") {
      if (!a.take("INF"))
        (key == "mass" ? amount.mass : amount.count) = a.positive(key.c_str(), key == "mass" ? units.mass : 1);
    } else if (key == "particlerate") amount.rate = a.positive("particlerate", 1 / units.time);
    else if (key == "massrate") amount.mass_rate = a.positive("massrate", units.mass / units.time);
    else if (key == "insert_every" || key == "every") {
      if (!a.take("once")) every = a.number("insert_every");
    } else if (key == "start") start = a.number("start");
    else if (key == "duration") steps_of_face = a.number("duration");
    else if (key == "vel") {
      const std::string& how = a.word("vel");
      set.velocity = a.vector("velocity", units.velocity());
      if (how == "uniform" || how == "gaussian") {
        const Vec3d spread = a.vector("spread", units.velocity());
        // of a uniform distribution over +- s the deviation is s/sqrt(3)
        set.velocity_std = (how == "uniform" ? 1 / std::numbers::sqrt3 : 1) * norm(spread) / std::numbers::sqrt3;
        note(fmt::format("fix {}: random velocities are normally distributed, alike along all axes", f.id));
      } else if (how != "constant") {
        throw NotTakenOver{fmt::format("vel {}", how)};
      }
    } else if (key == "omega") {
      a.take("constant");
      set.spin = a.vector("omega", 1 / units.time);
    } else if (key == "orientation") {
      a.word("orientation");
    } else if (key == "seed") {
      const std::int64_t seed = a.whole("seed");
      if (case_.numerics.seed == Numerics{}.seed && seed > 0) case_.numerics.seed = static_cast<std::uint64_t>(seed);
    } else if (key == "maxattempt" || key == "verbose" || key == "overlapcheck" || key == "all_in" ||
               key == "random_distribute" || key == "ntry_mc" || key == "parallel" ||
               key == "check_dist_from_subdomain_border" || key == "warn_region") {
      a.word("value");
    } else {
      throw NotTakenOver{fmt::format("{} with `{}`", f.style, key)};
    }
  }
  if (!shares) a.wrong("distributiontemplate", "", "is missing");
  if (!face.empty()) {
    if (length == 0) length = (steps_of_face > 0 ? steps_of_face : every) * dt_ * norm(set.velocity);
    region = face_region(face, length, set.velocity);
  }
  if (!region) a.wrong("region", "", "is missing");
  if (pack && amount.count == 0 && amount.mass == 0 && amount.solid_fraction == 0)
    a.wrong("particles_in_region", "", "is missing, or mass_in_region or volumefraction_region");
  if (!pack && amount.rate == 0 && amount.mass_rate == 0) a.wrong("particlerate", "", "is missing, or massrate");
  if (pack && every > 0)
    note(fmt::format("fix {}: the region is filled once, not again every {:g} steps", f.id, every));
  if (pack && f.runs.begin == 0 && start == 0) {
    RandomAddition fill;
    fill.region = *region;
    set.source = fill;
  } else {
    Stream s;
    s.region = *region;
    if (pack) {
      // all at once, a hundred steps after the fix begins
      if (amount.solid_fraction > 0) {
        double mean_volume = 0;
        for (const MixtureShare& share : *shares) mean_volume += share.number * templates_[share.name].mean_volume;
        amount.count = std::max(1.0, std::floor(amount.solid_fraction * volume_of(*region) / mean_volume));
        amount.solid_fraction = 0;
      }
      every = 100;
      if (amount.mass > 0) amount.mass_rate = 1.01 * amount.mass / (every * dt_);
      else amount.rate = 1.01 * amount.count / (every * dt_);
    }
    if (pack || face.empty()) s.every = without_last_bit(std::max(0.0, every) * dt_);
    if (start > 0) s.when.start = without_last_bit(start * dt_);
    set_interval(f.runs, s.when.start_stage, s.when.stop_stage);
    if (start > 0) s.when.start_stage.clear();
    set.source = s;
  }
  add_sets(f, *shares, set, amount);
}

// What a flat face sweeps over against the direction in which particles leave it: a box, or a cylinder under a disc.
Region Translation::face_region(const std::string& name, double length, const Vec3d& v) {
  const auto at = meshes_.find(name);
  if (at == meshes_.end()) throw NotTakenOver{fmt::format("the mesh `{}` is not there, or was not taken over", name)};
  const MeshShape face = vertices_of(at->second);
  if (face.triangles.empty()) throw NotTakenOver{fmt::format("the mesh `{}` is empty", name)};
  Vec3d sum, centre;
  double area = 0;
  for (const auto& t : face.triangles) {
    const Vec3d a = face.vertices[t[0]], b = face.vertices[t[1]], c = face.vertices[t[2]];
    Vec3d n = 0.5 * cross(b - a, c - a);
    if (dot(n, sum) < 0) n = -n;
    sum += n;
    area += norm(n);
    centre += (norm(n) / 3) * (a + b + c);
  }
  if (!(area > 0) || !(norm(v) > 0) || !(length > 0))
    throw NotTakenOver{"the insertion face, its velocity or its extrude_length is zero"};
  centre *= 1 / area;
  Vec3d n = unit(sum);
  if (dot(n, v) < 0) n = -n;
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (std::fabs(component(n, k)) > std::fabs(component(n, axis))) axis = k;
  Box b{face.vertices[0], face.vertices[0]};
  double reach = 0;
  for (const Vec3d& x : face.vertices) {
    for (int k = 0; k < 3; ++k) {
      component(b.min, k) = std::min(component(b.min, k), component(x, k));
      component(b.max, k) = std::max(component(b.max, k), component(x, k));
    }
    reach = std::max(reach, norm(x - centre));
  }
  Region r;
  const auto [i, j] = across(axis);
  const bool upright = std::fabs(component(n, axis)) > 1 - 1e-6;
  const double frame = (component(b.max, i) - component(b.min, i)) * (component(b.max, j) - component(b.min, j));
  if (upright && area > 0.99 * frame) {
    r.kind = Region::Kind::box;
    (component(n, axis) > 0 ? component(b.min, axis) : component(b.max, axis)) -= length * component(n, axis);
    r.box = b;
    return r;
  }
  // a disc, or the largest that fits around the centre of another face
  double inside = std::numeric_limits<double>::infinity();
  std::map<std::pair<std::array<double, 3>, std::array<double, 3>>, int> edges;
  const auto key = [](const Vec3d& x) { return std::array{x.x, x.y, x.z}; };
  for (const auto& t : face.triangles)
    for (int k = 0; k < 3; ++k) {
      auto p = key(face.vertices[t[k]]), q = key(face.vertices[t[(k + 1) % 3]]);
      if (q < p) std::swap(p, q);
      ++edges[{p, q}];
    }
  for (const auto& [ends, count] : edges) {
    if (count != 1) continue;  // between two triangles
    const Vec3d p{ends.first[0], ends.first[1], ends.first[2]}, q{ends.second[0], ends.second[1], ends.second[2]};
    const Vec3d d = q - p;
    const double s = norm2(d) > 0 ? std::clamp(dot(centre - p, d) / norm2(d), 0.0, 1.0) : 0;
    inside = std::min(inside, norm(p + s * d - centre));
  }
  if (!(inside > 0) || std::isinf(inside)) throw NotTakenOver{"the insertion face is neither a rectangle nor round"};
  if (std::numbers::pi * inside * inside < 0.9 * area)
    note(fmt::format("mesh {}: particles come through the largest disc in it, of radius {:g} m", name, inside));
  r.kind = Region::Kind::cylinder;
  r.to = centre;
  r.from = centre - length * n;
  r.radius = inside;
  return r;
}

// fix pour of LAMMPS: the region is filled to a part again whenever what was put there has fallen out of it.
void Translation::pour(const ScriptFix& f) {
  Arguments a(*this, f.command, 4);
  Amount amount;
  amount.count = a.positive("particles");
  Template t;
  t.type = static_cast<int>(std::clamp<std::int64_t>(a.whole("type"), 1, std::max(types_, 1)));
  a.word("seed");
  t.density = units.density();
  t.radius.value = 0.5 * units.length;
  std::optional<Region> region;
  double part = 0.25, rise = 0;
  Vec3d v;
  while (!a.done()) {
    const std::string key = a.word("keyword");
    if (key == "region") region = insertion_region(a.word("region"));
    else if (key == "diam") {
      const std::string& how = a.word("diam");
      if (how == "poly") throw NotTakenOver{"diam poly: [particles] has a table of radii"};
      t.radius.value = 0.5 * a.positive("diam", units.length);
      if (how == "range") {
        const double largest = 0.5 * a.positive("diam", units.length);
        if (largest < t.radius.value) a.wrong("diam", f.command.text, "must rise from the smallest to the largest");
        if (largest > t.radius.value) {
          t.radius.kind = RadiusDistribution::Kind::uniform;
          t.radius.min = t.radius.value;
          t.radius.max = largest;
          t.radius.value = 0;
        }
      }
    } else if (key == "dens") {
      const double low = a.positive("dens", units.density()), high = a.positive("dens", units.density());
      t.density = 0.5 * (low + high);
      if (low != high) note(fmt::format("fix {}: particles of a set have one density, the mean", f.id));
    } else if (key == "vol") {
      part = a.positive("vol");
      a.number("attempts");
    } else if (key == "rate") rise = a.number("rate", units.velocity());
    else if (key == "vel") {
      const bool flat = case_.domain.dimension == 2;
      const double x = a.number("vel", units.velocity()), x2 = a.number("vel", units.velocity());
      v.x = 0.5 * (x + x2);
      if (!flat) v.y = 0.5 * (a.number("vel", units.velocity()) + a.number("vel", units.velocity()));
      (flat ? v.y : v.z) = a.number("vel", units.velocity());
    } else {
      throw NotTakenOver{fmt::format("pour with `{}`", key)};
    }
  }
  if (!region) a.wrong("region", "", "is missing");
  const double g = norm(gravity_);
  if (!(g > 0)) throw NotTakenOver{"fix pour needs a fix gravity before it"};
  if (case_.domain.dimension == 2) throw NotTakenOver{"fix pour in two dimensions"};
  t.mean_radius =
      t.radius.kind == RadiusDistribution::Kind::uniform ? 0.5 * (t.radius.min + t.radius.max) : t.radius.value;
  t.mean_volume = volume_of_cube(t.mean_radius * t.mean_radius * t.mean_radius);
  if (rise != 0) note(fmt::format("fix {}: the region of pouring stands still", f.id));
  const double height = region->kind == Region::Kind::box ? region->box.max.z - region->box.min.z
                                                          : std::fabs(region->to.z - region->from.z);
  const double time = (v.z + std::sqrt(v.z * v.z + 2 * g * height)) / g;
  const double each = part * volume_of(*region) / t.mean_volume;
  if (!(time > 0) || !(each > 0)) a.wrong("region", f.command.text, "must have a height and a volume");
  Stream s;
  s.region = *region;
  set_interval(f.runs, s.when.start_stage, s.when.stop_stage);
  amount.rate = each / time;
  ParticleSet set;
  set.velocity = v;
  set.source = s;
  templates_[f.id] = t;
  note(fmt::format(
      "fix {}: {:.3g} particles come per second, as many as fill {:g} of the region in the time of their fall", f.id,
      amount.rate, part));
  add_sets(f, {{f.id, 1}}, set, amount);
}

}  // namespace areia::io

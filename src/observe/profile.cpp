// Slices of a box or a cylinder along its length. A grain belongs to a slice with the part of its volume that lies in
// it (of its area in a 2-D case), so that nothing jumps when a centre passes from one slice to the next, and all slices
// together hold what the region holds:
//   density = sum m_i s_i / V, s_i the part of grain i within the slice; velocity V = sum m s v / sum m s;
//   temperature = sum m s |v - V|^2 / (D sum m s); share of a group = its part of sum m s.
#include <cmath>
#include <limits>
#include <numbers>

#include "observe/measures.h"
#include "observe/plane.h"
#include "observe/selection.h"
#include "observe/solid_fraction.h"
#include "scene/region_measure.h"

namespace areia {

namespace {

// The axis along which a box is cut, or -1.
int axis_of(const Vec3d& direction) {
  const Vec3d u = unit(direction);
  for (int a = 0; a < 3; ++a)
    if (std::fabs(component(u, a)) > 1 - 1e-12) return a;
  return -1;
}

class ProfileGauge : public Gauge {
 public:
  ProfileGauge(const Measure& m, const Case& c)
      : selection_{m.group, everywhere()},
        region_(m.region),
        domain_(c.domain),
        bins_(static_cast<std::size_t>(m.bins)),
        axis_(m.region.kind == Region::Kind::box ? axis_of(m.axis) : -1) {
    if (axis_ >= 0) {
      first_ = component(region_.box.min, axis_);
      length_ = component(region_.box.max, axis_) - first_;
    } else {
      length_ = norm(region_.to - region_.from);
    }
    if (!m.group.empty()) return;
    for (const ParticleSet& s : c.particles) {
      const std::string& group = s.group.empty() ? s.name : s.group;
      if (std::find(groups_.begin(), groups_.end(), group) == groups_.end()) groups_.push_back(group);
    }
    if (groups_.size() < 2) groups_.clear();
  }

  std::vector<std::string> columns() const override {
    std::vector<std::string> names{"at_m",   "density_kg/m3", "solid_fraction",   "vx_m/s",
                                   "vy_m/s", "vz_m/s",        "temperature_m2/s2"};
    for (const std::string& group : groups_) names.push_back("share." + group);
    return names;
  }

  // Of each slice: solid volume, mass, momentum, m v^2, and the mass of each group.
  std::vector<double> sample(const Frame& frame) override {
    const FrameParticles& p = frame.particles;
    std::vector<double> all(bins_ * width(), 0);
    std::vector<std::int32_t> number;
    for (const std::string& group : groups_) number.push_back(group_number(frame, group));
    for_each_selected(frame, selection_, [&](std::size_t k) {
      const double r = p.radius[k], whole = size_of(r);
      for_each_image(region_, p.x[k], r, [&](const Vec3d& x) {
        const double at = place(x) - first_, slice = length_ / static_cast<double>(bins_);
        const auto bin = [&](double s) {
          return std::clamp(std::floor(s / slice), 0.0, static_cast<double>(bins_ - 1));
        };
        if (at + r <= 0 || at - r >= length_) return;
        for (auto b = static_cast<std::size_t>(bin(at - r)); b <= static_cast<std::size_t>(bin(at + r)); ++b) {
          const double inside = size_within(x, r, b);
          if (!(inside > 0)) continue;
          double* const s = &all[b * width()];
          const double m = p.mass[k] * inside / whole;
          const Vec3d& v = p.v[k];
          s[0] += inside;
          s[1] += m;
          s[2] += m * v.x;
          s[3] += m * v.y;
          s[4] += m * v.z;
          s[5] += m * norm2(v);
          for (std::size_t g = 0; g < number.size(); ++g)
            if (p.group[k] == number[g]) s[6 + g] += m;
        }
      });
    });
    return all;
  }

  std::vector<double> values(const std::vector<double>& sample) const override {
    const double none = std::numeric_limits<double>::quiet_NaN();
    const double slice = length_ / static_cast<double>(bins_);
    const double size = slice_size(), thickness = is_flat(domain_) ? thickness_of(domain_, region_.box) : 1;
    std::vector<double> all;
    for (std::size_t b = 0; b < bins_; ++b) {
      const double* const s = &sample[b * width()];
      const double m = s[1];
      all.insert(all.end(), {first_ + (static_cast<double>(b) + 0.5) * slice, m / (size * thickness), s[0] / size});
      for (int a = 0; a < 3; ++a) all.push_back(m > 0 ? s[2 + a] / m : none);
      const double p2 = s[2] * s[2] + s[3] * s[3] + s[4] * s[4];
      all.push_back(m > 0 ? std::max(0.0, s[5] - p2 / m) / (domain_.dimension * m) : none);
      for (std::size_t g = 0; g < groups_.size(); ++g) all.push_back(m > 0 ? s[6 + g] / m : none);
    }
    return all;
  }

 private:
  std::size_t width() const { return 6 + groups_.size(); }
  double place(const Vec3d& x) const {
    return axis_ >= 0 ? component(x, axis_) : dot(x - region_.from, unit(region_.to - region_.from));
  }
  // Volume, in a 2-D case area.
  double size_of(double r) const {
    using std::numbers::pi;
    return is_flat(domain_) ? pi * r * r : 4.0 / 3.0 * pi * r * r * r;
  }
  Region slice(std::size_t b) const {
    Region s = region_;
    const double n = static_cast<double>(bins_), from = static_cast<double>(b) / n, to = static_cast<double>(b + 1) / n;
    if (axis_ >= 0) {
      component(s.box.min, axis_) = first_ + from * length_;
      component(s.box.max, axis_) = first_ + to * length_;
    } else {
      s.from = region_.from + from * (region_.to - region_.from);
      s.to = region_.from + to * (region_.to - region_.from);
    }
    return s;
  }
  std::array<int, 2> plane() const { return {domain_.flat_axis == 0 ? 1 : 0, domain_.flat_axis == 2 ? 1 : 2}; }
  double slice_size() const {
    if (!is_flat(domain_)) return volume_of(region_) / static_cast<double>(bins_);
    const Vec3d size = region_.box.max - region_.box.min;
    const auto [a, b] = plane();
    return component(size, a) * component(size, b) / static_cast<double>(bins_);
  }
  double size_within(const Vec3d& x, double r, std::size_t bin) const {
    const Region s = slice(bin);
    if (!is_flat(domain_)) return volume_inside(x, r, s);
    const auto [a, b] = plane();
    return disc_rectangle(r, component(s.box.min, a) - component(x, a), component(s.box.max, a) - component(x, a),
                          component(s.box.min, b) - component(x, b), component(s.box.max, b) - component(x, b));
  }

  Selection selection_;
  Region region_;
  Domain domain_;
  std::size_t bins_;
  int axis_;  // of a box; -1: a cylinder
  double first_ = 0, length_ = 0;
  std::vector<std::string> groups_;  // those with a column
};

void check_profile(Rules& r, const std::string& key, const Measure& m) {
  const Domain& d = r.settings().domain;
  const bool box = m.region.kind == Region::Kind::box;
  if (m.region.outside || (!box && (m.region.kind != Region::Kind::cylinder || is_flat(d))))
    return r.add(key + ".region", "",
                 is_flat(d) ? "a profile of a 2-D case needs a box" : "a profile needs a box or a cylinder to cut");
  if (!box || !Rules::is_direction(m.axis)) return;
  const int axis = axis_of(m.axis);
  if (axis < 0 || (is_flat(d) && axis == d.flat_axis))
    r.add(key + ".axis", Rules::text(m.axis),
          is_flat(d) ? "a box is cut along an axis of the plane" : "a box is cut along x, y or z");
  if (is_flat(d) && !(thickness_of(d, m.region.box) > 0))
    r.add(key + ".region", "", "a density is per volume: give the box a thickness, or the disks (`domain`)");
}

}  // namespace

extern const MeasureInfo kProfile;
const MeasureInfo kProfile{
    Measure::Kind::profile, "profile", false, check_profile,
    [](const Measure& m, const Case& c) -> std::unique_ptr<Gauge> { return std::make_unique<ProfileGauge>(m, c); }};

}  // namespace areia

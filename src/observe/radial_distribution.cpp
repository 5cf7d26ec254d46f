// g(r): how many centres lie at the distance r from a centre, over how many there would be if they lay anywhere.
//   g = n(r) / (N rho V(r)): n(r) the pairs within a shell of volume V(r), N the particles of the region about which is
//   counted, rho the number of partners in the region over its volume. Partners count wherever they are, images in a
//   periodic domain included; so a region that keeps its distance from walls and free surfaces sees the bulk alone.
//   In a 2-D case shells are rings and the region has an area.
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "observe/measures.h"
#include "observe/plane.h"
#include "observe/selection.h"
#include "scene/region_measure.h"
#include "search/cell_number.h"

namespace areia {

namespace {

class RadialGauge : public Gauge {
 public:
  RadialGauge(const Measure& m, const Case& c)
      : first_{m.group, m.region},
        second_(m.other_group.empty() ? m.group : m.other_group),
        flat_(is_flat(c.domain)),
        size_(flat_ ? area(m.region.box, c.domain.flat_axis) : volume_of(m.region)),
        periodicity_(periodicity_of(c.domain)),
        reach_(m.radius),
        bins_(static_cast<std::size_t>(m.bins)) {}

  std::vector<std::string> columns() const override { return {"r_m", "g", "neighbours"}; }

  std::vector<double> sample(const Frame& frame) override {
    const FrameParticles& p = frame.particles;
    struct Partner {
      std::size_t k;
      Vec3d x;
      bool image;
    };
    std::map<std::array<std::int64_t, 3>, std::vector<Partner>> cells;
    const auto cell_of = [&](const Vec3d& x) {
      return std::array{cell_number(x.x / reach_), cell_number(x.y / reach_), cell_number(x.z / reach_)};
    };
    double partners = 0;
    for_each_selected(frame, {second_, everywhere()}, [&](std::size_t k) {
      if (contains(first_.region, p.x[k])) partners += 1;
      for_each_near(p.x[k], [&](const Vec3d& image, bool shifted) {
        cells[cell_of(image)].push_back({k, image, shifted});
      });
    });
    std::vector<std::int64_t> pairs(bins_, 0);
    std::int64_t n = 0;
    for_each_selected(frame, first_, [&](std::size_t i) {
      ++n;
      const std::array<std::int64_t, 3> at = cell_of(p.x[i]);
      for (std::int64_t a = -1; a <= 1; ++a)
        for (std::int64_t b = -1; b <= 1; ++b)
          for (std::int64_t c = -1; c <= 1; ++c) {
            const auto found = cells.find({at[0] + a, at[1] + b, at[2] + c});
            if (found == cells.end()) continue;
            for (const Partner& j : found->second) {
              if (j.k == i && !j.image) continue;
              const double bin = std::floor(norm(j.x - p.x[i]) / reach_ * static_cast<double>(bins_));
              if (bin < static_cast<double>(bins_)) ++pairs[static_cast<std::size_t>(bin)];
            }
          }
    });
    const double none = std::numeric_limits<double>::quiet_NaN(), about = static_cast<double>(n);
    std::vector<double> all;
    double within = 0;
    for (std::size_t b = 0; b < bins_; ++b) {
      const double from = edge(b), to = edge(b + 1), found = static_cast<double>(pairs[b]);
      within += found;
      all.insert(all.end(),
                 {0.5 * (from + to),
                  about > 0 && partners > 0 ? found / (about * partners / size_ * (ball(to) - ball(from))) : none,
                  about > 0 ? within / about : none});
    }
    return all;
  }

 private:
  static double area(const Box& box, int flat_axis) {
    double a = 1;
    for (int k = 0; k < 3; ++k)
      if (k != flat_axis) a *= component(box.max, k) - component(box.min, k);
    return a;
  }
  double edge(std::size_t b) const { return reach_ * static_cast<double>(b) / static_cast<double>(bins_); }
  double ball(double r) const {
    using std::numbers::pi;
    return flat_ ? pi * r * r : 4.0 / 3.0 * pi * r * r * r;
  }
  // All images within reach of the box, in which the centres are.
  template <class F>
  void for_each_near(const Vec3d& x, F&& f) const {
    std::array<int, 3> most{};
    for (int a = 0; a < 3; ++a)
      if (periodicity_.on[static_cast<std::size_t>(a)])
        most[static_cast<std::size_t>(a)] = static_cast<int>(std::ceil(reach_ / component(periodicity_.length, a)));
    for (int i = -most[0]; i <= most[0]; ++i)
      for (int j = -most[1]; j <= most[1]; ++j)
        for (int k = -most[2]; k <= most[2]; ++k) {
          Vec3d image = x;
          bool near = true;
          const std::array<int, 3> by{i, j, k};
          for (int a = 0; a < 3; ++a) {
            const int times = by[static_cast<std::size_t>(a)];
            if (times == 0) continue;
            const double low = component(periodicity_.low, a), length = component(periodicity_.length, a);
            component(image, a) += times * length;
            near = near && component(image, a) >= low - reach_ && component(image, a) <= low + length + reach_;
          }
          if (near) f(image, i != 0 || j != 0 || k != 0);
        }
  }

  Selection first_;
  std::string second_;
  bool flat_;
  double size_;
  Periodicity periodicity_;
  double reach_;
  std::size_t bins_;
};

void check_radial(Rules& r, const std::string& key, const Measure& m) {
  const Domain& d = r.settings().domain;
  const bool box = m.region.kind == Region::Kind::box;
  const bool solid = box || m.region.kind == Region::Kind::sphere || m.region.kind == Region::Kind::cylinder;
  if (m.region.outside || !solid || (is_flat(d) && !box))
    r.add(key + ".region", "",
          is_flat(d) ? "g(r) of a 2-D case needs a box"
                     : "g(r) needs a box, sphere or cylinder: it divides by the volume");
  if (!Rules::is_positive(m.radius)) return r.add(key + ".radius", "", "is missing: the largest distance of g(r)");
  constexpr double kMostPeriods = 10;
  for (int a = 0; a < 3; ++a)
    if (d.periodic[static_cast<std::size_t>(a)] && m.radius > kMostPeriods * component(d.box.max - d.box.min, a))
      r.add(key + ".radius", fmt::format("{}", m.radius),
            fmt::format("must be at most {} lengths of the periodic box", kMostPeriods));
}

}  // namespace

extern const MeasureInfo kRadialDistribution;
const MeasureInfo kRadialDistribution{
    Measure::Kind::radial_distribution, "radial_distribution", false, check_radial,
    [](const Measure& m, const Case& c) -> std::unique_ptr<Gauge> { return std::make_unique<RadialGauge>(m, c); }};

}  // namespace areia

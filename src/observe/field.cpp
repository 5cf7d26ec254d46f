// Continuum fields by coarse graining (Goldhirsch 2010, with boundaries by Weinhart et al. 2012), at the centres of the
// cells of a grid. With phi of coarse_graining.h:
//   density rho = sum m phi(x - x_i), momentum p = sum m v phi, velocity V = p/rho, solid fraction = sum V_i phi;
//   contact stress = -sum f (x) l int_0^1 phi(x - x_i - s l) ds, f the force on i, l the branch to the centre of j, or
//     at a wall to the contact point; compression is positive. Bonds likewise;
//   wall force = sum f phi(x - contact point) over contacts with walls, so that in all of space
//     d(rho V)/dt + div(rho V (x) V) = -div(contact + kinetic stress) + wall force + rho g;
//   kinetic stress = sum m (v_i - V)(x)(v_i - V) phi = sum m v (x) v phi - rho V (x) V;
//   temperature = trace of the kinetic stress / (D rho), pressure = trace of both stresses / D, D = 2 or 3 dimensions.
// Particles that move as prescribed are walls here.
#include <array>
#include <cmath>
#include <limits>

#include "observe/coarse_graining.h"
#include "observe/measures.h"
#include "observe/plane.h"
#include "observe/selection.h"

namespace areia {

namespace {

constexpr double kMostFieldCells = 4e6;

// Numbers of a cell in a sample, one after the other.
constexpr std::size_t kDensity = 0, kSolid = 1, kMomentum = 2, kFlux = 5, kOfParticles = 11;
constexpr std::size_t kContact = kOfParticles, kWall = kContact + 9, kAll = kWall + 3;

// Upper triangle of a symmetric tensor, row by row.
constexpr std::array<std::array<int, 2>, 6> kUpper{{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}}};
constexpr std::array<int, 9> kInUpper{0, 1, 2, 1, 3, 4, 2, 4, 5};

// As many cells as fill a length, none longer than asked for; rounding does not add one.
double cells_along(double length, double cell) { return std::max(1.0, std::ceil(length / cell * (1 - 1e-12))); }

struct FieldGrid {
  Vec3d origin, spacing;
  std::array<std::int64_t, 3> cells{1, 1, 1};

  FieldGrid(const Measure& m, const Domain& d) : origin(m.region.box.min) {
    for (int a = 0; a < 3; ++a) {
      const double length = component(m.region.box.max, a) - component(m.region.box.min, a);
      if (is_flat(d) && a == d.flat_axis) {
        component(spacing, a) = thickness_of(d, m.region.box);
        component(origin, a) += 0.5 * (length - component(spacing, a));
        continue;
      }
      const double n = cells_along(length, m.cell);
      cells[static_cast<std::size_t>(a)] = static_cast<std::int64_t>(n);
      component(spacing, a) = length / n;
    }
  }
  double count() const {
    return static_cast<double>(cells[0]) * static_cast<double>(cells[1]) * static_cast<double>(cells[2]);
  }
  double volume() const { return spacing.x * spacing.y * spacing.z; }
};

class FieldGauge : public Gauge {
 public:
  FieldGauge(const Measure& m, const Case& c)
      : group_(m.group),
        domain_(c.domain),
        grid_(m, c.domain),
        phi_(m.width, c.domain.dimension),
        periodicity_(periodicity_of(c.domain)),
        flat_axis_(is_flat(c.domain) ? c.domain.flat_axis : -1),
        width_(m.group.empty() ? kAll : kOfParticles) {}

  std::vector<std::string> columns() const override {
    std::vector<std::string> names{"mass_kg", "solid_fraction", "vx_m/s", "vy_m/s", "vz_m/s", "temperature_m2/s2"};
    if (group_.empty())
      names.insert(names.end(), {"pressure_Pa", "wall_force_x_N", "wall_force_y_N", "wall_force_z_N"});
    return names;
  }

  std::vector<double> sample(const Frame& frame) override {
    const FrameParticles& p = frame.particles;
    std::vector<double> all(static_cast<std::size_t>(grid_.count()) * width_, 0);
    const double thickness = flat_axis_ < 0 ? 1 : component(grid_.spacing, flat_axis_);
    for_each_selected(frame, {group_}, [&](std::size_t k) {
      const Vec3d& v = p.v[k];
      const double m = p.mass[k] / thickness;
      const std::array<double, kOfParticles> what{m,
                                                  solid(p.radius[k]),
                                                  m * v.x,
                                                  m * v.y,
                                                  m * v.z,
                                                  m * v.x * v.x,
                                                  m * v.x * v.y,
                                                  m * v.x * v.z,
                                                  m * v.y * v.y,
                                                  m * v.y * v.z,
                                                  m * v.z * v.z};
      spread(all, p.x[k], {}, 0, what);
    });
    if (group_.empty()) {
      const auto stress = [&](const Vec3d& x, const Vec3d& l, const Vec3d& f) {  // f on the body at x
        std::array<double, 9> what{};
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) what[3 * a + b] = -component(f, a) * component(l, b) / thickness;
        spread(all, x, l, kContact, what);
      };
      const auto to_wall = [&](const Vec3d& x, const Vec3d& point, const Vec3d& f) {
        stress(x, point - x, f);
        spread(all, point, {}, kWall, std::array{f.x / thickness, f.y / thickness, f.z / thickness});
      };
      for (const FrameContact& c : frame.contacts) {
        const std::int64_t i = index_of(p, c.i), j = c.j < 0 ? -1 : index_of(p, c.j);
        if (i < 0 || (c.j >= 0 && j < 0)) continue;
        const bool i_free = !p.prescribed[i], j_free = j >= 0 && !p.prescribed[j];
        const Vec3d branch = (p.radius[i] + (j >= 0 ? p.radius[j] : 0) - c.overlap) * c.n;
        if (i_free && j_free) stress(p.x[i], branch, c.force);
        else if (i_free) to_wall(p.x[i], c.point, c.force);
        else if (j_free) to_wall(p.x[i] + branch, c.point, -c.force);
      }
      for (const FrameBond& b : frame.bonds) {
        const std::int64_t i = index_of(p, b.i), j = b.j < 0 ? -1 : index_of(p, b.j);
        if (i < 0 || (b.j >= 0 && j < 0)) continue;
        const bool i_free = !p.prescribed[i], j_free = j >= 0 && !p.prescribed[j];
        const Vec3d branch = j >= 0 ? periodicity_.nearest(p.x[j] - p.x[i]) : Vec3d{};
        const Vec3d middle = 0.5 * (b.at_i + b.at_j);
        if (i_free && j_free) stress(p.x[i], branch, b.force);
        else if (i_free) to_wall(p.x[i], j >= 0 ? middle : b.at_j, b.force);
        else if (j_free) to_wall(p.x[i] + branch, middle, -b.force);
      }
    }
    return all;
  }

  // Means over the grid; the mass is the integral.
  std::vector<double> values(const std::vector<double>& sample) const override {
    std::array<double, kAll> total{};
    double fluctuation = 0;
    for (std::size_t at = 0; at < sample.size(); at += width_) {
      for (std::size_t k = 0; k < width_; ++k) total[k] += sample[at + k];
      fluctuation += trace_of_kinetic(&sample[at]);
    }
    const double cells = grid_.count(), rho = total[kDensity], none = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> line{rho * grid_.volume(), total[kSolid] / cells};
    for (int a = 0; a < 3; ++a) line.push_back(rho > 0 ? total[kMomentum + a] / rho : none);
    line.push_back(rho > 0 ? fluctuation / (domain_.dimension * rho) : none);
    if (!group_.empty()) return line;
    line.push_back((total[kContact] + total[kContact + 4] + total[kContact + 8] + fluctuation) /
                   (domain_.dimension * cells));
    for (int a = 0; a < 3; ++a) line.push_back(total[kWall + a] * grid_.volume());
    return line;
  }

  FieldPicture picture(const Frame& /*frame*/, const std::vector<double>& sample) const override {
    FieldImage image{grid_.origin, grid_.spacing, grid_.cells, {}};
    const std::size_t n = sample.size() / width_;
    const double none = std::numeric_limits<double>::quiet_NaN();
    const auto add = [&](const char* name, int components, auto&& value) {
      FieldArray& array = image.arrays.emplace_back(FieldArray{name, components, {}});
      array.values.reserve(n * static_cast<std::size_t>(components));
      for (std::size_t cell = 0; cell < n; ++cell)
        for (int k = 0; k < components; ++k) array.values.push_back(value(&sample[cell * width_], k));
    };
    const auto kinetic = [](const double* s, int k) {
      const int upper = kInUpper[static_cast<std::size_t>(k)];
      const auto& [a, b] = kUpper[static_cast<std::size_t>(upper)];
      const double rho = s[kDensity];
      return rho > 0 ? s[kFlux + upper] - s[kMomentum + a] * s[kMomentum + b] / rho : 0.0;
    };
    add("density", 1, [](const double* s, int) { return s[kDensity]; });
    add("solid_fraction", 1, [](const double* s, int) { return s[kSolid]; });
    add("velocity", 3, [&](const double* s, int k) { return s[kDensity] > 0 ? s[kMomentum + k] / s[kDensity] : none; });
    add("temperature", 1, [&](const double* s, int) {
      return s[kDensity] > 0 ? trace_of_kinetic(s) / (domain_.dimension * s[kDensity]) : none;
    });
    add("kinetic_stress", 9, kinetic);
    if (!group_.empty()) return image;
    add("contact_stress", 9, [](const double* s, int k) { return s[kContact + k]; });
    add("pressure", 1, [&](const double* s, int) {
      return (s[kContact] + s[kContact + 4] + s[kContact + 8] + trace_of_kinetic(s)) / domain_.dimension;
    });
    add("wall_force", 3, [](const double* s, int k) { return s[kWall + k]; });
    return image;
  }

 private:
  // In the plane the share of area.
  double solid(double r) const {
    using std::numbers::pi;
    return flat_axis_ >= 0 ? pi * r * r : 4.0 / 3.0 * pi * r * r * r;
  }
  // Not below zero by rounding, where all move alike.
  static double trace_of_kinetic(const double* s) {
    if (!(s[kDensity] > 0)) return 0;
    const double p2 =
        s[kMomentum] * s[kMomentum] + s[kMomentum + 1] * s[kMomentum + 1] + s[kMomentum + 2] * s[kMomentum + 2];
    return std::max(0.0, s[kFlux] + s[kFlux + 3] + s[kFlux + 5] - p2 / s[kDensity]);
  }

  // Adds `what` times phi along the line from x to x + l, of all its images, to the numbers of each cell from `first`
  // on.
  template <std::size_t N>
  void spread(std::vector<double>& all, Vec3d x, Vec3d l, std::size_t first, const std::array<double, N>& what) const {
    if (flat_axis_ >= 0) component(x, flat_axis_) = component(l, flat_axis_) = 0;
    std::array<int, 3> low{}, high{};  // periods by which it is shifted
    for (int a = 0; a < 3; ++a) {
      if (!periodicity_.on[static_cast<std::size_t>(a)] || a == flat_axis_) continue;
      const double begin = component(grid_.origin, a), span = component(periodicity_.length, a);
      const double end =
          begin + component(grid_.spacing, a) * static_cast<double>(grid_.cells[static_cast<std::size_t>(a)]);
      const double from = std::min(component(x, a), component(x, a) + component(l, a)) - phi_.reach();
      const double to = std::max(component(x, a), component(x, a) + component(l, a)) + phi_.reach();
      low[static_cast<std::size_t>(a)] = static_cast<int>(std::ceil((begin - to) / span));
      high[static_cast<std::size_t>(a)] = static_cast<int>(std::floor((end - from) / span));
    }
    std::array<int, 3> by{};
    for (by[0] = low[0]; by[0] <= high[0]; ++by[0])
      for (by[1] = low[1]; by[1] <= high[1]; ++by[1])
        for (by[2] = low[2]; by[2] <= high[2]; ++by[2]) {
          Vec3d image = x;
          for (int a = 0; a < 3; ++a)
            if (by[static_cast<std::size_t>(a)] != 0)
              component(image, a) += by[static_cast<std::size_t>(a)] * component(periodicity_.length, a);
          spread_one(all, image, l, first, what);
        }
  }
  template <std::size_t N>
  void spread_one(std::vector<double>& all, const Vec3d& x, const Vec3d& l, std::size_t first,
                  const std::array<double, N> what) const {  // a copy, which cannot be one with the cells
    const SpreadLine line(phi_, l);
    const auto middle = [&](int a, std::int64_t k) {
      return a == flat_axis_
                 ? 0
                 : component(grid_.origin, a) + (static_cast<double>(k) + 0.5) * component(grid_.spacing, a);
    };
    const auto [y_low, y_high] =
        cells_between(1, x.y + std::min(0.0, l.y) - phi_.reach(), x.y + std::max(0.0, l.y) + phi_.reach());
    const auto [z_low, z_high] =
        cells_between(2, x.z + std::min(0.0, l.z) - phi_.reach(), x.z + std::max(0.0, l.z) + phi_.reach());
    for (std::int64_t kz = z_low; kz <= z_high; ++kz)
      for (std::int64_t ky = y_low; ky <= y_high; ++ky) {
        const double y = middle(1, ky) - x.y, z = middle(2, kz) - x.z;
        const SpreadLine::Row row = line.row(y, z);
        if (row.low > row.high) continue;
        const auto [x_low, x_high] = cells_between(0, x.x + row.low, x.x + row.high);
        const std::int64_t cells_before = grid_.cells[0] * (ky + grid_.cells[1] * kz);
        for (std::int64_t kx = x_low; kx <= x_high; ++kx) {
          const double phi = line.at({middle(0, kx) - x.x, y, z});
          double* const at = &all[static_cast<std::size_t>(cells_before + kx) * width_ + first];
          for (std::size_t k = 0; k < N; ++k) at[k] += phi * what[k];
        }
      }
  }
  // The first and the last cell whose middles lie between two places along an axis.
  std::array<std::int64_t, 2> cells_between(int a, double from, double to) const {
    if (a == flat_axis_) return {0, 0};
    const double begin = component(grid_.origin, a), spacing = component(grid_.spacing, a);
    const double last = static_cast<double>(grid_.cells[static_cast<std::size_t>(a)] - 1);
    return {static_cast<std::int64_t>(std::clamp(std::ceil((from - begin) / spacing - 0.5), 0.0, last + 1)),
            static_cast<std::int64_t>(std::clamp(std::floor((to - begin) / spacing - 0.5), -1.0, last))};
  }

  std::string group_;
  Domain domain_;
  FieldGrid grid_;
  CoarseGraining phi_;
  Periodicity periodicity_;
  int flat_axis_;      // -1 in space
  std::size_t width_;  // numbers of a cell
};

void check_field(Rules& r, const std::string& key, const Measure& m) {
  const Domain& d = r.settings().domain;
  if (m.region.kind != Region::Kind::box || m.region.outside)
    return r.add(key + ".region", "", "a field needs a box, which its grid fills");
  if (!Rules::is_positive(m.cell)) r.add(key + ".cell", "", "is missing: the edge of the grid's cells");
  if (!Rules::is_positive(m.width))
    r.add(key + ".width", "", "is missing: the width of the coarse-graining function, about a diameter");
  if (!Rules::is_positive(m.cell) || !Rules::is_positive(m.width)) return;
  if (m.cell > m.width)
    r.add(key + ".cell", fmt::format("{}", m.cell),
          fmt::format("must be at most `width` = {}: particles would fall between the points of the grid", m.width));
  const Vec3d size = m.region.box.max - m.region.box.min;
  if (!(size.x >= 0 && size.y >= 0 && size.z >= 0)) return;  // told by the region itself
  if (is_flat(d) && !(thickness_of(d, m.region.box) > 0))
    return r.add(key + ".region", "", "a field is per volume: give the box a thickness, or the disks (`domain`)");
  for (int a = 0; a < 3; ++a)
    if (d.periodic[static_cast<std::size_t>(a)] && m.width > component(d.box.max - d.box.min, a))
      r.add(key + ".width", fmt::format("{}", m.width), "must be at most the length of the periodic box");
  double cells = 1;
  for (int a = 0; a < 3; ++a)
    if (!is_flat(d) || a != d.flat_axis) cells *= cells_along(component(size, a), m.cell);
  if (!(cells <= kMostFieldCells))
    r.add(key + ".cell", fmt::format("{}", m.cell),
          fmt::format("makes a grid of more than {} cells; take longer ones", kMostFieldCells));
}

}  // namespace

extern const MeasureInfo kField;
const MeasureInfo kField{
    Measure::Kind::field,
    "field",
    false,
    check_field,
    [](const Measure& m, const Case& c) -> std::unique_ptr<Gauge> { return std::make_unique<FieldGauge>(m, c); },
    ".vti"};

}  // namespace areia

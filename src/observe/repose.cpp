// Angle of repose by the four-slope method, 000 example 4.6. In the two vertical planes through the base point, along a
// and b (horizontal, at right angles), the four faces +a, -a, +b, -b are measured apart:
//   1. a slice of the heap, two mean diameters to either side of the plane, is cut outwards from the base point into
//   bins
//      of one mean diameter; the top of the highest grain of a bin, above the base, is the surface there;
//   2. H is the highest of these over the four faces;
//   3. of each face the bins from the last one above 0.8 H to the first one below 0.2 H, both left out, are fitted by a
//      straight line; a face with fewer than three such bins takes these two in as well;
//   4. the slope of a face is the fall of its line; the angle is the mean of those of the four faces, 000 (4.7).
// A heap lower than three mean diameters has no slope: 0.
#include <cmath>
#include <limits>
#include <numbers>

#include "observe/measures.h"
#include "observe/selection.h"

namespace areia {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kUpper = 0.8, kLower = 0.2;

// A horizontal direction: that of the global axis x, or of y where the first is nearly upright.
Vec3d first_horizontal(const Vec3d& up) {
  const Vec3d axis = std::fabs(up.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  return unit(axis - dot(axis, up) * up);
}

// Fall per length of the line through the tops of bins from `first` to `last`; bins without a grain are passed over.
double fall(const std::vector<double>& tops, std::size_t first, std::size_t last, double width) {
  double n = 0, s = 0, h = 0, ss = 0, sh = 0;
  for (std::size_t k = first; k <= last && k < tops.size(); ++k) {
    if (std::isnan(tops[k])) continue;
    const double x = (static_cast<double>(k) + 0.5) * width;
    n += 1;
    s += x;
    h += tops[k];
    ss += x * x;
    sh += x * tops[k];
  }
  return n >= 2 ? -(n * sh - s * h) / (n * ss - s * s) : kNone;
}

double face_slope(std::vector<double> tops, double height, double width) {
  tops.push_back(0);  // the base behind the last grain
  std::size_t above = 0, below = 0;
  for (std::size_t k = 0; k < tops.size(); ++k)
    if (tops[k] > kUpper * height) above = k;
  for (below = above + 1; below + 1 < tops.size() && !(tops[below] < kLower * height);) ++below;
  if (!(tops[above] > kUpper * height)) return kNone;  // this side does not reach up to the top
  std::size_t between = 0;
  for (std::size_t k = above + 1; k < below; ++k) between += !std::isnan(tops[k]);
  return between >= 3 ? fall(tops, above + 1, below - 1, width) : fall(tops, above, below, width);
}

}  // namespace

ReposeAngle repose_angle(const Frame& frame, const Selection& selection, const Vec3d& base, const Vec3d& up_direction) {
  const FrameParticles& p = frame.particles;
  const Vec3d up = unit(up_direction), a = first_horizontal(up), b = cross(up, a);
  double count = 0, radii = 0;
  for_each_selected(frame, selection, [&](std::size_t k) {
    count += 1;
    radii += p.radius[k];
  });
  ReposeAngle result;
  if (count == 0) {
    result.slopes.fill(kNone);
    result.slope = result.degrees = result.height = kNone;
    return result;
  }
  const double diameter = 2 * radii / count;
  std::array<std::vector<double>, 4> tops;
  for_each_selected(frame, selection, [&](std::size_t k) {
    const Vec3d x = p.x[k] - base;
    const double height = dot(x, up) + p.radius[k];
    const auto enter = [&](int face, double along, double across) {
      if (std::fabs(across) > 2 * diameter || along < 0) return;
      constexpr double kMostBins = 1e5;  // a stray grain far away does not belong to the heap
      const double place = std::floor(along / diameter);
      if (place > kMostBins) return;
      std::vector<double>& all = tops[face];
      const auto bin = static_cast<std::size_t>(place);
      if (bin >= all.size()) all.resize(bin + 1, kNone);
      if (!(all[bin] >= height)) all[bin] = height;
      result.height = std::max(result.height, height);
    };
    enter(0, dot(x, a), dot(x, b));
    enter(1, -dot(x, a), dot(x, b));
    enter(2, dot(x, b), dot(x, a));
    enter(3, -dot(x, b), dot(x, a));
  });
  if (result.height < 3 * diameter) return result;  // nothing stands
  double sum = 0, angles = 0, faces = 0;
  for (int face = 0; face < 4; ++face) {
    result.slopes[face] = face_slope(tops[face], result.height, diameter);
    if (std::isnan(result.slopes[face])) continue;
    sum += result.slopes[face];
    angles += std::atan(result.slopes[face]);
    faces += 1;
  }
  result.slope = faces > 0 ? sum / faces : kNone;
  result.degrees = faces > 0 ? angles / faces * 180 / std::numbers::pi : kNone;
  return result;
}

extern const MeasureInfo kReposeAngle;
const MeasureInfo kReposeAngle{
    Measure::Kind::repose_angle, "repose_angle", false, nullptr,
    [](const Measure& m, const Case&) -> std::unique_ptr<Gauge> {
      using R = ReposeAngle;
      Columns<R> columns{
          {"angle_deg", [](const R& r) { return r.degrees; }},  {"slope", [](const R& r) { return r.slope; }},
          {"slope_a+", [](const R& r) { return r.slopes[0]; }}, {"slope_a-", [](const R& r) { return r.slopes[1]; }},
          {"slope_b+", [](const R& r) { return r.slopes[2]; }}, {"slope_b-", [](const R& r) { return r.slopes[3]; }},
          {"height_m", [](const R& r) { return r.height; }}};
      return std::make_unique<FrameGauge<R>>(columns, [m](const Frame& f) {
        return repose_angle(f, {m.group, m.region}, m.point, m.axis);
      });
    }};

}  // namespace areia

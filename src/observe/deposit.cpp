// Statistics of grains deposited on a plate, 000 example 4.7: d_i = distance to the axis through `plate` along
// `normal`, h_i = height of the centre above the plate. Means and population standard deviations.
#include <cmath>
#include <limits>

#include "observe/measures.h"
#include "observe/selection.h"

namespace areia {

DepositStatistics deposit_statistics(const Frame& frame, const Selection& selection, const Vec3d& plate,
                                     const Vec3d& normal, double target) {
  const Vec3d n = unit(normal);
  std::vector<double> distance, thickness;
  for_each_selected(frame, selection, [&](std::size_t k) {
    const Vec3d from_plate = frame.particles.x[k] - plate;
    const double height = dot(from_plate, n);
    thickness.push_back(height);
    distance.push_back(norm(from_plate - height * n));
  });
  DepositStatistics s;
  s.count = static_cast<std::int64_t>(distance.size());
  const auto mean_and_std = [](const std::vector<double>& all, double& mean, double& std) {
    const double n = static_cast<double>(all.size());
    double sum = 0, squares = 0;
    for (const double v : all) sum += v;
    mean = sum / n;  // NaN without particles
    for (const double v : all) squares += (v - mean) * (v - mean);
    std = std::sqrt(squares / n);
  };
  mean_and_std(distance, s.distance_mean, s.distance_std);
  mean_and_std(thickness, s.thickness_mean, s.thickness_std);
  const auto hits = std::count_if(distance.begin(), distance.end(), [&](double d) { return d <= target; });
  s.share =
      s.count > 0 ? static_cast<double>(hits) / static_cast<double>(s.count) : std::numeric_limits<double>::quiet_NaN();
  return s;
}

extern const MeasureInfo kDeposit;
const MeasureInfo kDeposit{Measure::Kind::deposit, "deposit", false,
                           [](Rules& r, const std::string& key, const Measure& m) {
                             if (m.radius == 0) r.add(key + ".radius", "", "is missing: the radius of the target");
                           },
                           [](const Measure& m, const Case&) -> std::unique_ptr<Gauge> {
                             using D = DepositStatistics;
                             Columns<D> columns{{"particles", [](const D& d) { return static_cast<double>(d.count); }},
                                                {"distance_mean_m", [](const D& d) { return d.distance_mean; }},
                                                {"distance_std_m", [](const D& d) { return d.distance_std; }},
                                                {"share_in_target", [](const D& d) { return d.share; }},
                                                {"thickness_mean_m", [](const D& d) { return d.thickness_mean; }},
                                                {"thickness_std_m", [](const D& d) { return d.thickness_std; }}};
                             return std::make_unique<FrameGauge<D>>(columns, [m](const Frame& f) {
                               return deposit_statistics(f, {m.group, m.region}, m.point, m.axis, m.radius);
                             });
                           }};

}  // namespace areia

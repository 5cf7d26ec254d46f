// Histograms of the contacts whose point lies in a region: |f_n| over its mean and |f_t| over its mean, as densities of
// probability P, so that sum P times the width of a bin is one less the share beyond the last bin.
#include <cmath>
#include <limits>

#include "observe/measures.h"
#include "observe/selection.h"

namespace areia {

namespace {

class ForceGauge : public Gauge {
 public:
  explicit ForceGauge(const Measure& m) : region_(m.region), bins_(static_cast<std::size_t>(m.bins)), up_to_(m.up_to) {}

  std::vector<std::string> columns() const override {
    return {"force_over_mean", "normal", "tangential", "contacts", "mean_normal_N", "mean_tangential_N"};
  }

  std::vector<double> sample(const Frame& frame) override {
    double n = 0, normal = 0, tangential = 0;
    const auto for_each = [&](auto&& look) {
      for (const FrameContact& c : frame.contacts)
        if (contains(region_, c.point)) look(std::fabs(c.normal), c.tangential);
    };
    for_each([&](double fn, double ft) {
      n += 1;
      normal += fn;
      tangential += ft;
    });
    const double none = std::numeric_limits<double>::quiet_NaN();
    const double mean_n = n > 0 ? normal / n : none, mean_t = n > 0 ? tangential / n : none;
    std::vector<double> of_normal(bins_, 0), of_tangential(bins_, 0);
    const double width = up_to_ / static_cast<double>(bins_);
    for_each([&](double fn, double ft) {
      const auto count = [&](std::vector<double>& histogram, double over_mean) {
        const double bin = std::floor(over_mean / width);
        if (bin >= 0 && bin < static_cast<double>(bins_)) histogram[static_cast<std::size_t>(bin)] += 1;
      };
      count(of_normal, fn / mean_n);
      count(of_tangential, ft / mean_t);
    });
    std::vector<double> all;
    for (std::size_t b = 0; b < bins_; ++b)
      all.insert(all.end(), {(static_cast<double>(b) + 0.5) * width, mean_n > 0 ? of_normal[b] / (n * width) : none,
                             mean_t > 0 ? of_tangential[b] / (n * width) : none, n, mean_n, mean_t});
    return all;
  }

 private:
  Region region_;
  std::size_t bins_;
  double up_to_;
};

}  // namespace

extern const MeasureInfo kForceDistribution;
const MeasureInfo kForceDistribution{
    Measure::Kind::force_distribution, "force_distribution", true, nullptr,
    [](const Measure& m, const Case&) -> std::unique_ptr<Gauge> { return std::make_unique<ForceGauge>(m); }};

}  // namespace areia

// A measure of a case as columns and lines, of instants or of windows in time.
#include <cmath>
#include <limits>

#include "areia/error.h"
#include "areia/observe.h"
#include "observe/measures.h"
#include "observe/plane.h"

namespace areia {

// Inside is strictly inside, and a box without thickness, which a 2-D case may give, would hold nothing.
static Measure with_thickness(Measure m, const Domain& d) {
  if (!is_flat(d) || m.region.kind != Region::Kind::box) return m;
  double &low = component(m.region.box.min, d.flat_axis), &high = component(m.region.box.max, d.flat_axis);
  const double thickness = d.disk_thickness > 0 ? d.disk_thickness : 1;
  if (low == high) {
    low -= 0.5 * thickness;
    high += 0.5 * thickness;
  }
  return m;
}

Observer::Observer(const Measure& measure, const Case& settings)
    : name_(measure.name),
      averages_(measure.average > 0),
      gauge_(measure_info(measure.kind).gauge(with_thickness(measure, settings.domain), settings)) {}
Observer::Observer(Observer&&) noexcept = default;
Observer::~Observer() = default;

std::vector<std::string> Observer::columns() const {
  std::vector<std::string> all{"time_s"};
  for (std::string& name : gauge_->columns()) all.push_back(std::move(name));
  if (averages_) all.emplace_back("looks");
  return all;
}

void Observer::look(const Frame& frame) {
  std::vector<double> sample = gauge_->sample(frame);
  if (!averages_) begin_window();
  if (averages_ && frame.step == 0) return;  // seen, since some measures go on from it, but no part of a window
  if (looks_++ == 0) {
    sum_.assign(sample.size(), 0);
    counts_.clear();
  }
  if (sum_.size() != sample.size()) throw FileError("the checkpoint holds another window of " + key());
  for (std::size_t k = 0; k < sample.size(); ++k) {
    if (!std::isnan(sample[k])) {
      sum_[k] += sample[k];
      if (!counts_.empty()) ++counts_[k];
      continue;
    }
    if (counts_.empty()) {
      counts_.assign(sample.size(), looks_ - 1);
      for (std::size_t before = 0; before < k; ++before) ++counts_[before];
    }
  }
}

void Observer::begin_window() { looks_ = 0; }

std::vector<double> Observer::mean() const {
  std::vector<double> mean = sum_;
  for (std::size_t k = 0; k < mean.size(); ++k) {
    const std::int64_t n = counts_.empty() ? looks_ : counts_[k];
    mean[k] = n > 0 ? mean[k] / static_cast<double>(n) : std::numeric_limits<double>::quiet_NaN();
  }
  return mean;
}

std::vector<std::vector<double>> Observer::lines(const Frame& frame) const {
  const std::size_t width = gauge_->columns().size();
  const std::vector<double> values = gauge_->values(mean());
  std::vector<std::vector<double>> lines;
  for (std::size_t first = 0; first + width <= values.size(); first += width) {
    std::vector<double>& line = lines.emplace_back();
    line.push_back(frame.time);
    for (std::size_t k = 0; k < width; ++k) line.push_back(values[first + k]);
    if (averages_) line.push_back(static_cast<double>(looks_));
  }
  return lines;
}

FieldPicture Observer::picture(const Frame& frame) const { return gauge_->picture(frame, mean()); }

void Observer::save(Archive& archive) const {
  gauge_->save(archive, key());
  if (!averages_) return;
  archive.integer[key() + ".looks"] = {looks_};
  archive.integer[key() + ".counts"] = looks_ > 0 ? counts_ : std::vector<std::int64_t>();
  archive.real[key() + ".sum"] = looks_ > 0 ? sum_ : std::vector<double>();
}

void Observer::load(const Archive& archive) {
  gauge_->load(archive, key());
  if (!averages_) return;
  const auto looks = archive.integer.find(key() + ".looks"), counts = archive.integer.find(key() + ".counts");
  const auto sum = archive.real.find(key() + ".sum");
  if (looks == archive.integer.end() || counts == archive.integer.end() || sum == archive.real.end() ||
      looks->second.size() != 1 || looks->second[0] < 0 ||
      (!counts->second.empty() && counts->second.size() != sum->second.size()))
    throw FileError("the checkpoint does not hold the window of " + key());
  looks_ = looks->second[0];
  counts_ = counts->second;
  sum_ = sum->second;
}

}  // namespace areia

// A measure of a case as columns and lines.
#include "areia/observe.h"
#include "observe/measures.h"

namespace areia {

Observer::Observer(const Measure& measure) : name_(measure.name), gauge_(measure_info(measure.kind).gauge(measure)) {}
Observer::Observer(Observer&&) noexcept = default;
Observer::~Observer() = default;

std::vector<std::string> Observer::columns() const {
  std::vector<std::string> all{"time_s"};
  for (std::string& name : gauge_->columns()) all.push_back(std::move(name));
  return all;
}

std::vector<double> Observer::values(const Frame& frame) {
  std::vector<double> all{frame.time};
  for (const double v : gauge_->values(frame)) all.push_back(v);
  return all;
}

void Observer::save(Archive& archive) const { gauge_->save(archive, "output.measure." + name_); }

void Observer::load(const Archive& archive) { gauge_->load(archive, "output.measure." + name_); }

}  // namespace areia

// Mass and number that cross a disc. From frame to frame each particle is taken to move on a straight line: it crosses
// when its centre changes sides, at the point where the line meets the plane. The centre on the plane counts as behind.
#include <utility>

#include "areia/error.h"
#include "observe/measures.h"
#include "observe/selection.h"

namespace areia {

MassFlow::MassFlow(std::string group, const Vec3d& point, const Vec3d& normal, double radius)
    : group_(std::move(group)), point_(point), normal_(unit(normal)), radius_(radius) {}

void MassFlow::look(const Frame& frame) {
  const FrameParticles& p = frame.particles;
  mass_ = 0;
  number_ = 0;
  std::vector<std::int64_t> ids;
  std::vector<Vec3d> places;
  std::size_t last = 0;
  for_each_selected(frame, {group_}, [&](std::size_t k) {
    ids.push_back(p.id[k]);
    places.push_back(p.x[k]);
    while (last < ids_.size() && ids_[last] < p.id[k]) ++last;
    if (last == ids_.size() || ids_[last] != p.id[k]) return;  // new
    const double before = dot(places_[last] - point_, normal_), after = dot(p.x[k] - point_, normal_);
    if ((before > 0) == (after > 0)) return;
    const Vec3d crossing = places_[last] + (before / (before - after)) * (p.x[k] - places_[last]);
    if (radius_ > 0 && norm2(crossing - point_) > radius_ * radius_) return;
    const int sign = after > 0 ? 1 : -1;
    mass_ += sign * p.mass[k];
    number_ += sign;
  });
  rate_ = frame.time > time_ ? mass_ / (frame.time - time_) : 0;
  total_mass_ += mass_;
  total_number_ += number_;
  time_ = frame.time;
  ids_ = std::move(ids);
  places_ = std::move(places);
}

void MassFlow::save(Archive& archive, const std::string& key) const {
  archive.integer[key + ".ids"] = ids_;
  archive.integer[key + ".number"] = {total_number_};
  std::vector<double>& x = archive.real[key + ".places"];
  x.clear();
  for (const Vec3d& place : places_) x.insert(x.end(), {place.x, place.y, place.z});
  archive.real[key + ".mass"] = {total_mass_, time_};
}

void MassFlow::load(const Archive& archive, const std::string& key) {
  const auto ids = archive.integer.find(key + ".ids"), number = archive.integer.find(key + ".number");
  const auto places = archive.real.find(key + ".places"), mass = archive.real.find(key + ".mass");
  if (ids == archive.integer.end() || number == archive.integer.end() || places == archive.real.end() ||
      mass == archive.real.end() || number->second.size() != 1 || mass->second.size() != 2 ||
      places->second.size() != 3 * ids->second.size())
    throw FileError("the checkpoint does not hold " + key);
  ids_ = ids->second;
  total_number_ = number->second[0];
  total_mass_ = mass->second[0];
  time_ = mass->second[1];
  places_.clear();
  for (std::size_t k = 0; k < ids_.size(); ++k)
    places_.push_back({places->second[3 * k], places->second[3 * k + 1], places->second[3 * k + 2]});
}

namespace {

class FlowGauge : public Gauge {
 public:
  explicit FlowGauge(const Measure& m) : flow_(m.group, m.point, m.axis, m.radius) {}
  std::vector<std::string> columns() const override { return names_of(columns_); }
  std::vector<double> sample(const Frame& frame) override {
    flow_.look(frame);
    return values_of(columns_, flow_);
  }
  void save(Archive& archive, const std::string& key) const override { flow_.save(archive, key); }
  void load(const Archive& archive, const std::string& key) override { flow_.load(archive, key); }

 private:
  using M = MassFlow;
  Columns<M> columns_{{"mass_kg", [](const M& f) { return f.mass(); }},
                      {"number", [](const M& f) { return static_cast<double>(f.number()); }},
                      {"rate_kg/s", [](const M& f) { return f.rate(); }},
                      {"total_mass_kg", [](const M& f) { return f.total_mass(); }},
                      {"total_number", [](const M& f) { return static_cast<double>(f.total_number()); }}};
  M flow_;
};

}  // namespace

extern const MeasureInfo kMassFlow;
const MeasureInfo kMassFlow{
    Measure::Kind::mass_flow, "mass_flow", false, nullptr,
    [](const Measure& m, const Case&) -> std::unique_ptr<Gauge> { return std::make_unique<FlowGauge>(m); }};

}  // namespace areia

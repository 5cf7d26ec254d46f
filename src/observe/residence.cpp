// How long particles stay in a region. A centre that is inside at one look and was not at the look before came in
// halfway between them, and left halfway in the same way; so did one that is there for the first time, or is gone.
// Those that are inside at the first look came in then. Each stay counts when it is over; one that comes again begins a
// new stay. Percentiles are of the stays that are over, between two of them in proportion.
#include <cmath>
#include <limits>

#include "areia/error.h"
#include "observe/measures.h"
#include "observe/selection.h"

namespace areia {

namespace {

class ResidenceGauge : public Gauge {
 public:
  explicit ResidenceGauge(const Measure& m) : selection_{m.group, m.region} {}

  std::vector<std::string> columns() const override {
    return {"inside", "mean_age_s", "stays", "mean_s", "std_s", "p10_s", "p50_s", "p90_s"};
  }

  std::vector<double> sample(const Frame& frame) override {
    const double between = began_ ? 0.5 * (last_look_ + frame.time) : frame.time;
    std::vector<std::int64_t> ids;
    std::vector<double> since;
    std::size_t before = 0;
    const auto end_those_below = [&](std::int64_t id) {
      for (; before < ids_.size() && ids_[before] < id; ++before) insert(between - since_[before]);
    };
    for_each_selected(frame, selection_, [&](std::size_t k) {
      const std::int64_t id = frame.particles.id[k];
      end_those_below(id);
      const bool stayed = before < ids_.size() && ids_[before] == id;
      ids.push_back(id);
      since.push_back(stayed ? since_[before++] : between);
    });
    end_those_below(std::numeric_limits<std::int64_t>::max());
    ids_ = std::move(ids);
    since_ = std::move(since);
    last_look_ = frame.time;
    began_ = true;
    std::sort(stays_.begin(), stays_.end());

    const double none = std::numeric_limits<double>::quiet_NaN();
    const auto inside = static_cast<double>(ids_.size()), n = static_cast<double>(stays_.size());
    double age = 0, sum = 0, squares = 0;
    for (const double t : since_) age += frame.time - t;
    for (const double t : stays_) sum += t;
    for (const double t : stays_) squares += (t - sum / n) * (t - sum / n);
    return {inside,
            inside > 0 ? age / inside : none,
            n,
            n > 0 ? sum / n : none,
            n > 0 ? std::sqrt(squares / n) : none,
            percentile(0.1),
            percentile(0.5),
            percentile(0.9)};
  }

  void save(Archive& archive, const std::string& key) const override {
    archive.integer[key + ".ids"] = ids_;
    archive.real[key + ".since"] = since_;
    archive.real[key + ".stays"] = stays_;
    archive.real[key + ".look"] = {last_look_, began_ ? 1.0 : 0.0};
  }
  void load(const Archive& archive, const std::string& key) override {
    const auto ids = archive.integer.find(key + ".ids");
    const auto since = archive.real.find(key + ".since"), stays = archive.real.find(key + ".stays");
    const auto look = archive.real.find(key + ".look");
    if (ids == archive.integer.end() || since == archive.real.end() || stays == archive.real.end() ||
        look == archive.real.end() || look->second.size() != 2 || since->second.size() != ids->second.size())
      throw FileError("the checkpoint does not hold " + key);
    ids_ = ids->second;
    since_ = since->second;
    stays_ = stays->second;
    last_look_ = look->second[0];
    began_ = look->second[1] != 0;
  }

 private:
  void insert(double stay) { stays_.push_back(stay); }
  double percentile(double share) const {
    if (stays_.empty()) return std::numeric_limits<double>::quiet_NaN();
    const double place = share * static_cast<double>(stays_.size() - 1);
    const auto low = static_cast<std::size_t>(place);
    const std::size_t high = std::min(low + 1, stays_.size() - 1);
    return stays_[low] + (place - static_cast<double>(low)) * (stays_[high] - stays_[low]);
  }

  Selection selection_;
  bool began_ = false;
  double last_look_ = 0;
  std::vector<std::int64_t> ids_;  // inside at the last look, ascending
  std::vector<double> since_;
  std::vector<double> stays_;  // that are over, ascending after each look
};

}  // namespace

extern const MeasureInfo kResidence;
const MeasureInfo kResidence{
    Measure::Kind::residence,
    "residence",
    false,
    [](Rules& r, const std::string& key, const Measure& m) {
      if (m.region.kind == Region::Kind::all)
        r.add(key + ".region", "", "is missing: the region in which particles stay");
    },
    [](const Measure& m, const Case&) -> std::unique_ptr<Gauge> { return std::make_unique<ResidenceGauge>(m); },
    nullptr,
    true};

}  // namespace areia

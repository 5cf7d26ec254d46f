#include "observe/watched_value.h"

#include <fmt/format.h>

#include <limits>

#include "observe/series_columns.h"
#include "observe/series_names.h"
#include "scene/case_facts.h"
#include "scene/region.h"

namespace areia {
namespace {

struct Source {
  std::string name;
  std::vector<std::string> columns;
  std::function<std::vector<double>(const Frame&)> values;
  std::shared_ptr<Observer> observer = nullptr;
};

// Those that the case has, in the order in which they are told.
std::vector<Source> sources(const Case& c) {
  std::vector<std::string> walls;
  for (const Wall& w : c.walls) walls.push_back(w.name);
  std::vector<SolidFractionRegion> regions = c.output.solid_fraction;
  for (SolidFractionRegion& r : regions) repeat_with(c.domain, r.region);
  const bool bonds = !c.bonds.empty(), streams = has_streams(c);
  std::vector<Source> all{
      {std::string(kStateSeries), state_columns(regions, bonds, streams),
       [=](const Frame& f) { return state_values(f, regions, bonds, streams); }},
      {std::string(kEnergySeries), energy_columns(), energy_values},
      {std::string(kWallSeries), wall_columns(walls), [=](const Frame& f) { return wall_values(f, walls); }},
      {std::string(kParticleSeries), track_columns(c.output.track),
       [ids = c.output.track](const Frame& f) { return track_values(f, ids); }}};
  if (c.domain.deforms())
    all.push_back({std::string(kCellSeries), cell_columns(c.domain),
                   [domain = c.domain](const Frame& f) { return cell_values(f, domain); }});
  for (Measure m : c.output.measure) {
    const std::string name = m.name;
    repeat_with(c.domain, m.region);
    m.name = "until " + name;  // in archives its memory is not that of the series
    m.average = 0;             // its value at the look, not the mean of those before it
    const auto observer = std::make_shared<Observer>(m, c);
    const std::vector<std::string> columns = observer->columns();
    const auto last_line = [observer, width = columns.size()](const Frame& f) {
      observer->look(f);
      const auto lines = observer->lines(f);
      return lines.empty() ? std::vector<double>(width, std::numeric_limits<double>::quiet_NaN()) : lines.back();
    };
    all.push_back({name, columns, last_line, observer});
  }
  return all;
}

std::vector<std::string> names_in(const std::vector<Source>& all) {
  std::vector<std::string> names;
  for (const Source& s : all)
    for (std::size_t k = 1; k < s.columns.size(); ++k) names.push_back(s.name + "." + s.columns[k]);
  return names;
}

}  // namespace

WatchedValue::WatchedValue(const Case& c, const std::string& name) {
  for (const Source& s : sources(c))
    for (std::size_t k = 1; k < s.columns.size(); ++k)
      if (s.name + "." + s.columns[k] == name) {
        values_ = s.values;
        column_ = k;
        observer_ = s.observer;
      }
  if (!values_) throw InputError("stages.until.value", name, "is no number of a series of this case");
}

double WatchedValue::of(const Frame& frame) { return values_(frame)[column_]; }
void WatchedValue::save(Archive& archive) const {
  if (observer_) observer_->save(archive);
}
void WatchedValue::load(const Archive& archive) {
  if (observer_) observer_->load(archive);
}

void check_watched_values(Rules& r) {
  const Case& c = r.settings();
  for (std::size_t k = 0; k < c.stages.size(); ++k) {
    const Stage& s = c.stages[k];
    const std::string key = fmt::format("stages[{}].until", k + 1);
    const bool bounded = s.above < kForever || s.below > -kForever;
    if (s.value.empty()) {
      if (bounded) r.add(key + (s.above < kForever ? ".above" : ".below"), "", "needs `value`: what it is a bound of");
      if (s.every > 0) r.add(key + ".every", fmt::format("{}", s.every), "needs `value`: what is looked at");
      continue;
    }
    if (!bounded) r.add(key + ".value", s.value, "needs `above` or `below`: the bound at which the stage ends");
    const std::vector<std::string> names = names_in(sources(c));
    if (Rules::contains(names, s.value)) continue;
    const std::string series = s.value.substr(0, s.value.find('.'));
    std::string there;
    for (const std::string& name : names)
      if (name.starts_with(series + ".")) there += (there.empty() ? "; there are " : ", ") + name;
    if (there.empty()) there = "; a value is named SERIES.COLUMN, as state.particles or walls.NAME.force_z_N";
    r.add(key + ".value", s.value,
          fmt::format("is no number of a series of this case{}{}", suggestion(s.value, names), there));
  }
}

}  // namespace areia

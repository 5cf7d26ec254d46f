// The registry of measures and their common rules.
#include "observe/measures.h"

#include <algorithm>
#include <cctype>

#include "observe/series_names.h"

namespace areia {

// One line for each, in the order of Measure::Kind; the file of the same name defines it.
extern const MeasureInfo kReposeAngle, kDeposit, kGranularTemperature, kMixing, kStress, kFabric, kMassFlow, kCount,
    kCenterOfMass, kField, kProfile, kResidence, kForceDistribution, kRadialDistribution, kWear, kLoading;
static constexpr std::array kMeasures{&kReposeAngle,
                                      &kDeposit,
                                      &kGranularTemperature,
                                      &kMixing,
                                      &kStress,
                                      &kFabric,
                                      &kMassFlow,
                                      &kCount,
                                      &kCenterOfMass,
                                      &kField,
                                      &kProfile,
                                      &kResidence,
                                      &kForceDistribution,
                                      &kRadialDistribution,
                                      &kWear,
                                      &kLoading};
static_assert(kMeasures.size() == Measure::kKinds, "a kind of measure is not in the list");

std::span<const MeasureInfo* const> all_measures() { return kMeasures; }

const MeasureInfo& measure_info(Measure::Kind kind) { return *kMeasures.at(static_cast<std::size_t>(kind)); }

namespace {

// What file systems take is 255 bytes, and a file that is being written has a longer name.
constexpr std::size_t kLongestName = 200;

void check_name(Rules& r, const std::string& key, const std::string& name, bool has_pictures) {
  if (name.size() > kLongestName)
    r.add(key, "", fmt::format("names the file NAME.csv: at most {} letters", kLongestName));
  for (const ParticleSet& s : r.settings().particles)
    if (name == "packing_" + s.name) r.add(key, "", fmt::format("{}.csv holds a packing; choose another name", name));

  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char letter) {
    return std::isalnum(letter) || letter == '_' || letter == '-';
  });
  if (!plain) r.add(key, "", "names the file NAME.csv: letters, digits, `_` and `-` only");
  if (std::find(kOwnSeries.begin(), kOwnSeries.end(), name) != kOwnSeries.end())
    r.add(key, "", fmt::format("{}.csv is a file of every run; choose another name", name));
  else if (has_pictures && std::find(kFrameFiles.begin(), kFrameFiles.end(), name) != kFrameFiles.end())
    r.add(key, "", fmt::format("{}.pvd is a file of every run; choose another name", name));
}

// Keys that only some kinds have.
void check_kind(Rules& r, const std::string& key, const Measure& m) {
  using Kind = Measure::Kind;
  const Measure plain;
  const auto only_for = [&](const char* name, bool given, std::initializer_list<Kind> kinds) {
    if (!given || std::find(kinds.begin(), kinds.end(), m.kind) != kinds.end()) return;
    std::string list;
    for (const Kind k : kinds) list += fmt::format("{}`{}`", list.empty() ? "" : ", ", measure_info(k).name);
    r.add(key + "." + name, "", fmt::format("is for `kind` {} only", list));
  };
  only_for("other_group", !m.other_group.empty(), {Kind::mixing, Kind::radial_distribution});
  only_for("width", m.width != plain.width, {Kind::field});
  only_for("bins", m.bins != plain.bins, {Kind::profile, Kind::force_distribution, Kind::radial_distribution});
  only_for("up_to", m.up_to != plain.up_to, {Kind::force_distribution});
  only_for("weight", m.weight != plain.weight, {Kind::mixing});
  only_for("walls", !m.walls.empty(), {Kind::wear});
  only_for("loading", !m.loading.empty(), {Kind::loading});
  only_for("wear_coefficient", m.wear_coefficient != plain.wear_coefficient, {Kind::wear});
  if (m.average > 0 && measure_info(m.kind).adds_up)
    r.add(key + ".average", fmt::format("{}", m.average),
          fmt::format("`{}` adds up since the start: it has no mean over a window", measure_info(m.kind).name));
  constexpr double kMostPictures = 1e6;
  double run = 0;
  for (const Stage& stage : r.settings().stages) run += stage.duration;
  const double between = m.average > 0 ? m.average : m.every;
  if (measure_info(m.kind).picture && between > 0 && run / between > kMostPictures)
    r.add(key + (m.average > 0 ? ".average" : ".every"), fmt::format("{}", between),
          fmt::format("would write {:.3g} files; at most 1e6", run / between));
  if (m.average > 0 && m.every > m.average)
    r.add(key + ".average", fmt::format("{}", m.average), "must not be shorter than `every`");
}

}  // namespace

void check_measures(Rules& r) {
  const Case& c = r.settings();
  std::vector<std::string> groups;
  for (const ParticleSet& s : c.particles) groups.push_back(s.group.empty() ? s.name : s.group);
  for (const ParticleSet& s : c.particles)
    if (s.name.size() > kLongestName)
      r.add("particles." + s.name, "",
            fmt::format("names the file packing_NAME.csv: at most {} letters", kLongestName));
  r.unique("output.measure", c.output.measure);
  for (const Measure& m : c.output.measure) {
    const std::string key = "output.measure." + m.name;
    const MeasureInfo& info = measure_info(m.kind);
    check_name(r, key, m.name, info.picture != nullptr);
    check_kind(r, key, m);
    if (!m.group.empty()) r.known(key + ".group", m.group, groups, "group of particles");
    if (!m.other_group.empty()) r.known(key + ".other_group", m.other_group, groups, "group of particles");
    if (info.of_contacts && !m.group.empty())
      r.add(key + ".group", fmt::format("\"{}\"", m.group),
            fmt::format("`{}` is measured on all contacts of a region or wall", info.name));
    if (m.region.kind == Region::Kind::mesh) r.add(key + ".region", "", "measures take no regions of meshes");
    else r.region(key + ".region", m.region);
    if (info.check) info.check(r, key, m);
    if (info.of_contacts && c.numerics.collisions == Collisions::hard)
      r.add(key + ".kind", fmt::format("\"{}\"", info.name),
            "not with `numerics.engine = \"events\"`: there are no lasting contacts to measure");
  }
}

}  // namespace areia

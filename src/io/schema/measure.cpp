// Keys of [output.measure.NAME].
#include "io/schema/parts.h"
#include "io/schema/schema.h"
#include "observe/measures.h"

namespace areia::io {

namespace {

Key<Measure> walls_key() {
  Key<Measure> f = declare<Measure>("walls", KeyInfo::Form::texts, {.text = "wear: these walls; without it all."});
  f.preset = "[]";
  f.read = [](Measure& m, const toml::node& node, Reader& r, const std::string& path) {
    for (std::string name : r.texts(node, path)) {
      if (name.starts_with("walls.")) name.erase(0, 6);
      m.walls.push_back(std::move(name));
    }
  };
  f.write = [](const Measure& m) { return m.walls.empty() ? "" : "[" + array_of_texts(m.walls) + "]"; };
  return f;
}

}  // namespace

const Table<Measure>& measure_table() {
  std::vector<std::pair<std::string, Measure::Kind>> kinds;
  for (const MeasureInfo* m : all_measures()) kinds.emplace_back(m->name, m->kind);
  static const Table<Measure> table{
      "Something measured while the case runs, into NAME.csv.",
      {word("kind", &Measure::kind, kinds, {.required = true, .text = "What is measured; the guide explains each."}),
       number("every", &Measure::every,
              {.unit = "s",
               .range = kPositive,
               .unset_is_zero = true,
               .text = "Time between looks; without it those of the series."}),
       number("average", &Measure::average,
              {.unit = "s",
               .range = kPositive,
               .unset_is_zero = true,
               .text = "Each line is the mean over the looks of a window of this length; without it of one instant."}),
       text("group", &Measure::group, {.text = "Particles of this group only; without it all free particles."}),
       text("other_group", &Measure::other_group,
            {.text = "mixing: the second group; radial_distribution: that of the partners, without it `group`."}),
       areia::io::table<Measure, Region>(
           "region", region_table(), [](Measure& m) -> Region& { return m.region; },
           [](const Measure& m) { return m.region.kind == Region::Kind::all ? nullptr : &m.region; },
           {.text = "Only what lies in this region; stress, profile and radial_distribution need one with a volume, "
                    "field a box."}),
       vector("axis", &Measure::axis,
              {.direction = true,
               .text = "Up (repose_angle), normal of the plate towards the particles (deposit), direction of the flow "
                       "(mass_flow), across the slices of a box (profile)."}),
       vector("point", &Measure::point,
              {.unit = "m",
               .text = "Middle of the base (repose_angle), of the plate (deposit), of the opening "
                       "(mass_flow)."}),
       number("radius", &Measure::radius,
              {.unit = "m",
               .range = kPositive,
               .unset_is_zero = true,
               .text = "Of the target (deposit), of the opening (mass_flow; without it the whole plane), largest "
                       "distance (radial_distribution)."}),
       number("cell", &Measure::cell,
              {.unit = "m",
               .range = kPositive,
               .word = "auto",
               .text = "mixing: edge of the cells; auto: four mean diameters. field: longest edge of the grid's cells, "
                       "at most `width`."}),
       number("width", &Measure::width,
              {.unit = "m",
               .range = kPositive,
               .unset_is_zero = true,
               .text = "field: standard deviation of the coarse-graining function along an axis."}),
       integer("bins", &Measure::bins,
               {.range = {.min = 1, .max = 1e5},
                .text = "profile: slices; force_distribution, radial_distribution: bins of the histogram."}),
       number("up_to", &Measure::up_to,
              {.range = kPositive, .text = "force_distribution: end of the histogram, force over its mean."}),
       word("weight", &Measure::weight,
            std::vector<std::pair<std::string, Measure::Weight>>{{"number", Measure::Weight::number},
                                                                 {"mass", Measure::Weight::mass}},
            {.text = "mixing: by which shares are counted."}),
       walls_key(), text("loading", &Measure::loading, {.text = "loading: its name."}),
       number("wear_coefficient", &Measure::wear_coefficient,
              {.unit = "1/Pa",
               .range = kPositive,
               .unset_is_zero = true,
               .text = "wear: volume worn off over normal force times slip, Archard's K/H."})}};
  return table;
}

}  // namespace areia::io

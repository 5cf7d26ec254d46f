// Keys of [output.measure.NAME].
#include "io/schema/parts.h"
#include "io/schema/schema.h"
#include "observe/measures.h"

namespace areia::io {

const Table<Measure>& measure_table() {
  std::vector<std::pair<std::string, Measure::Kind>> kinds;
  for (const MeasureInfo* m : all_measures()) kinds.emplace_back(m->name, m->kind);
  static const Table<Measure> table{
      "Something measured at every line of the series, into NAME.csv.",
      {word("kind", &Measure::kind, kinds, {.required = true, .text = "What is measured; the guide explains each."}),
       text("group", &Measure::group, {.text = "Particles of this group only; without it all free particles."}),
       text("other_group", &Measure::other_group, {.text = "mixing: the second group."}),
       areia::io::table<Measure, Region>(
           "region", region_table(), [](Measure& m) -> Region& { return m.region; },
           [](const Measure& m) { return m.region.kind == Region::Kind::all ? nullptr : &m.region; },
           {.text = "Only what lies in this region; stress needs one with a volume."}),
       vector("axis", &Measure::axis,
              {.direction = true,
               .text = "Up (repose_angle), normal of the plate towards the particles (deposit), direction of the flow "
                       "(mass_flow)."}),
       vector("point", &Measure::point,
              {.unit = "m",
               .text = "Middle of the base (repose_angle), of the plate (deposit), of the opening "
                       "(mass_flow)."}),
       number("radius", &Measure::radius,
              {.unit = "m",
               .range = kPositive,
               .unset_is_zero = true,
               .text = "Of the target (deposit), of the opening (mass_flow; without it the whole plane)."}),
       number("cell", &Measure::cell,
              {.unit = "m",
               .range = kPositive,
               .word = "auto",
               .text = "mixing: edge of the cells; auto: four mean diameters."})}};
  return table;
}

}  // namespace areia::io

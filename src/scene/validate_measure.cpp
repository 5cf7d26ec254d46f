// Rules of [output.measure.NAME].
#include <cctype>

#include "scene/rules.h"

namespace areia {

void check_measures(Rules& r) {
  const Case& c = r.settings();
  std::vector<std::string> groups;
  for (const ParticleSet& s : c.particles) groups.push_back(s.group.empty() ? s.name : s.group);
  r.unique("output.measure", c.output.measure);
  for (const Measure& m : c.output.measure) {
    using Kind = Measure::Kind;
    const std::string key = "output.measure." + m.name;
    const bool plain = !m.name.empty() && std::all_of(m.name.begin(), m.name.end(), [](unsigned char letter) {
      return std::isalnum(letter) || letter == '_' || letter == '-';
    });
    if (!plain) r.add(key, "", "names the file NAME.csv: letters, digits, `_` and `-` only");
    if (Rules::contains({"energy", "state", "walls", "particles", "breaks"}, m.name))
      r.add(key, "", fmt::format("{}.csv is a file of every run; choose another name", m.name));
    if (!m.group.empty()) r.known(key + ".group", m.group, groups, "group of particles");
    if (!m.other_group.empty()) r.known(key + ".other_group", m.other_group, groups, "group of particles");
    if (m.kind == Kind::mixing) {
      if (m.group.empty()) r.add(key + ".group", "", "is missing: the first of the two groups that mix");
      if (m.other_group.empty()) r.add(key + ".other_group", "", "is missing: the second of the two groups that mix");
      if (!m.group.empty() && m.group == m.other_group)
        r.add(key + ".other_group", fmt::format("\"{}\"", m.other_group), "must differ from `group`");
    } else if (!m.other_group.empty()) {
      r.add(key + ".other_group", fmt::format("\"{}\"", m.other_group), "is for `kind = \"mixing\"` only");
    }
    if ((m.kind == Kind::stress || m.kind == Kind::fabric) && !m.group.empty())
      r.add(key + ".group", fmt::format("\"{}\"", m.group),
            "stress and fabric are measured on all contacts of a region");
    if (m.region.kind == Region::Kind::mesh) {
      r.add(key + ".region", "", "measures take no regions of meshes");
    } else {
      const double volume = r.region(key + ".region", m.region);
      const bool solid = m.region.kind == Region::Kind::box || m.region.kind == Region::Kind::sphere ||
                         m.region.kind == Region::Kind::cylinder;
      if (m.kind == Kind::stress && (!solid || m.region.outside))
        r.add(key + ".region", "", "stress needs a box, sphere or cylinder: it divides by the volume");
      else if (m.kind == Kind::stress && solid && volume == 0 && c.domain.dimension == 2)
        r.add(key + ".region", "", "stress divides by the volume: give the box a thickness");
    }
    r.direction(key + ".axis", m.axis);
    r.finite(key + ".point", m.point);
    r.not_negative(key + ".radius", m.radius);
    r.not_negative(key + ".cell", m.cell);
    if (m.kind == Kind::deposit && m.radius == 0) r.add(key + ".radius", "", "is missing: the radius of the target");
  }
}

}  // namespace areia

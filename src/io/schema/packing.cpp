#include "io/schema/packing.h"

#include "io/schema/parts.h"

namespace areia::io {
namespace {

const Table<RadiusShare>& share_table(bool grading) {
  static const Key<RadiusShare> radius =
      number("radius", &RadiusShare::radius, {.unit = "m", .range = kPositive, .required = true, .text = "Radius."});
  static const Table<RadiusShare> passing{
      "A line of a grading curve.",
      {number("radius", &RadiusShare::radius,
              {.unit = "m", .range = kPositive, .required = true, .text = "Half the opening of the sieve."}),
       number("passing", &RadiusShare::share,
              {.range = {0, 1},
               .required = true,
               .text = "Mass fraction of the particles that are smaller; 0 in the first line, 1 in the last."})}};
  static const Table<RadiusShare> number_of{
      "A line of a table of radii.",
      {radius, number("number", &RadiusShare::share,
                      {.range = kNotNegative, .required = true, .text = "Relative number of particles."})}};
  return grading ? passing : number_of;
}

}  // namespace

Key<RadiusDistribution> shares_key(std::string name, RadiusDistribution::Kind kind) {
  const bool grading = kind == RadiusDistribution::Kind::grading;
  const Table<RadiusShare>& below = share_table(grading);
  Rule rule{.text = grading ? "A grading curve: sieves with the mass fraction that passes, smallest first. Between two "
                              "lines the fraction is linear in the logarithm of the size."
                            : "Radii and how often each occurs."};
  Key<RadiusDistribution> f = declare<RadiusDistribution>(std::move(name), KeyInfo::Form::listed, rule);
  f.keys = below.infos();
  f.read = [kind, &below](RadiusDistribution& d, const toml::node& node, Reader& r, const std::string& path) {
    d.kind = kind;
    const toml::array* all = node.as_array();
    if (!all) return r.problem(node, path, "must be an array of tables, such as [{ radius = \"1 mm\", ... }]");
    for (std::size_t k = 0; k < all->size(); ++k) {
      const std::string one = fmt::format("{}[{}]", path, k + 1);
      r.remember(one, (*all)[k]);
      if (const toml::table* written = r.table((*all)[k], one))
        read_table(below, d.shares.emplace_back(), *written, r, one);
    }
  };
  f.write = [kind, &below](const RadiusDistribution& d) -> std::string {
    if (d.kind != kind) return "";
    std::string text;
    for (const RadiusShare& s : d.shares) text += (text.empty() ? "" : ", ") + write_inline(below, s);
    return "[" + text + "]";
  };
  f.check = [kind, &below](const RadiusDistribution& d, Rules& r, const std::string& path) {
    for (std::size_t k = 0; d.kind == kind && k < d.shares.size(); ++k)
      check_table(below, d.shares[k], r, fmt::format("{}[{}]", path, k + 1));
  };
  return f;
}

const Table<RandomAddition>& fill_table() {
  using Fill = RandomAddition;
  static const Table<Fill> table{
      "Random sequential addition: particles drawn one by one, kept where they touch nothing; by itself or as the "
      "beginning of a denser packing.",
      {word("method", &Fill::method,
            {{"rsa", Fill::Method::rsa}, {"layers", Fill::Method::layers}, {"grow", Fill::Method::grow}},
            {.text = "`rsa`: random sequential addition alone, good up to a solid fraction of about 0.38 for equal "
                     "spheres. `layers`: layer by layer, each left to settle under gravity between the walls. `grow`: "
                     "placed with reduced radii that grow while the packing gives way."}),
       table_of<Fill>("region", region_table(), &Fill::region,
                      {.required = true, .text = "Where; particles lie inside entirely."}),
       integer("count", &Fill::count,
               {.range = {1, kInfinity},
                .unset_is_zero = true,
                .text = "Number of particles. `layers` may do without: the region is then filled to its top."}),
       number("solid_fraction", &Fill::solid_fraction,
              {.range = {0, 1, true, true}, .unset_is_zero = true, .text = "Volume of particles over region."}),
       number("min_gap", &Fill::min_gap,
              {.unit = "m", .range = kNotNegative, .text = "Smallest gap between surfaces, when placed."}),
       integer("max_attempts", &Fill::max_attempts,
               {.range = {1, kInfinity}, .text = "Rejections in a row after which filling gives up."}),
       number(
           "layer", &Fill::layer,
           {.unit = "m",
            .range = kPositive,
            .word = "auto",
            .text = "layers: height of the space in which the next layer is placed; auto: three largest diameters."}),
       boolean("relax", &Fill::relax,
               {.text = "rsa, grow: afterwards settle under gravity with the laws of the case until at rest."}),
       number("settle_energy", &Fill::settle_energy,
              {.unit = "J",
               .range = kPositive,
               .word = "auto",
               .text = "layers, relax: kinetic energy per particle that counts as rest; auto: 1e-4 of what the mean "
                       "particle gains by falling through its diameter."}),
       number("settle_time", &Fill::settle_time,
              {.unit = "s",
               .range = kPositive,
               .word = "auto",
               .text = "layers, relax: longest time of one settling; auto: six times the fall through the height."}),
       number("friction", &Fill::friction,
              {.range = {0, 100},
               .word = "case",
               .word_value = Fill::kFrictionOfCase,
               .text = "layers, relax: coefficient of friction of all contacts while they settle, in place of those of "
                       "the case; less of it packs more densely."})},
      {{{"count", "solid_fraction"}, false}}};
  return table;
}

const Table<Stream>& stream_table() {
  static const Table<Stream> table = [] {
    Table<Stream> t{
        "An inlet: particles that come while the simulation runs, placed by random addition where they touch nothing.",
        {table_of<Stream>("region", region_table(), &Stream::region,
                          {.required = true, .text = "Where they appear; they lie inside entirely."}),
         number("rate", &Stream::rate,
                {.unit = "1/s", .range = kPositive, .unset_is_zero = true, .text = "Particles per second."}),
         number("mass_rate", &Stream::mass_rate,
                {.unit = "kg/s", .range = kPositive, .unset_is_zero = true, .text = "Mass per second."}),
         integer("count", &Stream::count,
                 {.range = {1, kInfinity}, .word = "endless", .text = "Number of particles in all."}),
         number("every", &Stream::every,
                {.unit = "s",
                 .range = kPositive,
                 .word = "auto",
                 .text = "Time between insertions; auto: what the particles need to leave their own diameter."})},
        {{{"rate", "mass_rate"}, true}}};
    for (const Key<Interval>& f : interval_keys<Interval>()) t.keys.push_back(lifted(f, &Stream::when));
    return t;
  }();
  return table;
}

}  // namespace areia::io

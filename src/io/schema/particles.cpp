// Keys of [particles.NAME] and of the regions they fill.
#include "io/particles/particle_csv.h"
#include "io/particles/particle_files.h"
#include "io/schema/packing.h"
#include "io/schema/parts.h"
#include "io/schema/schema.h"

namespace areia::io {
namespace {

using Listed = std::vector<ListedParticle>;

// Beyond this many listed particles, rows of comma separated values are shorter to write and quicker to read.
constexpr std::size_t kLongestList = 20;

Key<Region> box_region() {
  Rule rule{.unit = "m", .text = "A box by two opposite corners, [[x, y, z], [x, y, z]], smallest first."};
  Key<Region> f = declare<Region>("box", KeyInfo::Form::box, rule);
  f.read = [](Region& region, const toml::node& node, Reader& r, const std::string& path) {
    region.kind = Region::Kind::box;
    read_box(region.box, node, r, path);
  };
  f.write = [](const Region& region) { return region.kind == Region::Kind::box ? write_box(region.box) : ""; };
  return f;
}

const Table<ListedParticle>& listed_table() {
  static const Table<ListedParticle> table{
      "One particle of a list.",
      {vector("x", &ListedParticle::x, {.unit = "m", .required = true, .text = "Centre."}),
       vector("v", &ListedParticle::v, {.unit = "m/s", .text = "Velocity, added to that of the set."}),
       vector("w", &ListedParticle::w, {.unit = "rad/s", .text = "Angular velocity, added to that of the set."}),
       number("radius", &ListedParticle::radius,
              {.unit = "m", .range = kPositive, .unset_is_zero = true, .text = "Radius; else that of the set."}),
       number("mass", &ListedParticle::mass,
              {.unit = "kg", .range = kPositive, .unset_is_zero = true, .text = "Mass; else from the density."}),
       number("charge", &ListedParticle::charge,
              {.unit = "C", .unset_is_zero = true, .text = "Electric charge; else that of the set."})}};
  return table;
}

Key<ParticleSet> list_key() {
  Rule rule{.text = "Particles one by one."};
  Key<ParticleSet> f = declare<ParticleSet>("list", KeyInfo::Form::listed, rule);
  f.keys = listed_table().infos();
  f.read = [](ParticleSet& set, const toml::node& node, Reader& r, const std::string& path) {
    Listed& list = set.source.emplace<Listed>();
    const toml::array* all = node.as_array();
    if (!all) return r.problem(node, path, "must be an array of tables, such as [{ x = [0, 0, 1] }]");
    for (std::size_t k = 0; k < all->size(); ++k) {
      const std::string one = fmt::format("{}[{}]", path, k + 1);
      r.remember(one, (*all)[k]);
      if (const toml::table* written = r.table((*all)[k], one))
        read_table(listed_table(), list.emplace_back(), *written, r, one);
    }
  };
  f.write = [](const ParticleSet& set) -> std::string {
    const Listed* list = std::get_if<Listed>(&set.source);
    if (!list || list->size() > kLongestList) return "";
    std::string text = "[";
    for (const ListedParticle& p : *list) text += "\n  " + write_inline(listed_table(), p) + ",";
    return text + "\n]";
  };
  // Lists may be long: paths are made for those particles alone that a first look does not find sound.
  f.check = [](const ParticleSet& set, Rules& r, const std::string& path) {
    const Listed* list = std::get_if<Listed>(&set.source);
    for (std::size_t k = 0; list && k < list->size(); ++k) {
      const ListedParticle& p = (*list)[k];
      const double squares =
          norm2(p.x) + norm2(p.v) + norm2(p.w) + p.radius * p.radius + p.mass * p.mass + p.charge * p.charge;
      const bool sound = squares <= kLargestNumber * kLargestNumber && p.radius >= 0 && p.mass >= 0;
      if (!sound) check_table(listed_table(), p, r, fmt::format("{}[{}]", path, k + 1));
    }
  };
  return f;
}

void read_csv(std::string_view content, const std::string& file, int first_line, Listed& list, Reader& r,
              const std::string& path) {
  const std::size_t before = r.problems.size();
  parse_particle_csv(content, file, first_line, list, r.problems);
  if (r.problems.size() > before) r.excuse(path.substr(0, path.rfind('.')) + ".list");
}

Key<ParticleSet> csv_key() {
  Rule rule{.text = "Particles as lines of comma separated values in a multi-line text, with the columns of `file`."};
  Key<ParticleSet> f = declare<ParticleSet>("csv", KeyInfo::Form::text, rule);
  f.read = [](ParticleSet& set, const toml::node& node, Reader& r, const std::string& path) {
    Listed& list = set.source.emplace<Listed>();
    const auto content = r.text(node, path);
    if (!content) return;
    // A multi-line text drops the newline after its opening quotes; then its first line is the next one of the file.
    const KeyPlace at = r.place(node);
    const bool on_next_line = node.source().end.line > node.source().begin.line && at.value.size() == 3;
    read_csv(*content, at.file, at.line == 0 ? 0 : at.line + on_next_line, list, r, path);
  };
  f.write = [](const ParticleSet& set) -> std::string {
    const Listed* list = std::get_if<Listed>(&set.source);
    return list && list->size() > kLongestList ? "'''\n" + write_particle_csv(*list) + "'''" : "";
  };
  return f;
}

// Reads the file of a set once its name is known, and once more should the time step be given after it.
void read_particle_file(ParticleSet& set, Reader& r, const std::string& set_path) {
  const Reader::ParticleFile& chosen = r.particle_files[set_path];
  if (!chosen.name) return;
  Listed& list = set.source.emplace<Listed>();
  const std::string path = set_path + ".file";
  const auto name = r.text(*chosen.name, path);
  if (!name) return;
  std::string why;
  const std::filesystem::path file = r.folder() / *name;
  const auto content = read_text_file(file, why);
  const std::size_t before = r.problems.size();
  if (content) parse_particle_file(*content, file.string(), chosen.step, list, r.problems);
  else r.problem(*chosen.name, path, "cannot read the file: " + why);
  if (content && list.empty() && r.problems.size() == before)
    r.problems.push_back({file.string(), 0, "particles", "0", "must hold at least one particle"});
  if (r.problems.size() > before) r.excuse(set_path + ".list");
}

Key<ParticleSet> file_key() {
  Rule rule{
      .text =
          "A file of particles, relative to the case file, in SI units: comma separated values, LAMMPS data "
          "(atom_style sphere), a LAMMPS or LIGGGHTS dump, or VTK (legacy ASCII, .vtp, .vtu). The header of comma "
          "separated values names the columns: `x`, `y`, `z`, and optionally `radius`, `mass`, `charge`, `vx`, `vy`, "
          "`vz`, `wx`, `wy`, `wz`. An empty radius, mass or charge is that of the set; `#` begins a comment."};
  Key<ParticleSet> f = declare<ParticleSet>("file", KeyInfo::Form::text, rule);
  f.read = [](ParticleSet& set, const toml::node& node, Reader& r, const std::string& path) {
    const std::string set_path = path.substr(0, path.rfind('.'));
    r.particle_files[set_path].name = &node;
    read_particle_file(set, r, set_path);
  };
  f.write = [](const ParticleSet&) { return std::string(); };
  return f;
}

Key<ParticleSet> file_step_key() {
  Rule rule{.range = kNotNegative, .text = "Time step to take from a dump given as `file`; else the last one."};
  Key<ParticleSet> f = declare<ParticleSet>("file_step", KeyInfo::Form::integer, rule);
  f.read = [](ParticleSet& set, const toml::node& node, Reader& r, const std::string& path) {
    const auto step = r.integer(node, path, kNotNegative);
    const std::string set_path = path.substr(0, path.rfind('.'));
    if (!step) return;
    r.particle_files[set_path].step = step;
    if (r.particle_files[set_path].name) read_particle_file(set, r, set_path);
  };
  f.write = [](const ParticleSet&) { return std::string(); };
  return f;
}

const Table<RadiusDistribution>& radius_table() {
  using Radius = RadiusDistribution;
  static const Table<Radius> uniform{
      "Uniform between two radii.",
      {number("min", &Radius::min, {.unit = "m", .range = kPositive, .required = true, .text = "Smallest radius."}),
       number("max", &Radius::max, {.unit = "m", .range = kPositive, .required = true, .text = "Largest radius."})}};
  static const Table<Radius> gaussian{
      "Normal distribution, cut off on both sides.",
      {number("mean", &Radius::mean, {.unit = "m", .range = kPositive, .required = true, .text = "Mean radius."}),
       number("std", &Radius::std,
              {.unit = "m", .range = kNotNegative, .required = true, .text = "Standard deviation before the cut."}),
       number("truncate", &Radius::truncate,
              {.range = kPositive,
               .text = "Radii farther than this many standard deviations from the mean are drawn again."})}};
  static const Table<Radius> table{
      "Distribution of radii.",
      {same_struct("uniform", uniform, &Radius::kind, Radius::Kind::uniform),
       same_struct("gaussian", gaussian, &Radius::kind, Radius::Kind::gaussian),
       shares_key("grading", Radius::Kind::grading), shares_key("table", Radius::Kind::table)},
      {{{"uniform", "gaussian", "grading", "table"}, true}}};
  return table;
}

Key<ParticleSet> radius_key() {
  Rule rule{.unit = "m",
            .range = kPositive,
            .text = "One radius for all, or a distribution to draw from. Needed unless every particle brings its own."};
  Key<ParticleSet> f = declare<ParticleSet>("radius", KeyInfo::Form::number, rule);
  f.keys = radius_table().infos();
  f.one_of = radius_table().one_of;
  f.read = [](ParticleSet& set, const toml::node& node, Reader& r, const std::string& path) {
    set.radius = {};
    if (const toml::table* written = node.as_table()) {
      read_table(radius_table(), set.radius, *written, r, path);
    } else if (const auto value = r.number(node, path, "m", kPositive)) {
      set.radius.value = *value;
    }
  };
  f.write = [](const ParticleSet& set) -> std::string {
    if (set.radius.kind != RadiusDistribution::Kind::fixed) return write_inline(radius_table(), set.radius);
    return set.radius.value == 0 ? "" : toml_number(set.radius.value);
  };
  f.check = [](const ParticleSet& set, Rules& r, const std::string& path) {
    if (set.radius.kind != RadiusDistribution::Kind::fixed) check_table(radius_table(), set.radius, r, path);
    else if (set.radius.value != 0) r.within(path, set.radius.value, kPositive);
  };
  return f;
}

const Table<Lattice>& lattice_table() {
  static const Table<Lattice> table{
      "Particles on a regular lattice, filled upwards.",
      {table_of<Lattice>("region", region_table(), &Lattice::region, {.required = true, .text = "Where."}),
       word("kind", &Lattice::kind, {{"cubic", Lattice::Kind::cubic}, {"hexagonal", Lattice::Kind::hexagonal}},
            {.text = "Simple cubic, or hexagonal layers."}),
       number("spacing", &Lattice::spacing,
              {.unit = "m",
               .range = kPositive,
               .word = "auto",
               .text = "Distance of nearest centres; auto: twice the largest radius."}),
       number("jitter", &Lattice::jitter,
              {.unit = "m", .range = kNotNegative, .text = "Largest random shift along each axis."}),
       integer("count", &Lattice::count,
               {.range = {1, kInfinity}, .word = "all", .text = "Number of particles; all: as many as fit."})}};
  return table;
}

Key<ParticleSet> carried_key() {
  Rule rule{.text =
                "The particles of the set of this name in the run that `start.from` names. Sets of it that are not "
                "written here come over by themselves; writing one gives it another material or group, or a `motion`."};
  Key<ParticleSet> f = declare<ParticleSet>("carried", KeyInfo::Form::boolean, rule);
  f.read = [](ParticleSet& set, const toml::node& node, Reader& r, const std::string& path) {
    const auto v = r.boolean(node, path);
    if (v && !*v) r.problem(node, path, "must be true, or left out");
    set.source = Carried{};
  };
  f.write = [](const ParticleSet& set) { return std::holds_alternative<Carried>(set.source) ? "true" : ""; };
  return f;
}

Key<ParticleSet> fixed_key() {
  Rule rule{.text = "Short for `prescribed` without motion: the particles never move."};
  Key<ParticleSet> f = declare<ParticleSet>("fixed", KeyInfo::Form::boolean, rule);
  f.preset = "false";
  f.read = [](ParticleSet& set, const toml::node& node, Reader& r, const std::string& path) {
    if (const auto v = r.boolean(node, path)) set.prescribed = set.prescribed || *v;
  };
  f.write = [](const ParticleSet&) { return std::string(); };
  return f;
}

}  // namespace

void read_box(Box& box, const toml::node& node, Reader& r, const std::string& path) {
  const toml::array* corners = node.as_array();
  if (!corners || corners->size() != 2)
    return r.problem(node, path, "must be two corners, such as [[0, 0, 0], [1, 1, 1]]");
  const auto low = r.vector((*corners)[0], path, "m");
  const auto high = r.vector((*corners)[1], path, "m");
  if (low && high) box = {*low, *high};
}

std::string write_box(const Box& box) { return "[" + toml_vector(box.min) + ", " + toml_vector(box.max) + "]"; }

const Table<Region>& region_table() {
  static const Table<Region> sphere{
      "A ball.",
      {vector("center", &Region::center, {.unit = "m", .required = true, .text = "Centre."}),
       number("radius", &Region::radius, {.unit = "m", .range = kPositive, .required = true, .text = "Radius."})}};
  static const Table<Region> cylinder{
      "A solid cylinder.",
      {vector("from", &Region::from, {.unit = "m", .required = true, .text = "One end of the axis."}),
       vector("to", &Region::to, {.unit = "m", .required = true, .text = "Other end of the axis."}),
       number("radius", &Region::radius, {.unit = "m", .range = kPositive, .required = true, .text = "Radius."})}};
  static const Table<Region> half_space{
      "What lies on one side of a plane.",
      {vector("point", &Region::point, {.unit = "m", .required = true, .text = "A point of the plane."}),
       vector("normal", &Region::normal,
              {.required = true, .direction = true, .text = "Towards the side that is meant."})}};
  static const Table<Region> slab{
      "What lies between two parallel planes, through the two points and normal to their connection.",
      {vector("from", &Region::from, {.unit = "m", .required = true, .text = "A point of one plane."}),
       vector("to", &Region::to, {.unit = "m", .required = true, .text = "A point of the other."})}};
  static const Table<Region> mesh{
      "The inside of a closed surface.",
      {[] {
         Rule rule{.required = true, .text = "File of the surface, relative to the case file."};
         Key<Region> f = declare<Region>("file", KeyInfo::Form::text, rule);
         f.read = [](Region& region, const toml::node& node, Reader& r, const std::string& path) {
           if (const auto v = r.text(node, path)) region.mesh = (r.folder() / *v).lexically_normal().string();
         };
         f.write = [](const Region& region) { return toml_text(region.mesh); };
         return f;
       }(),
       number("scale", &Region::scale, {.range = kPositive, .text = "Metres per unit of the file."})}};
  static const Table<Region> table{
      "A part of space.",
      {box_region(), same_struct("sphere", sphere, &Region::kind, Region::Kind::sphere),
       same_struct("cylinder", cylinder, &Region::kind, Region::Kind::cylinder),
       same_struct("half_space", half_space, &Region::kind, Region::Kind::half_space),
       same_struct("slab", slab, &Region::kind, Region::Kind::slab),
       same_struct("mesh", mesh, &Region::kind, Region::Kind::mesh),
       written_if([](const Region& r) { return r.outside; },
                  boolean("outside", &Region::outside, {.text = "All space but this part is meant."}))},
      {{{"box", "sphere", "cylinder", "half_space", "slab", "mesh"}, true}}};
  return table;
}

const Table<ParticleSet>& particle_table() {
  using Set = ParticleSet;
  static const Table<Set> table{
      "A set of particles that are made in the same way.",
      {text("material", &Set::material, {.required = true, .text = "Name of the material."}),
       text("group", &Set::group, {.text = "Group that stages and outputs speak of; default: the name of the set."}),
       radius_key(),
       number(
           "mass", &Set::mass,
           {.unit = "kg", .range = kPositive, .unset_is_zero = true, .text = "Mass of each; else from the density."}),
       number("charge", &Set::charge, {.unit = "C", .text = "Electric charge of each."}),
       vector("velocity", &Set::velocity, {.unit = "m/s", .text = "Initial velocity."}),
       number("velocity_std", &Set::velocity_std,
              {.unit = "m/s",
               .range = kNotNegative,
               .text = "Standard deviation of each component of a random velocity (normal, cut at 5) that is added; "
                       "the momentum of the set stays."}),
       vector("spin", &Set::spin, {.unit = "rad/s", .text = "Initial angular velocity."}),
       list_key(),
       file_key(),
       file_step_key(),
       csv_key(),
       alternative<Set, Lattice>("lattice", lattice_table(), &Set::source),
       alternative<Set, RandomAddition>("fill", fill_table(), &Set::source),
       alternative<Set, Stream>("stream", stream_table(), &Set::source),
       carried_key(),
       boolean("prescribed", &Set::prescribed,
               {.text = "The particles move by `motion` only: they act on others, but nothing moves them."}),
       fixed_key(),
       motion_key<Set>(&Set::motion),
       boolean("inhibit_rotation", &Set::inhibit_rotation, {.text = "The angular velocity stays as it begins."})},
      {{{"list", "file", "csv", "lattice", "fill", "stream", "carried"}, true}, {{"fixed", "prescribed"}, false}}};
  return table;
}

}  // namespace areia::io

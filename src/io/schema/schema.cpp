#include "io/schema/schema.h"

#include "io/case/stage_settings.h"
#include "io/frames/frame_files.h"
#include "io/schema/parts.h"
#include "physics/law_info.h"
#include "scene/material_library.h"

namespace areia::io {
namespace {

constexpr std::string_view kWallPrefix = "walls.", kParticlePrefix = "particles.";

Key<Stage> remove_key() {
  Rule rule{.text =
                "Walls and groups taken away at the beginning of the stage, as [\"walls.cage\", \"particles.pile\"]."};
  Key<Stage> f = declare<Stage>("remove", KeyInfo::Form::texts, rule);
  f.preset = "[]";
  f.read = [](Stage& s, const toml::node& node, Reader& r, const std::string& path) {
    for (const std::string& name : r.texts(node, path)) {
      if (name.starts_with(kWallPrefix)) {
        s.remove_walls.push_back(name.substr(kWallPrefix.size()));
      } else if (name.starts_with(kParticlePrefix)) {
        s.remove_groups.push_back(name.substr(kParticlePrefix.size()));
      } else {
        r.problem(node, path, fmt::format("`{}` must begin with `walls.` or `particles.`", name));
      }
    }
  };
  f.write = [](const Stage& s) {
    const std::string walls = array_of_texts(s.remove_walls, std::string(kWallPrefix));
    const std::string groups = array_of_texts(s.remove_groups, std::string(kParticlePrefix));
    return "[" + walls + (walls.empty() || groups.empty() ? "" : ", ") + groups + "]";
  };
  return f;
}

Key<Stage> insert_key() {
  Rule rule{.text =
                "Walls that appear at the beginning of the stage, as [\"walls.lid\"]; before it they are not there."};
  Key<Stage> f = declare<Stage>("insert", KeyInfo::Form::texts, rule);
  f.preset = "[]";
  f.read = [](Stage& s, const toml::node& node, Reader& r, const std::string& path) {
    for (const std::string& name : r.texts(node, path)) {
      if (name.starts_with(kWallPrefix)) s.insert_walls.push_back(name.substr(kWallPrefix.size()));
      else r.problem(node, path, fmt::format("`{}` must begin with `walls.`", name));
    }
  };
  f.write = [](const Stage& s) { return "[" + array_of_texts(s.insert_walls, std::string(kWallPrefix)) + "]"; };
  return f;
}

Key<Stage> groups_key(std::string name, std::vector<std::string> Stage::*member, std::string text) {
  Key<Stage> f = declare<Stage>(std::move(name), KeyInfo::Form::texts, {.text = std::move(text)});
  f.preset = "[]";
  f.read = [=](Stage& s, const toml::node& node, Reader& r, const std::string& path) {
    for (std::string group : r.texts(node, path)) {
      if (group.starts_with(kParticlePrefix)) group.erase(0, kParticlePrefix.size());
      (s.*member).push_back(std::move(group));
    }
  };
  f.write = [=](const Stage& s) { return "[" + array_of_texts(s.*member, std::string(kParticlePrefix)) + "]"; };
  return f;
}

Key<Domain> domain_box_key() {
  Rule rule{.unit = "m", .text = "Two corners, [[x, y, z], [x, y, z]]. Without it the domain is open everywhere."};
  Key<Domain> f = declare<Domain>("box", KeyInfo::Form::box, rule);
  f.read = [](Domain& d, const toml::node& node, Reader& r, const std::string& path) {
    d.bounded = true;
    read_box(d.box, node, r, path);
  };
  f.write = [](const Domain& d) { return d.bounded ? write_box(d.box) : std::string(); };
  return f;
}

Key<Output> track_key() {
  Rule rule{.range = kNotNegative, .text = "Ids of particles whose motion is written to the series."};
  Key<Output> f = declare<Output>("track", KeyInfo::Form::integers, rule);
  f.preset = "[]";
  f.read = [](Output& o, const toml::node& node, Reader& r, const std::string& path) {
    const toml::array* ids = node.as_array();
    if (!ids) return r.problem(node, path, "must be an array of particle ids, such as [0, 5]");
    for (const toml::node& id : *ids)
      if (const auto v = r.integer(id, path, kNotNegative)) o.track.push_back(*v);
  };
  f.write = [](const Output& o) {
    std::string list;
    for (const std::int64_t id : o.track) list += fmt::format("{}{}", list.empty() ? "" : ", ", id);
    return "[" + list + "]";
  };
  return f;
}

// Names out of a list; `all` stands for every one of them.
Key<Output> arrays_key(std::string name, std::vector<std::string> Output::*member,
                       const std::vector<std::string>& known, std::string text) {
  Key<Output> f = declare<Output>(std::move(name), KeyInfo::Form::texts, {.text = std::move(text)});
  f.words = known;
  f.words.emplace_back("all");
  f.read = [=, words = f.words](Output& o, const toml::node& node, Reader& r, const std::string& path) {
    const toml::array* array = node.as_array();
    if (!array) return r.problem(node, path, fmt::format("must be an array of words, such as [\"{}\"]", words[0]));
    (o.*member).clear();
    for (const toml::node& element : *array) {
      const auto index = r.word(element, path, words);
      if (index && *index == known.size()) o.*member = known;
      else if (index) (o.*member).push_back(words[*index]);
    }
  };
  f.write = [=](const Output& o) { return "[" + array_of_texts(o.*member) + "]"; };
  f.check = [=](const Output& o, Rules& r, const std::string& path) {
    for (const std::string& one : o.*member)
      if (!Rules::contains(known, one))
        r.add(path, fmt::format("\"{}\"", one), fmt::format("must be one of {}", array_of_texts(known)));
  };
  return with_preset(std::move(f));
}

// The keys of a region, directly under the name of the measurement.
const Table<SolidFractionRegion>& solid_fraction_table() {
  static const Table<SolidFractionRegion> table = [] {
    Table<SolidFractionRegion> t{"A region in which the solid fraction is measured.", {}};
    for (const Key<Region>& f : region_table().keys) t.keys.push_back(lifted(f, &SolidFractionRegion::region));
    t.one_of = region_table().one_of;
    return t;
  }();
  return table;
}

// The laws that a property of materials is needed by, as their tables say: "the normal laws `hertz` and `jkr`, ...".
std::string laws_that_need(std::string_view property) {
  std::vector<std::pair<std::string, std::vector<std::string>>> slots;
  for (const LawInfo& law : all_laws()) {
    bool needs = law.needs == property;
    for (const ParameterInfo& p : law.parameters)
      needs = needs || (p.name == property && p.instead == std::string_view("materials"));
    if (!needs) continue;
    if (slots.empty() || slots.back().first != law.slot) slots.emplace_back(law.slot, std::vector<std::string>{});
    slots.back().second.push_back(fmt::format("`{}`", law.name));
  }
  const auto listed = [](const std::vector<std::string>& all) {
    std::string text;
    for (std::size_t k = 0; k < all.size(); ++k) text += (k == 0 ? "" : k + 1 == all.size() ? " and " : ", ") + all[k];
    return text;
  };
  std::vector<std::string> parts;
  for (const auto& [slot, names] : slots)
    parts.push_back(fmt::format("the {} law{} {}", slot, names.size() > 1 ? "s" : "", listed(names)));
  return listed(parts);
}

}  // namespace

const Table<Start>& start_table() {
  const auto starts = [](const Start& s) { return !s.from.empty(); };
  static const Table<Start> table{
      "The case starts from the state of another run: particles with their ids, contacts with what they remember, "
      "bonds. "
      "Time begins at 0.",
      {text("from", &Start::from,
            {.required = true,
             .text = "Results folder of the run, relative to the case file; or one of its checkpoints (.h5) or frames "
                     "(.vtp)."}),
       written_if(starts, number("time", &Start::time,
                                 {.unit = "s",
                                  .range = kNotNegative,
                                  .word = "last",
                                  .word_value = Start::kLast,
                                  .text = "Of a folder: the frame nearest to this time, which has no contacts; last: "
                                          "the last checkpoint, exact and with all of them."})),
       written_if(starts, word("walls", &Start::walls,
                               {{"as_left", Start::Walls::as_left}, {"as_written", Start::Walls::as_written}},
                               {.text = "Walls of the same name and shape begin where the run has left them; or all "
                                        "begin where they are written."}))}};
  return table;
}

// Values of the library; those that are written beside it, before or after, are as written.
Key<Material> library_key() {
  Key<Material> f = declare<Material>(
      "library", KeyInfo::Form::text,
      {.text =
           "A material of the library, as `\"glass\"`: its density, Young's modulus and Poisson's ratio, where they "
           "are not given here. `areia materials` lists them with their sources."});
  f.read = [](Material& m, const toml::node& node, Reader& r, const std::string& path) {
    const auto name = r.text(node, path);
    if (!name) return;
    const LibraryMaterial* found = find_library_material(*name);
    if (!found) {
      std::vector<std::string> known;
      for (const LibraryMaterial& one : library_materials()) known.emplace_back(one.name);
      return r.problem(
          node, path,
          fmt::format("the library has no such material{}; areia materials lists them", suggestion(*name, known)));
    }
    const std::string table = path.substr(0, path.rfind('.'));
    if (!r.knows(table + ".density")) m.density = found->density;
    if (!r.knows(table + ".young")) m.young = found->young;
    if (!r.knows(table + ".poisson")) m.poisson = found->poisson;
  };
  f.write = [](const Material&) { return std::string(); };  // the numbers themselves are written
  return f;
}

const Table<Material>& material_table() {
  static const Table<Material> table{
      "What a body is made of. Names consist of letters, digits and `_`.",
      {library_key(),
       number("density", &Material::density,
              {.unit = "kg/m^3",
               .range = kPositive,
               .unset_is_zero = true,
               .text = "Density; needed by particles without a mass of their own."}),
       number("young", &Material::young,
              {.unit = "Pa",
               .range = kPositive,
               .unset_is_zero = true,
               .text = "Modulus of elasticity E; needed by " + laws_that_need("young") + "."}),
       number("poisson", &Material::poisson, {.range = {0, 0.5}, .text = "Poisson's ratio."}),
       number("stiffness", &Material::stiffness,
              {.unit = "N/m",
               .range = kPositive,
               .unset_is_zero = true,
               .text = "Contact stiffness of a particle; needed by " + laws_that_need("stiffness") +
                       " unless the pair has its own."}),
       boolean("rigid", &Material::rigid, {.text = "Does not deform; for walls only."})}};
  return table;
}

// Keys of the case with other values from the stage on. A table within it is a path: contacts.default.tangential.mu.
Key<Stage> settings_key() {
  Key<Stage> f =
      declare<Stage>("set", KeyInfo::Form::settings,
                     {.text = "Keys of `contacts`, `materials`, `fields`, `fluid` and `forces` that have another "
                              "value from now on, by their paths: `set = { \"contacts.default.tangential.mu\" = "
                              "0.1 }`."});
  f.read = [](Stage& s, const toml::node& node, Reader& r, const std::string& path) {
    if (const toml::table* written = r.table(node, path)) read_settings(*written, "", path, s.set, r);
  };
  f.write = [](const Stage& s) {
    std::string list;
    for (const StageSetting& one : s.set) list += (list.empty() ? "" : ", ") + toml_text(one.key) + " = " + one.value;
    return list.empty() ? "" : "{ " + list + " }";
  };
  return f;
}

const Table<Stage>& stage_table() {
  static const Table<Stage> until{
      "The end of a stage by an event; with several of them by the first.",
      {boolean("at_rest", &Stage::at_rest,
               {.text = "Ends when the kinetic energy per particle, without spin that no contact "
                        "resists, stays below `rest_energy`."}),
       text("value", &Stage::value,
            {.text = "Ends when this number of a series passes a bound: SERIES.COLUMN, as `state.particles`, "
                     "`walls.lid.force_z_N`, or a column of a measure."}),
       number("above", &Stage::above,
              {.word = "none", .word_value = kForever, .text = "The bound that it rises above, in the column's unit."}),
       number("below", &Stage::below,
              {.word = "none", .word_value = -kForever, .text = "The bound that it falls below."}),
       number(
           "every", &Stage::every,
           {.unit = "s", .range = kPositive, .word = "auto", .text = "Time between two looks at it; auto: 100 steps."}),
       number("at_most", &Stage::duration,
              {.unit = "s",
               .range = kPositive,
               .unset_is_zero = true,
               .text = "Ends after this time in any case; without it the stage waits, however long."}),
       number(
           "rest_energy", &Stage::rest_energy,
           {.unit = "J",
            .range = kPositive,
            .word = "auto",
            .text =
                "Energy per particle; auto: 1e-6 of m g d of the mean particle; without gravity 1e-9 of the most that "
                "it has been."})}};
  static const Table<Stage> table{
      "A part of the run. Stages follow each other in the order of the file; at least one is needed.",
      {text("name", &Stage::name, {.text = "Name; default: stage1, stage2, ..."}),
       written_if([](const Stage& s) { return !s.ends_by_event(); },
                  number("duration", &Stage::duration,
                         {.unit = "s", .range = kPositive, .unset_is_zero = true, .text = "Simulated time."})),
       areia::io::table<Stage, Stage>(
           "until", until, [](Stage& s) -> Stage& { return s; },
           [](const Stage& s) { return s.ends_by_event() ? &s : nullptr; }, {}),
       settings_key(), remove_key(), insert_key(),
       groups_key("release", &Stage::release_groups, "Groups of prescribed particles that are free from now on."),
       groups_key("freeze", &Stage::freeze_groups, "Groups of particles that stand still from now on.")},
      {{{"duration", "until"}, true}}};
  return table;
}

const Table<Domain>& domain_table() {
  static const Table<Domain> table{
      "The space of the simulation.",
      {domain_box_key(),
       flags<Domain>("periodic",
                     {{"x", [](Domain& d) -> bool& { return d.periodic[0]; }},
                      {"y", [](Domain& d) -> bool& { return d.periodic[1]; }},
                      {"z", [](Domain& d) -> bool& { return d.periodic[2]; }}},
                     {.text = "Directions in which the box repeats itself."}),
       word("rule", &Domain::rule,
            {{"open", DomainRule::open}, {"delete", DomainRule::remove}, {"stop", DomainRule::stop}},
            {.text = "What happens to a particle whose centre leaves the box: nothing, it is taken out and counted as "
                     "lost, or the run stops."}),
       integer("dimension", &Domain::dimension, {.range = {2, 3}, .text = "2: motion in one plane only."}),
       word("plane", &Domain::flat_axis, {{"xy", 2}, {"xz", 1}, {"yz", 0}}, {.text = "The plane of a 2-D run."}),
       number("disk_thickness", &Domain::disk_thickness,
              {.unit = "m",
               .range = kPositive,
               .unset_is_zero = true,
               .text = "2-D: particles are disks of this thickness h, m = pi r^2 h rho; else spheres."}),
       named("loading", &Domain::loading, cell_load_table(), {.text = cell_load_table().text})}};
  return table;
}

const Table<Numerics>& numerics_table() {
  using N = Numerics;
  static const Table<N> table{
      "How the equations are solved. Everything here has a good default.",
      {word("engine", &N::collisions, {{"steps", Collisions::soft}, {"events", Collisions::hard}},
            {.text = "Soft contacts resolved in time steps, or hard spheres that fly from collision to collision."}),
       word("scheme", &N::scheme,
            {{"drift_kick", Scheme::drift_kick},
             {"kick_drift", Scheme::kick_drift},
             {"velocity_verlet", Scheme::velocity_verlet},
             {"forward_euler", Scheme::forward_euler},
             {"trapezoid", Scheme::trapezoid}},
            {.text = "Time integration."}),
       number("dt", &N::dt,
              {.unit = "s",
               .range = kPositive,
               .word = "auto",
               .text = "Time step; auto: from the stiffest and lightest contact."}),
       number("dt_fraction", &N::dt_fraction,
              {.range = {1, kInfinity}, .text = "The automatic time step is the shortest contact time over this."}),
       number("max_speed", &N::max_speed,
              {.unit = "m/s",
               .range = kPositive,
               .word = "auto",
               .text = "Closing speed for the estimate of the time step; auto: from the case."}),
       number(
           "skin", &N::skin,
           {.unit = "m", .range = kPositive, .word = "auto", .text = "Largest gap of pairs in the neighbour lists."}),
       written_if([](const N& n) { return n.scheme == Scheme::trapezoid; },
                  table_of<N, Implicit>("implicit", implicit_table(), &N::implicit, {})),
       written_if([](const N& n) { return n.collisions == Collisions::hard; },
                  table_of<N, Events>("events", events_table(), &N::events, {})),
       boolean("ledger", &N::ledger, {.text = "Book work and energy per mechanism."}),
       word("rotation_increment", &N::exact_rotation, {{"exact", true}, {"source", false}},
            {.text = "Angle turned in a step: |w| dt, or 2 atan(|w| dt / 2) of the source."}),
       word("lever", &N::lever, {{"radius", Lever::radius}, {"deformed", Lever::deformed}},
            {.text = "Lever arm of contact forces: the radius, or shortened by the overlap."}),
       number(
           "start_overlap", &N::start_overlap,
           {.range = {0, 2, true, false},
            .text = "Overlap over the smaller radius beyond which particles are refused at the start; raise it to read "
                    "back a soft packing."}),
       number("max_overlap", &N::max_overlap,
              {.range = {0, 2, true, true},
               .text = "Overlap over the smaller radius beyond which the run stops as blown up; at 2 the centres of "
                       "equal spheres meet, and nothing says which way they push each other."}),
       integer("threads", &N::threads,
               {.range = {1, 65536},
                .word = "all",
                .text = "Threads; all: as many as help, of the cores it may use. Results do not depend on it."}),
       integer("seed", &N::seed, {.range = kNotNegative, .text = "Seed of all random numbers."})}};
  return table;
}

const Table<Output>& output_table() {
  static const Table<Output> table{
      "What is written to the results folder.",
      {number("frames", &Output::frames,
              {.unit = "s",
               .range = kPositive,
               .word = "ends",
               .text = "Time between frames; ends: first and last only."}),
       number("series", &Output::series,
              {.unit = "s",
               .range = kPositive,
               .word = "auto",
               .text = "Time between lines of the series; auto: 1/200 of the run."}),
       number("checkpoint", &Output::checkpoint_wall,
              {.unit = "s", .range = kPositive, .word = "never", .text = "Wall clock time between checkpoints."}),
       boolean("contacts", &Output::contacts, {.text = "Write the contacts with the frames."}),
       number("contact_frames", &Output::contact_frames,
              {.unit = "s",
               .range = kPositive,
               .word = "frames",
               .text = "Time between frames that have contacts, from `frames` upwards; frames: all have. The first and "
                       "the last frame have them in any case."}),
       arrays_key("arrays", &Output::arrays, particle_array_names(),
                  "Arrays of particles in frames, beside positions, `id` and `radius`; all: every one."),
       arrays_key("contact_arrays", &Output::contact_arrays, contact_array_names(),
                  "Arrays of contacts in frames, beside `i`, `j` and `wall`; all: every one."),
       word("precision", &Output::double_precision, {{"single", false}, {"double", true}},
            {.text = "Of the numbers in frames; single: positions are doubles where floats would move a centre by more "
                     "than 1e-4 of its radius. Checkpoints and series are always exact."}),
       track_key(),
       named("solid_fraction", &Output::solid_fraction, solid_fraction_table(),
             {.text = "Named regions in which the solid fraction is measured."}),
       named("measure", &Output::measure, measure_table(), {.text = measure_table().text})}};
  return table;
}

const std::vector<KeyInfo>& contact_keys() {
  static const std::vector<KeyInfo> keys = [] {
    KeyInfo like;
    like.name = "like";
    like.text =
        "Another contact table, as `\"grain-grain\"`: its laws and parameters hold where this table says nothing.";
    KeyInfo library;
    library.name = "library";
    library.text =
        "A pair of the material library, as `\"glass-glass\"`: its restitution in the law `hertz`, its friction in "
        "`coulomb_history`, where this table says nothing. `areia materials` lists them.";
    return std::vector<KeyInfo>{like, library};
  }();
  return keys;
}

const Table<Case>& case_table() {
  static const Table<Case> table{
      "A case file.",
      {text("title", &Case::title, {.text = "One line about the case."}),
       table_of<Case>("start", start_table(), &Case::start, {.text = start_table().text}),
       named("materials", &Case::materials, material_table(), {.text = material_table().text}),
       [] {
         Rule rule{.text =
                       "What acts between two materials, as [contacts.A-B]; `[contacts.default]` serves all pairs "
                       "without a table. A pair of a particle and a wall material without either takes the table of "
                       "the particle's material with itself. `areia check` tells the table of every pair."};
         Key<Case> f = declare<Case>("contacts", KeyInfo::Form::contacts, rule);
         f.keys = contact_keys();
         f.read = [](Case&, const toml::node& node, Reader& r, const std::string&) { r.contacts = &node; };
         f.write = [](const Case&) { return std::string(); };
         return f;
       }(),
       named("particles", &Case::particles, particle_table(), {.text = particle_table().text}),
       named("walls", &Case::walls, wall_table(), {.text = wall_table().text}),
       named("loading", &Case::loading, loading_table(), {.text = loading_table().text}),
       named("fields", &Case::fields, field_table(), {.text = field_table().text}),
       named("bonds", &Case::bonds, bond_table(), {.text = bond_table().text}),
       table_of<Case>("fluid", fluid_table(), &Case::fluid, {.text = fluid_table().text}),
       named("forces", &Case::forces, force_table(), {.text = force_table().text}),
       listed("stages", &Case::stages, stage_table(), {.required = true, .text = stage_table().text}),
       table_of<Case>("domain", domain_table(), &Case::domain, {.text = domain_table().text}),
       table_of<Case>("numerics", numerics_table(), &Case::numerics, {.text = numerics_table().text}),
       table_of<Case>("output", output_table(), &Case::output, {.text = output_table().text})}};
  return table;
}

}  // namespace areia::io

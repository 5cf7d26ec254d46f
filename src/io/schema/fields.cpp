// Keys of [fields.NAME], [fluid] and [forces.NAME].
#include "io/schema/parts.h"
#include "io/schema/schema.h"

namespace areia::io {
namespace {

// acceleration, electric and magnetic fill the same vector and say what it is.
Key<ForceField> value_key(std::string name, ForceField::Kind kind, const std::string& unit, std::string text) {
  Rule rule{.unit = unit, .text = std::move(text)};
  Key<ForceField> f = declare<ForceField>(std::move(name), KeyInfo::Form::vector, rule);
  f.read = [=](ForceField& field, const toml::node& node, Reader& r, const std::string& path) {
    field.kind = kind;
    if (const auto v = r.vector(node, path, unit)) field.value = *v;
  };
  f.write = [=](const ForceField& field) { return field.kind == kind ? toml_vector(field.value) : std::string(); };
  f.check = [=](const ForceField& field, Rules& r, const std::string& path) {
    if (field.kind == kind) r.finite(path, field.value);
  };
  return f;
}

// A region that is everywhere unless given.
template <class T>
Key<T> where_key(Region T::*member, const std::string& text) {
  return table<T, Region>(
      "region", region_table(),
      [=](T& t) -> Region& {
        t.*member = {};
        return t.*member;
      },
      [=](const T& t) { return (t.*member).kind == Region::Kind::all ? nullptr : &(t.*member); }, {.text = text});
}

Key<Flow> gradient_key() {
  Rule rule{.unit = "1/s",
            .text = "Three rows: how vx, vy and vz change along x, y and z, [[dvx/dx, dvx/dy, dvx/dz], ...]."};
  Key<Flow> f = declare<Flow>("gradient", KeyInfo::Form::rows, rule);
  f.read = [](Flow& flow, const toml::node& node, Reader& r, const std::string& path) {
    const toml::array* rows = node.as_array();
    if (!rows || rows->size() != 3)
      return r.problem(node, path, "must be three rows, such as [[0, 2, 0], [0, 0, 0], [0, 0, 0]]");
    for (std::size_t k = 0; k < 3; ++k)
      if (const auto row = r.vector((*rows)[k], path, "1/s")) flow.gradient[k] = *row;
  };
  f.write = [](const Flow& flow) {
    return "[" + toml_vector(flow.gradient[0]) + ", " + toml_vector(flow.gradient[1]) + ", " +
           toml_vector(flow.gradient[2]) + "]";
  };
  f.check = [](const Flow& flow, Rules& r, const std::string& path) {
    for (const Vec3d& row : flow.gradient) r.finite(path, row);
  };
  return with_preset(std::move(f));
}

const Table<Flow>& flow_table() {
  static const Table<Flow> table{
      "A part of the fluid's velocity: velocity + gradient (x - point). Parts that overlap add.",
      joined<Flow>(
          {vector("velocity", &Flow::velocity, {.unit = "m/s", .text = "Velocity at `point`."}), gradient_key(),
           vector("point", &Flow::point, {.unit = "m", .text = "Where the velocity is `velocity`."}),
           where_key<Flow>(&Flow::region, "Where it flows; everywhere without this key.")},
          interval_keys<Flow>()),
      {{{"start", "start_stage"}, false}, {{"stop", "stop_stage"}, false}}};
  return table;
}

Key<DistanceForce> between_key() {
  Rule rule{.text = "Two groups, [\"a\", \"b\"], or one group twice; without this key all particles."};
  Key<DistanceForce> f = declare<DistanceForce>("between", KeyInfo::Form::texts, rule);
  f.read = [](DistanceForce& d, const toml::node& node, Reader& r, const std::string& path) {
    std::vector<std::string> names = r.texts(node, path);
    if (names.size() != 2) return r.problem(node, path, "must be two groups of particles, such as [\"a\", \"b\"]");
    for (std::string& name : names)
      if (name.starts_with("particles.")) name.erase(0, 10);
    d.group_a = names[0];
    d.group_b = names[1];
  };
  f.write = [](const DistanceForce& d) {
    return d.group_a.empty() && d.group_b.empty() ? std::string()
                                                  : "[" + toml_text(d.group_a) + ", " + toml_text(d.group_b) + "]";
  };
  return f;
}

Key<DistanceForce> walls_key() {
  Rule rule{.text = "Walls that act on the first group with the same law; the distance is that of centre and wall."};
  Key<DistanceForce> f = declare<DistanceForce>("walls", KeyInfo::Form::texts, rule);
  f.preset = "[]";
  f.read = [](DistanceForce& d, const toml::node& node, Reader& r, const std::string& path) {
    for (std::string name : r.texts(node, path)) {
      if (name.starts_with("walls.")) name.erase(0, 6);
      d.walls.push_back(std::move(name));
    }
  };
  f.write = [](const DistanceForce& d) { return "[" + array_of_texts(d.walls) + "]"; };
  return f;
}

}  // namespace

const Table<ForceField>& field_table() {
  static const Table<ForceField> turning{
      "The vector turns about an axis.",
      {vector("axis", &ForceField::turn_axis,
              {.required = true, .direction = true, .text = "Axis; the right hand rule applies."}),
       number("rate", &ForceField::turn_rate,
              {.unit = "rad/s", .required = true, .text = "Angular velocity, from the start of the field."})}};
  static const Table<ForceField> fields{
      "A field that acts on free particles. Several of them add.",
      joined<ForceField>(
          {value_key("acceleration", ForceField::Kind::gravity, "m/s^2", "Acceleration, such as gravity."),
           value_key("electric", ForceField::Kind::electric, "V/m", "Electric field E: force q E."),
           value_key("magnetic", ForceField::Kind::magnetic, "T", "Magnetic field B: force q v x B."),
           where_key<ForceField>(&ForceField::region,
                                 "Where it acts, by the particle's centre; everywhere without this key."),
           table<ForceField, ForceField>(
               "turning", turning, [](ForceField& f) -> ForceField& { return f; },
               [](const ForceField& f) { return f.turn_rate != 0 ? &f : nullptr; }, {})},
          interval_keys<ForceField>()),
      {{{"acceleration", "electric", "magnetic"}, true},
       {{"start", "start_stage"}, false},
       {{"stop", "stop_stage"}, false}}};
  return fields;
}

const Table<Fluid>& fluid_table() {
  static const Table<Fluid> table{
      "The fluid around the particles. It acts on them; they do not act on it.",
      {number("density", &Fluid::density, {.unit = "kg/m^3", .range = kNotNegative, .text = "Density."}),
       number("viscosity", &Fluid::viscosity, {.unit = "Pa s", .range = kNotNegative, .text = "Dynamic viscosity."}),
       word("drag", &Fluid::drag,
            {{"none", Fluid::Drag::none},
             {"chow", Fluid::Drag::chow},
             {"schiller_naumann", Fluid::Drag::schiller_naumann},
             {"linear", Fluid::Drag::linear},
             {"stokes", Fluid::Drag::stokes}},
            {.text = "Drag: by the Reynolds number (`chow`, `schiller_naumann`), `coefficient` times the velocity "
                     "(`linear`), or "
                     "6 pi c r u (`stokes`)."}),
       number("coefficient", &Fluid::coefficient,
              {.range = kNotNegative,
               .text = "linear: force over velocity, kg/s; stokes: viscosity c, Pa s, 0 takes `viscosity`."}),
       number("magnus", &Fluid::magnus,
              {.unit = "kg", .range = kNotNegative, .text = "Magnus force M w x u; 0: none."}),
       boolean("buoyancy", &Fluid::buoyancy, {.text = "The weight of the displaced fluid is carried."}),
       named("flows", &Fluid::flows, flow_table(), {.text = "Parts of the fluid's velocity; at rest without any."})}};
  return table;
}

const Table<DistanceForce>& force_table() {
  using F = DistanceForce;
  static const Table<F> table{
      "Attraction and repulsion at a distance, f = k_at d^-a_at - k_rep d^-a_rep towards the other.",
      {word("law", &F::law,
            {{"power", F::Law::power}, {"lennard_jones", F::Law::lennard_jones}, {"coulomb", F::Law::coulomb}},
            {.required = true, .text = "Power laws, Lennard-Jones, or Coulomb's law between charges."}),
       between_key(), number("k_at", &F::k_at, {.range = kNotNegative, .text = "power: attraction, N m^a_at."}),
       number("a_at", &F::a_at, {.range = kNotNegative, .text = "power: exponent of the attraction."}),
       number("k_rep", &F::k_rep, {.range = kNotNegative, .text = "power: repulsion, N m^a_rep."}),
       number("a_rep", &F::a_rep, {.range = kNotNegative, .text = "power: exponent of the repulsion."}),
       number("depth", &F::depth,
              {.unit = "J", .range = kNotNegative, .text = "lennard_jones: depth of the well, epsilon."}),
       number("size", &F::size,
              {.unit = "m", .range = kNotNegative, .text = "lennard_jones: distance of zero energy, sigma."}),
       number("permittivity", &F::permittivity,
              {.unit = "F/m", .range = kPositive, .text = "coulomb: permittivity of the surroundings."}),
       number("cutoff", &F::cutoff,
              {.unit = "m",
               .range = kPositive,
               .word = "none",
               .word_value = kForever,
               .text = "No force beyond this distance; none: every pair, exactly."}),
       boolean("shift", &F::shift, {.text = "Subtract the force at the cut-off, so that it ends at zero."}),
       walls_key()}};
  return table;
}

}  // namespace areia::io

#include "lab/lab_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include "core/suggest.h"
#include "impact/models.h"
#include "impact/systems/systems.h"
#include "io/case/toml_text.h"
#include "io/particles/particle_csv.h"
#include "lab/case_json.h"

namespace areia::lab {

namespace {

using namespace impact;
using io::Reader;

// Keys of one table: each is read once by the one who knows it, what is left over is unknown.
class Keys {
 public:
  // What is read goes into `keys`, too, where there are.
  Keys(Reader& reader, const toml::table* table, std::string path, std::vector<LabKey>* keys = nullptr)
      : reader_(reader), table_(table), path_(std::move(path)), keys_(keys) {}

  const toml::node* take(const std::string& key) {
    known_.push_back(key);
    const toml::node* node = table_ ? table_->get(key) : nullptr;
    if (node) reader_.remember(full(key), *node);
    return node;
  }
  void number(const std::string& key, double& value, const char* unit, const Range& range, const char* text) {
    const double preset = value;
    if (const toml::node* n = take(key))
      if (const auto v = reader_.number(*n, full(key), unit, range)) value = *v;
    declare(key, "number", text, value, preset, unit, range);
  }
  void integer(const std::string& key, int& value, const Range& range, const char* text) {
    const int preset = value;
    if (const toml::node* n = take(key))
      if (const auto v = reader_.integer(*n, full(key), range)) value = static_cast<int>(*v);
    declare(key, "integer", text, value, preset, "", range);
  }
  void boolean(const std::string& key, bool& value, const char* text) {
    const bool preset = value;
    if (const toml::node* n = take(key))
      if (const auto v = reader_.boolean(*n, full(key))) value = *v;
    declare(key, "boolean", text, value, preset);
  }
  void text(const std::string& key, std::string& value) {
    if (const toml::node* n = take(key))
      if (const auto v = reader_.text(*n, full(key))) value = *v;
  }
  Vector numbers(const std::string& key) {
    const toml::node* n = take(key);
    return n ? row(*n, full(key)) : Vector{};
  }
  void numbers(const std::string& key, Vector& value, const char* text) {
    value = numbers(key);
    declare(key, "numbers", text, value, nullptr);
  }
  template <std::size_t N>
  void numbers(const std::string& key, std::array<double, N>& value, const char* text, const Range& range = {}) {
    const std::array<double, N> preset = value;
    if (const toml::node* n = take(key)) {
      const Vector v = row(*n, full(key), range);
      if (v.size() == N) std::copy(v.begin(), v.end(), value.begin());
      else if (n->is_array()) reader_.problem(*n, full(key), fmt::format("must have {} numbers", N));
    }
    declare(key, "numbers", text, value, preset, "", range);
  }
  void matrix(const std::string& key, Matrix& value, const char* text) {
    if (const toml::node* n = take(key)) {
      const toml::array* rows = n->as_array();
      if (!rows) return reader_.problem(*n, full(key), "must be an array of rows, such as [[1, 0], [0, 1]]");
      for (const toml::node& r : *rows) value.push_back(row(r, full(key)));
    }
    declare(key, "matrix", text, value, nullptr);
  }
  // `preset` out of its range: where the key is not given, the system chooses.
  void declare(const std::string& key, const char* type, const char* text, nlohmann::ordered_json value,
               nlohmann::ordered_json preset, const char* unit = "", const Range& range = {}) {
    if (preset.is_number() && !range.contains(preset.get<double>())) {
      if (value == preset) value = nullptr;
      preset = nullptr;
    }
    if (keys_) keys_->push_back({full(key), type, unit, range, text, std::move(value), std::move(preset)});
  }
  Vector row(const toml::node& node, const std::string& path, const Range& range = {}) {
    Vector all;
    const toml::array* a = node.as_array();
    if (!a) {
      reader_.problem(node, path, "must be an array of numbers");
      return all;
    }
    for (const toml::node& x : *a)
      if (const auto v = reader_.number(x, path, "", range)) all.push_back(*v);
    return all;
  }
  void finish() {
    if (!table_) return;
    for (const auto& [key, node] : io::in_file_order(*table_))
      if (std::find(known_.begin(), known_.end(), key) == known_.end())
        reader_.problem(*node, full(key), "is not a known key here" + suggestion(key, known_));
  }
  std::string full(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }
  Reader& reader() { return reader_; }
  bool there() const { return table_ != nullptr; }

 private:
  Reader& reader_;
  const toml::table* table_;
  std::string path_;
  std::vector<LabKey>* keys_;
  std::vector<std::string> known_;
};

using Make = std::unique_ptr<System> (*)(Keys&);

std::unique_ptr<System> read_bar(Keys& k) {
  BarParameters p;
  k.number("mass", p.mass, "kg", kPositive, "mass of the bar");
  k.number("length", p.length, "m", kPositive, "length of the bar");
  k.number("g", p.g, "m/s^2", kNotNegative, "gravity, downwards");
  return k.reader().problems.empty() ? make_bar(p) : nullptr;
}

std::unique_ptr<System> read_ball(Keys& k) {
  BallParameters p;
  k.number("mass", p.mass, "kg", kPositive, "mass of the ball");
  k.number("radius", p.radius, "m", kPositive, "radius of the ball");
  k.number("height", p.height, "m", kPositive, "distance of the two walls");
  k.number("g", p.g, "m/s^2", kNotNegative, "gravity, downwards");
  k.number("inertia", p.inertia, "kg m^2", kPositive, "moment of inertia; without it that of a solid sphere");
  return k.reader().problems.empty() ? make_ball(p) : nullptr;
}

std::unique_ptr<System> read_coins(Keys& k) {
  std::vector<Coin> coins(3);
  const Vector mass = k.numbers("mass"), radius = k.numbers("radius");
  const Vector preset(coins.size(), 1.0);
  const std::size_t n = std::max(mass.size(), radius.size());
  if (n > 0) coins.assign(n, Coin{});
  for (std::size_t i = 0; i < mass.size(); ++i) coins[i].mass = mass[i];
  for (std::size_t i = 0; i < radius.size(); ++i) coins[i].radius = radius[i];
  Vector masses, radii;
  for (const Coin& c : coins) masses.push_back(c.mass), radii.push_back(c.radius);
  k.declare("mass", "numbers", "masses of the coins; as many coins as are listed", masses, preset);
  k.declare("radius", "numbers", "radii of the coins", radii, preset);
  return k.reader().problems.empty() ? make_coins(coins) : nullptr;
}

std::unique_ptr<System> read_masses(Keys& k) {
  MassesParameters p;
  k.numbers("mass", p.mass, "the two masses", kPositive);
  k.numbers("stiffness", p.stiffness, "stiffness of the springs of the masses; 0: none", kNotNegative);
  k.numbers("anchor", p.anchor, "where the springs are without force");
  k.number("spacing", p.spacing, "m", kNotNegative, "distance of the centres when they touch");
  return k.reader().problems.empty() ? make_masses(p) : nullptr;
}

std::unique_ptr<System> read_pinned_bar(Keys& k) {
  PinnedBarParameters p;
  k.number("mass", p.mass, "kg", kPositive, "mass of the bar");
  k.number("length", p.length, "m", kPositive, "length of the bar");
  k.number("g", p.g, "m/s^2", kNotNegative, "gravity, downwards");
  p.stop_distance = p.length;
  k.number("stop_distance", p.stop_distance, "m", kPositive, "distance of the stop from the pin");
  k.number("stop_angle", p.stop_angle, "rad", {}, "angle of the bar at the stop, from the downward vertical");
  k.integer("side", p.side, {-1, 1}, "1: the bar moves at greater angles than the stop, -1: at smaller ones");
  return k.reader().problems.empty() ? make_pinned_bar(p) : nullptr;
}

std::unique_ptr<System> read_box(Keys& k) {
  BoxParameters p;
  k.number("mass", p.mass, "kg", kPositive, "mass of the bob");
  k.number("length", p.length, "m", kPositive, "length of the pendulum");
  k.number("half_width", p.half_width, "m", kPositive, "distance of the walls from the pivot");
  k.number("bob_radius", p.bob_radius, "m", kNotNegative, "radius of the bob");
  k.number("g", p.g, "m/s^2", kNotNegative, "gravity, downwards");
  k.boolean("driven", p.driven, "the box is shaken instead of free on its rail");
  if (p.driven) {
    k.number("amplitude", p.amplitude, "m", {}, "amplitude of the shaking");
    k.number("frequency", p.frequency, "rad/s", {}, "angular frequency of the shaking");
    k.number("phase", p.phase, "rad", {}, "phase of the shaking");
  } else {
    k.number("box_mass", p.box_mass, "kg", kPositive, "mass of the box");
    k.number("box_stiffness", p.box_stiffness, "N/m", kNotNegative, "stiffness of a spring that holds the box");
    k.number("box_force", p.box_force, "N", {}, "constant horizontal force on the box");
  }
  return k.reader().problems.empty() ? make_box_pendulum(p) : nullptr;
}

std::unique_ptr<System> read_rigid_pendulum(Keys& k) {
  RigidPendulumParameters p;
  k.number("mass", p.mass, "kg", kPositive, "mass of the pendulum");
  k.number("length", p.length, "m", kPositive, "length of the pendulum");
  k.number("g", p.g, "m/s^2", kNotNegative, "gravity, downwards");
  k.number("contact_angle", p.contact_angle, "rad", {}, "angle at which the tip meets the surface");
  k.number("surface_speed", p.surface_speed, "m/s", {}, "speed of the surface along itself");
  return k.reader().problems.empty() ? make_rigid_pendulum(p) : nullptr;
}

std::unique_ptr<System> read_double_pendulum(Keys& k) {
  DoublePendulumParameters p;
  k.number("mass", p.mass, "kg", kPositive, "mass of each bar");
  k.number("length", p.length, "m", kPositive, "length of each bar");
  k.number("g", p.g, "m/s^2", kNotNegative, "gravity, downwards");
  k.number("depth", p.depth, "m", kPositive, "depth of the ground below the pin");
  return k.reader().problems.empty() ? make_double_pendulum(p) : nullptr;
}

std::unique_ptr<System> read_linear(Keys& k) {
  LinearParameters p;
  if (const toml::node* n = k.take("coordinates")) p.coordinates = k.reader().texts(*n, k.full("coordinates"));
  k.declare("coordinates", "texts", "names of the coordinates", p.coordinates, nullptr);
  k.matrix("M", p.mass, "mass matrix");
  k.numbers("force", p.force, "constant force");
  k.matrix("stiffness", p.stiffness, "stiffness matrix; empty: none");
  k.matrix("damping", p.damping, "damping matrix; empty: none");
  k.number("length", p.length, "m", kPositive, "length scale of the test for chatter");
  k.number("g", p.gravity, "m/s^2", kNotNegative, "gravity, scale of the test for chatter");
  if (const toml::node* n = k.take("contacts")) {
    k.declare("contacts", "tables", "contacts: name, rows N and T, theta, w, gap", to_json(*n), nullptr);
    const toml::array* list = n->as_array();
    if (!list) k.reader().problem(*n, k.full("contacts"), "must be an array of tables, [[system.contacts]]");
    for (std::size_t i = 0; list && i < list->size(); ++i) {
      const std::string path = fmt::format("{}[{}]", k.full("contacts"), i);
      Keys c(k.reader(), k.reader().table((*list)[i], path), path);
      k.reader().remember(path, (*list)[i]);
      LinearContact contact;
      contact.name = fmt::format("contact{}", i + 1);
      std::array<double, 3> w{};
      c.text("name", contact.name);
      contact.N = c.numbers("N");
      contact.T = c.numbers("T");
      contact.theta = c.numbers("theta");
      c.numbers("w", w, "");
      c.number("gap", contact.gap0, "m", {}, "");
      c.finish();
      contact.w = {w[0], w[1], w[2]};
      p.contacts.push_back(std::move(contact));
    }
  }
  return k.reader().problems.empty() ? make_linear(p) : nullptr;
}

struct Kind {
  SystemKind about;
  Make make;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {{"bar", "a slender bar and a fixed floor"}, read_bar},
      {{"ball", "a ball between two walls"}, read_ball},
      {{"coins", "coins on a table without friction"}, read_coins},
      {{"masses", "two masses on a line, with springs"}, read_masses},
      {{"pinned_bar", "a bar pinned at one end and a stop"}, read_pinned_bar},
      {{"box_pendulum", "a pendulum in a box"}, read_box},
      {{"rigid_pendulum", "a rigid pendulum and a moving surface"}, read_rigid_pendulum},
      {{"double_pendulum", "Kane's double pendulum and the ground"}, read_double_pendulum},
      {{"linear", "any system with constant matrices"}, read_linear}};
  return all;
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const Kind& k : kinds()) names.push_back(k.about.name);
  return names;
}

// Names, and numbers of coordinates: angles may be written in degrees.
const char* unit_of(const std::string& name, bool rate) {
  const bool angle = name.starts_with("theta") || name.starts_with("q") || name.starts_with("omega");
  return angle ? (rate ? "rad/s" : "rad") : (rate ? "m/s" : "m");
}

void read_start(Keys& k, const System& system, State& start) {
  const auto read = [&](const std::vector<std::string>& names, Vector& values, bool rate) {
    values.assign(names.size(), 0.0);
    for (std::size_t i = 0; i < names.size(); ++i)
      k.number(names[i], values[i], system.kind() == "linear" ? "" : unit_of(names[i], rate), {},
               rate ? "velocity at the start" : "coordinate at the start");
  };
  read(system.coordinates(), start.q, false);
  read(system.velocities(), start.v, true);
  k.number("t", start.t, "s", {}, "time at the start");
  k.finish();
}

std::map<std::string, Written> read_params(Reader& reader, const toml::table* table) {
  std::map<std::string, Written> params;
  if (!table) return params;
  for (const auto& [key, node] : io::in_file_order(*table)) {
    reader.remember("params." + key, *node);
    if (const auto* s = node->as_string()) params[key] = {0, s->get(), true};
    else if (const auto v = reader.number(*node, "params." + key, "", {})) params[key] = {*v, "", false};
  }
  return params;
}

// What stands in [diagram].models gets those of the case's coefficients that it knows.
void read_diagram(Keys& k, const std::map<std::string, Written>& params, LabCase& c) {
  k.integer("most", c.most_diagrams, {0, 10000}, "how many collisions get an impulse plane");
  if (const toml::node* n = k.take("models"))
    for (const std::string& name : k.reader().texts(*n, k.full("models"))) {
      const ModelInfo* info = find_model(name);
      if (!info) {
        k.reader().problem(*n, k.full("models"),
                           fmt::format("`{}` is no model{}", name, suggestion(name, model_names())));
        continue;
      }
      std::map<std::string, Written> own;
      for (const Coefficient& x : info->coefficients)
        if (const auto p = params.find(x.name); p != params.end()) own.insert(*p);
      std::vector<Problem> problems;
      Model m = make_model(name, own, "", problems);
      if (problems.empty()) c.diagram_models.push_back(m);
      else
        k.reader().problem(
            *n, k.full("models"),
            fmt::format("`{}` needs coefficients that the case does not give: {}", name, problems[0].rule));
    }
  k.finish();
}

void add_problems(Reader& reader, std::vector<Problem> problems) {
  for (Problem& p : problems) {
    // An element of a matrix stands where the matrix stands.
    const std::string key = p.key, whole = key.substr(0, key.find('['));
    const bool element = !reader.knows(key) && reader.knows(whole);
    const std::string value = p.value;
    if (element) p.key = whole;
    reader.locate(p);
    if (element) {
      p.key = key;
      p.value = value;
    }
    reader.problems.push_back(std::move(p));
  }
}

}  // namespace

std::vector<SystemKind> system_kinds() {
  std::vector<SystemKind> all;
  for (const Kind& k : kinds()) all.push_back(k.about);
  return all;
}

LabCase parse_lab_case(std::string_view text, const std::string& name, const std::vector<std::string>& set) {
  toml::table root = io::parse_toml(text, name);
  Reader reader(std::filesystem::path(name).parent_path());
  if (root.source().path) reader.add_source(root.source().path, text);
  io::Overrides overrides(root, reader);
  for (const std::string& s : set) overrides.apply(s);

  LabCase c;
  c.text = std::string(text);
  for (const std::string& s : set) c.text += "\n# --set " + s + "\n";
  const auto missing = [&](std::string key, std::string rule) {
    reader.problems.push_back({name, 0, std::move(key), "", std::move(rule)});
  };
  Keys top(reader, &root, "");
  top.text("title", c.title);
  const auto table = [&](const char* key) {
    const toml::node* n = top.take(key);
    return Keys(reader, n ? reader.table(*n, key) : nullptr, key, &c.keys);
  };

  Keys system = table("system"), start = table("start"), run = table("run"), diagram = table("diagram");
  const toml::node* params_node = top.take("params");
  const toml::node* model_node = top.take("model");
  top.finish();

  if (!system.there()) missing("system", "is missing: which system moves");
  if (const toml::node* n = system.take("kind")) {
    if (const auto which = reader.word(*n, "system.kind", kind_names())) {
      // Keys of the system are told even where others are wrong; the system itself needs all of them right.
      std::vector<Problem> others;
      std::swap(others, reader.problems);
      try {
        c.system = kinds()[*which].make(system);
      } catch (const InputError& e) { add_problems(reader, e.problems); }
      system.finish();
      if (c.system) read_start(start, *c.system, c.start);
      reader.problems.insert(reader.problems.begin(), others.begin(), others.end());
    }
  } else if (system.there()) {
    missing("system.kind", "is missing: one of " + fmt::format("{}", fmt::join(kind_names(), ", ")));
  }

  run.number("t_end", c.options.t_end, "s", {}, "end of the run");
  run.number("sample_step", c.options.sample_step, "s", kPositive,
             "interval of the series; without it a four hundredth of the run");
  int most = 100000;
  run.integer("max_impacts", most, {1, 1e9}, "more impacts end the run");
  c.options.most_impacts = static_cast<std::size_t>(most);
  run.finish();

  const auto params = read_params(reader, params_node ? reader.table(*params_node, "params") : nullptr);
  if (model_node) {
    reader.remember("model", *model_node);
    if (const auto m = reader.text(*model_node, "model")) {
      c.model = *m;
      std::vector<Problem> problems;
      c.options.model = make_model(*m, params, "", problems);
      add_problems(reader, std::move(problems));
    }
  } else {
    missing("model", "is missing: `areia impact models` lists them");
  }
  read_diagram(diagram, params, c);

  for (Problem& p : reader.problems)
    if (p.file.empty()) p.file = name;
  if (!reader.problems.empty()) {
    std::stable_sort(reader.problems.begin(), reader.problems.end(),
                     [](const Problem& a, const Problem& b) { return a.line < b.line; });
    throw InputError(std::move(reader.problems));
  }
  if (c.title.empty()) c.title = fmt::format("{}, {}", c.system->kind(), c.model);
  return c;
}

LabCase read_lab_case(const std::string& file, const std::vector<std::string>& set) {
  std::string why;
  const auto text = io::read_text_file(file, why);
  if (!text) throw InputError(std::vector<Problem>{{file, 0, "", "", "cannot read the case file: " + why}});
  return parse_lab_case(*text, file, set);
}

}  // namespace areia::lab

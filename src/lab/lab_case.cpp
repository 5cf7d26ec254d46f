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

namespace areia::lab {

namespace {

using namespace impact;
using io::Reader;

// Keys of one table: each is read once by the one who knows it, what is left over is unknown.
class Keys {
 public:
  Keys(Reader& reader, const toml::table* table, std::string path)
      : reader_(reader), table_(table), path_(std::move(path)) {}

  const toml::node* take(const std::string& key) {
    known_.push_back(key);
    const toml::node* node = table_ ? table_->get(key) : nullptr;
    if (node) reader_.remember(full(key), *node);
    return node;
  }
  void number(const std::string& key, double& value, const char* unit, const Range& range = {}) {
    if (const toml::node* n = take(key))
      if (const auto v = reader_.number(*n, full(key), unit, range)) value = *v;
  }
  void integer(const std::string& key, int& value, const Range& range) {
    if (const toml::node* n = take(key))
      if (const auto v = reader_.integer(*n, full(key), range)) value = static_cast<int>(*v);
  }
  void boolean(const std::string& key, bool& value) {
    if (const toml::node* n = take(key))
      if (const auto v = reader_.boolean(*n, full(key))) value = *v;
  }
  void text(const std::string& key, std::string& value) {
    if (const toml::node* n = take(key))
      if (const auto v = reader_.text(*n, full(key))) value = *v;
  }
  void numbers(const std::string& key, Vector& value) {
    if (const toml::node* n = take(key)) value = row(*n, full(key));
  }
  template <std::size_t N>
  void numbers(const std::string& key, std::array<double, N>& value, const Range& range = {}) {
    const toml::node* n = take(key);
    if (!n) return;
    const Vector v = row(*n, full(key), range);
    if (v.size() == N) std::copy(v.begin(), v.end(), value.begin());
    else if (n->is_array()) reader_.problem(*n, full(key), fmt::format("must have {} numbers", N));
  }
  void matrix(const std::string& key, Matrix& value) {
    const toml::node* n = take(key);
    if (!n) return;
    const toml::array* rows = n->as_array();
    if (!rows) return reader_.problem(*n, full(key), "must be an array of rows, such as [[1, 0], [0, 1]]");
    for (const toml::node& r : *rows) value.push_back(row(r, full(key)));
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
  std::vector<std::string> known_;
};

using Make = std::unique_ptr<System> (*)(Keys&);

std::unique_ptr<System> read_bar(Keys& k) {
  BarParameters p;
  k.number("mass", p.mass, "kg", kPositive);
  k.number("length", p.length, "m", kPositive);
  k.number("g", p.g, "m/s^2", kNotNegative);
  return k.reader().problems.empty() ? make_bar(p) : nullptr;
}

std::unique_ptr<System> read_ball(Keys& k) {
  BallParameters p;
  k.number("mass", p.mass, "kg", kPositive);
  k.number("radius", p.radius, "m", kPositive);
  k.number("height", p.height, "m", kPositive);
  k.number("g", p.g, "m/s^2", kNotNegative);
  k.number("inertia", p.inertia, "kg m^2", kPositive);
  return k.reader().problems.empty() ? make_ball(p) : nullptr;
}

std::unique_ptr<System> read_coins(Keys& k) {
  std::vector<Coin> coins(3);
  Vector mass, radius;
  k.numbers("mass", mass);
  k.numbers("radius", radius);
  const std::size_t n = std::max({mass.size(), radius.size(), std::size_t{0}});
  if (n > 0) coins.assign(n, Coin{});
  for (std::size_t i = 0; i < mass.size(); ++i) coins[i].mass = mass[i];
  for (std::size_t i = 0; i < radius.size(); ++i) coins[i].radius = radius[i];
  return k.reader().problems.empty() ? make_coins(coins) : nullptr;
}

std::unique_ptr<System> read_masses(Keys& k) {
  MassesParameters p;
  k.numbers("mass", p.mass, kPositive);
  k.numbers("stiffness", p.stiffness, kNotNegative);
  k.numbers("anchor", p.anchor);
  k.number("spacing", p.spacing, "m", kNotNegative);
  return k.reader().problems.empty() ? make_masses(p) : nullptr;
}

std::unique_ptr<System> read_pinned_bar(Keys& k) {
  PinnedBarParameters p;
  k.number("mass", p.mass, "kg", kPositive);
  k.number("length", p.length, "m", kPositive);
  k.number("g", p.g, "m/s^2", kNotNegative);
  p.stop_distance = p.length;
  k.number("stop_distance", p.stop_distance, "m", kPositive);
  k.number("stop_angle", p.stop_angle, "rad");
  k.integer("side", p.side, {-1, 1});
  return k.reader().problems.empty() ? make_pinned_bar(p) : nullptr;
}

std::unique_ptr<System> read_box(Keys& k) {
  BoxParameters p;
  k.number("mass", p.mass, "kg", kPositive);
  k.number("length", p.length, "m", kPositive);
  k.number("half_width", p.half_width, "m", kPositive);
  k.number("bob_radius", p.bob_radius, "m", kNotNegative);
  k.number("g", p.g, "m/s^2", kNotNegative);
  k.boolean("driven", p.driven);
  if (p.driven) {
    k.number("amplitude", p.amplitude, "m");
    k.number("frequency", p.frequency, "rad/s");
    k.number("phase", p.phase, "rad");
  } else {
    k.number("box_mass", p.box_mass, "kg", kPositive);
    k.number("box_stiffness", p.box_stiffness, "N/m", kNotNegative);
    k.number("box_force", p.box_force, "N");
  }
  return k.reader().problems.empty() ? make_box_pendulum(p) : nullptr;
}

std::unique_ptr<System> read_rigid_pendulum(Keys& k) {
  RigidPendulumParameters p;
  k.number("mass", p.mass, "kg", kPositive);
  k.number("length", p.length, "m", kPositive);
  k.number("g", p.g, "m/s^2", kNotNegative);
  k.number("contact_angle", p.contact_angle, "rad");
  k.number("surface_speed", p.surface_speed, "m/s");
  return k.reader().problems.empty() ? make_rigid_pendulum(p) : nullptr;
}

std::unique_ptr<System> read_double_pendulum(Keys& k) {
  DoublePendulumParameters p;
  k.number("mass", p.mass, "kg", kPositive);
  k.number("length", p.length, "m", kPositive);
  k.number("g", p.g, "m/s^2", kNotNegative);
  k.number("depth", p.depth, "m", kPositive);
  return k.reader().problems.empty() ? make_double_pendulum(p) : nullptr;
}

std::unique_ptr<System> read_linear(Keys& k) {
  LinearParameters p;
  if (const toml::node* n = k.take("coordinates")) p.coordinates = k.reader().texts(*n, k.full("coordinates"));
  k.matrix("M", p.mass);
  k.numbers("force", p.force);
  k.matrix("stiffness", p.stiffness);
  k.matrix("damping", p.damping);
  k.number("length", p.length, "m", kPositive);
  k.number("g", p.gravity, "m/s^2", kNotNegative);
  if (const toml::node* n = k.take("contacts")) {
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
      c.numbers("N", contact.N);
      c.numbers("T", contact.T);
      c.numbers("theta", contact.theta);
      c.numbers("w", w);
      c.number("gap", contact.gap0, "m");
      c.finish();
      contact.w = {w[0], w[1], w[2]};
      p.contacts.push_back(std::move(contact));
    }
  }
  return k.reader().problems.empty() ? make_linear(p) : nullptr;
}

const std::vector<std::pair<std::string, Make>>& kinds() {
  static const std::vector<std::pair<std::string, Make>> all{{"bar", read_bar},
                                                             {"ball", read_ball},
                                                             {"coins", read_coins},
                                                             {"masses", read_masses},
                                                             {"pinned_bar", read_pinned_bar},
                                                             {"box_pendulum", read_box},
                                                             {"rigid_pendulum", read_rigid_pendulum},
                                                             {"double_pendulum", read_double_pendulum},
                                                             {"linear", read_linear}};
  return all;
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
      k.number(names[i], values[i], system.kind() == "linear" ? "" : unit_of(names[i], rate));
  };
  k.number("t", start.t, "s");
  read(system.coordinates(), start.q, false);
  read(system.velocities(), start.v, true);
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
  k.integer("most", c.most_diagrams, {0, 10000});
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

std::vector<std::string> system_kinds() {
  std::vector<std::string> names;
  for (const auto& k : kinds()) names.push_back(k.first);
  return names;
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
    return Keys(reader, n ? reader.table(*n, key) : nullptr, key);
  };

  Keys system = table("system"), start = table("start"), run = table("run"), diagram = table("diagram");
  const toml::node* params_node = top.take("params");
  const toml::node* model_node = top.take("model");
  top.finish();

  if (!system.there()) missing("system", "is missing: which system moves");
  if (const toml::node* n = system.take("kind")) {
    if (const auto which = reader.word(*n, "system.kind", system_kinds())) {
      // Keys of the system are told even where others are wrong; the system itself needs all of them right.
      std::vector<Problem> others;
      std::swap(others, reader.problems);
      try {
        c.system = kinds()[*which].second(system);
      } catch (const InputError& e) { add_problems(reader, e.problems); }
      system.finish();
      if (c.system) read_start(start, *c.system, c.start);
      reader.problems.insert(reader.problems.begin(), others.begin(), others.end());
    }
  } else if (system.there()) {
    missing("system.kind", "is missing: one of " + fmt::format("{}", fmt::join(system_kinds(), ", ")));
  }

  run.number("t_end", c.options.t_end, "s");
  run.number("sample_step", c.options.sample_step, "s", kPositive);
  int most = 100000;
  run.integer("max_impacts", most, {1, 1e9});
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

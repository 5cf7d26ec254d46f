#include "io/case/pyparticles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "areia/error.h"
#include "core/range.h"
#include "io/files/line_pieces.h"

namespace areia {
namespace {

using io::trimmed;

constexpr double kMostSteps = 1e12;
constexpr std::size_t kMostTracked = 20;

std::string lower(std::string_view s) {
  std::string out(s);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string_view unquoted(std::string_view s) {
  if (s.size() >= 2 && (s.front() == '\'' || s.front() == '"') && s.back() == s.front())
    return s.substr(1, s.size() - 2);
  return s;
}

struct Line {
  int number = 0;
  std::string text;
};

struct Section {
  int line = 0;
  std::map<std::string, Line> keys;
  std::vector<Line> rows;  // lines without "=", such as tables
};

// Reads numbers, lists and their sums and products from left to right; nothing is ever evaluated as a program.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}
  void space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool done() {
    space();
    return at_ == text_.size();
  }
  char peek() {
    space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  // Without a sign in front.
  std::optional<double> number() {
    space();
    double v = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), v);
    if (error != std::errc() || !is_usable(v)) return std::nullopt;
    at_ = static_cast<std::size_t>(end - text_.data());
    return v;
  }
  std::optional<double> signed_number() {
    if (take('+')) return number();
    return number();  // a minus sign belongs to the number
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

class Importer {
 public:
  Importer(std::string_view text, const std::string& file) : file_(file) { split(text); }

  ImportedCase run() {
    Case& c = out_.settings;
    c.title = "Imported from " + file_.substr(file_.find_last_of('/') + 1);
    simulation(c);
    particles();
    initial_conditions();
    const ContactKeys pair = contact_keys("contacts data", {});
    if (problems_.empty()) {
      materials(c, pair);
      sets(c);
      planes(c, pair);
    }
    output(c);
    if (!problems_.empty()) throw InputError(std::move(problems_));
    return std::move(out_);
  }

 private:
  struct Grain {
    int line = 0;
    double mass = 0, radius = 0;
    bool placed = false;
    Vec3d x, v;
  };
  struct ContactKeys {
    double kn_r = 0, kn_a = 0, ks = 0, mu = 0, db_max = 0, beta_n = 0, beta_s = 0;
  };

  void problem(int line, std::string key, std::string_view value, std::string rule) {
    problems_.push_back({file_, line, std::move(key), std::string(value), std::move(rule)});
  }
  void warn(std::string text) { out_.warnings.push_back(std::move(text)); }

  void split(std::string_view text) {
    int number = 0;
    Section* section = nullptr;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      ++number;
      line = trimmed(line.substr(0, line.find('#')));
      if (line.empty()) continue;
      if (line.front() == '[' && line.back() == ']' && line.find_first_of("=*+,") == std::string_view::npos &&
          line.find_first_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string_view::npos) {
        section = &sections_[lower(trimmed(line.substr(1, line.size() - 2)))];
        section->line = number;
        continue;
      }
      if (!section) {
        problem(number, "", line, "must stand below a [section]");
        return;
      }
      const std::size_t equals = line.find('=');
      // an equation of a plane is "index: ... = ..."
      if (equals == std::string_view::npos || line.substr(0, equals).find(':') != std::string_view::npos)
        section->rows.push_back({number, std::string(line)});
      else
        section->keys[lower(trimmed(line.substr(0, equals)))] = {number, std::string(trimmed(line.substr(equals + 1)))};
    }
  }

  const Section* section(const std::string& name) const {
    const auto at = sections_.find(name);
    return at == sections_.end() ? nullptr : &at->second;
  }
  const Line* key(const std::string& in, const std::string& name) const {
    const Section* s = section(in);
    if (!s) return nullptr;
    const auto at = s->keys.find(name);
    return at == s->keys.end() ? nullptr : &at->second;
  }
  std::optional<double> number(const std::string& in, const std::string& name) {
    const Line* l = key(in, name);
    if (!l) return std::nullopt;
    Scanner s(unquoted(l->text));
    const auto v = s.signed_number();
    if (v && s.done()) return v;
    problem(l->number, name, l->text, "must be a number");
    return std::nullopt;
  }
  // Numbers between brackets or bare, with commas or spaces between.
  std::optional<std::vector<double>> numbers(const Line& l, const std::string& name) {
    std::string text(unquoted(l.text));
    for (char& c : text)
      if (c == ',' || c == '[' || c == ']' || c == '(' || c == ')' || c == '\t') c = ' ';
    Scanner s(text);
    std::vector<double> values;
    while (!s.done()) {
      const auto v = s.signed_number();
      if (!v) {
        problem(l.number, name, l.text, "must consist of numbers");
        return std::nullopt;
      }
      values.push_back(*v);
    }
    return values;
  }

  // --- sections -----------------------------------------------------------------------------------------------------
  // A sum of lists, each perhaps a number of times: [0.001]*300 + [0.005]*400.
  struct Steps {
    double smallest = 0, largest = 0, time = 0, count = 0;
  };
  std::optional<Steps> time_steps(const Line& l) {
    Scanner s(l.text);
    Steps steps;
    steps.smallest = kForever;
    const auto wrong = [&](const char* rule) {
      problem(l.number, "time_steps", l.text, rule);
      return std::nullopt;
    };
    do {
      double times = 1;
      if (s.peek() != '[') {
        const auto n = s.number();
        if (!n || !s.take('*')) return wrong("must be a sum of lists such as [0.001]*300 + [0.005]*400");
        times = *n;
      }
      if (!s.take('[')) return wrong("must be a sum of lists such as [0.001]*300 + [0.005]*400");
      std::vector<double> list;
      while (s.peek() != ']') {
        const auto v = s.signed_number();
        if (!v) return wrong("must be a sum of lists such as [0.001]*300 + [0.005]*400");
        list.push_back(*v);
        if (!s.take(',')) break;
      }
      if (!s.take(']')) return wrong("has a list that does not end");
      while (s.take('*')) {
        const auto n = s.number();
        if (!n) return wrong("must have a number after *");
        times *= *n;
      }
      if (times != std::floor(times) || times < 0 || times > kMostSteps)
        return wrong("lists are repeated a whole number of times");
      for (double dt : list) {
        if (!(dt > 0)) return wrong("must consist of positive time steps");
        if (times == 0) continue;
        steps.smallest = std::min(steps.smallest, dt);
        steps.largest = std::max(steps.largest, dt);
        steps.time += times * dt;
        steps.count += times;
      }
    } while (s.take('+'));
    if (!s.done()) return wrong("must be a sum of lists such as [0.001]*300 + [0.005]*400");
    if (!(steps.count > 0)) return wrong("must hold one time step at least");
    return steps;
  }

  void simulation(Case& c) {
    const std::string in = "simulation data";
    if (!section(in)) return problem(0, "Simulation Data", "", "the section is missing");
    Stage stage;
    stage.name = "run";
    const Line *one = key(in, "time_step"), *many = key(in, "time_steps");
    if ((one == nullptr) == (many == nullptr)) {
      problem(section(in)->line, "time_step", "", "needs `time_step` with `nSteps`, or `time_steps`");
    } else if (one) {
      const auto dt = number(in, "time_step"), n = number(in, "nsteps");
      if (!key(in, "nsteps")) problem(one->number, "nSteps", "", "is missing: the number of time steps");
      if (dt && !(*dt > 0)) problem(one->number, "time_step", one->text, "must be positive");
      if (n && (!(*n >= 1) || *n != std::floor(*n) || *n > kMostSteps))
        problem(key(in, "nsteps")->number, "nSteps", key(in, "nsteps")->text, "must be a positive whole number");
      if (dt && n) {
        c.numerics.dt = *dt;
        stage.duration = *dt * *n;
      }
    } else if (const auto steps = time_steps(*many)) {
      c.numerics.dt = steps->smallest;
      stage.duration = steps->time;
      if (steps->largest > steps->smallest)
        warn(fmt::format("line {}: a run has one time step; the smallest, {:g} s, is taken for all of the {:g} s",
                         many->number, steps->smallest, steps->time));
    }
    c.stages = {stage};
    c.numerics.scheme = Scheme::velocity_verlet;
    c.numerics.start_overlap = 1;
    c.numerics.max_overlap = 1.99;
    if (const auto t = number(in, "init_time"); t && *t != 0)
      warn(fmt::format("init_time = {:g} s: times are counted from 0 here", *t));
    if (const Line* l = key(in, "a_const")) {
      const auto a = numbers(*l, "a_const");
      if (a && a->size() != 3) problem(l->number, "a_const", l->text, "must have three components");
      else if (a && ((*a)[0] != 0 || (*a)[1] != 0 || (*a)[2] != 0)) {
        ForceField g;
        g.name = "a_const";
        g.value = {(*a)[0], (*a)[1], (*a)[2]};
        c.fields.push_back(g);
      }
    }
    if (const Line* l = key(in, "bypass"))
      if (const auto ids = numbers(*l, "bypass"))
        for (const double number : *ids)
          if (const auto id = id_in(*l, number)) bypass_[*id] = l->number;
  }

  std::optional<std::int64_t> id_in(const Line& line, double number) {
    const auto id = io::as_id(number);
    if (!id) problem(line.number, "id", fmt::format("{}", number), "must be a whole number");
    return id;
  }

  void particles() {
    const Section* s = section("particles data");
    if (!s || s->rows.empty()) return problem(s ? s->line : 0, "Particles Data", "", "holds no particles");
    for (const Line& l : s->rows) {
      const auto v = numbers(l, "Particles Data");
      if (!v) continue;
      if (v->size() != 3) {
        problem(l.number, "Particles Data", l.text, "must be: id, mass, radius");
        continue;
      }
      const auto id = id_in(l, (*v)[0]);
      if (!id) continue;
      Grain g;
      g.line = l.number;
      g.mass = (*v)[1];
      g.radius = (*v)[2];
      if (!(g.mass > 0)) problem(l.number, "mass", l.text, "must be positive");
      if (!(g.radius > 0)) problem(l.number, "radius", l.text, "must be positive");
      if (!grains_.emplace(*id, g).second) problem(l.number, "id", l.text, "is given twice");
    }
  }

  void initial_conditions() {
    const Section* s = section("initial conditions");
    if (!s) return problem(0, "Initial Conditions", "", "the section is missing");
    for (const Line& l : s->rows) {
      const auto v = numbers(l, "Initial Conditions");
      if (!v) continue;
      if (v->size() != 10 && v->size() != 7) {
        problem(l.number, "Initial Conditions", l.text, "must be: id, x y z, vx vy vz, ax ay az");
        continue;
      }
      const auto id = id_in(l, (*v)[0]);
      if (!id) continue;
      const auto at = grains_.find(*id);
      if (at == grains_.end()) {
        problem(l.number, "id", fmt::format("{}", (*v)[0]), "is not among the Particles Data");
        continue;
      }
      at->second.placed = true;
      at->second.x = {(*v)[1], (*v)[2], (*v)[3]};
      at->second.v = {(*v)[4], (*v)[5], (*v)[6]};
    }
    for (const auto& [id, g] : grains_)
      if (!g.placed) problem(g.line, "id", fmt::format("{}", id), "has no line in Initial Conditions");
    for (const auto& [id, line] : bypass_)
      if (!grains_.contains(id)) problem(line, "bypass", fmt::format("{}", id), "is not among the Particles Data");
  }

  ContactKeys contact_keys(const std::string& in, ContactKeys k) {
    const auto set = [&](const char* name, double& value) {
      const auto v = number(in, name);
      if (!v) return false;
      if (*v < 0) problem(key(in, name)->number, name, key(in, name)->text, "must not be negative");
      value = *v;
      return true;
    };
    double kn = 0;
    if (set("kn", kn)) k.kn_r = k.kn_a = kn;
    set("kn_r", k.kn_r);
    const bool attraction = set("kn_a", k.kn_a);
    set("ks", k.ks);
    set("mu", k.mu);
    set("db_max", k.db_max);
    set("beta_n", k.beta_n);
    set("beta_s", k.beta_s);
    if (attraction && k.kn_a > 0 && k.db_max == 0)
      warn(fmt::format("line {}: kn_a has no effect without db_max", key(in, "kn_a")->number));
    return k;
  }

  static ContactPair contact(const std::string& a, const std::string& b, const ContactKeys& k) {
    ContactPair p;
    p.a = a;
    p.b = b;
    p.normal.law = "linear";
    p.normal.numbers = {{"stiffness", k.kn_r}, {"beta", k.beta_n}};
    if (k.kn_a > 0 && k.db_max > 0) {
      p.normal.numbers["attraction"] = k.kn_a;
      p.normal.numbers["range"] = k.db_max;
    }
    if (k.ks > 0 && k.mu > 0) {
      p.tangential.law = "coulomb_time";
      p.tangential.numbers = {{"stiffness", k.ks}, {"beta", k.beta_s}, {"mu", k.mu}};
    }
    return p;
  }

  void materials(Case& c, const ContactKeys& pair) {
    Material m;
    m.name = "particle";
    c.materials.push_back(m);
    c.contacts.push_back(contact("particle", "particle", pair));
  }

  // One set per run of free particles and per prescribed one, so that ids keep their order.
  void sets(Case& c) {
    std::int64_t next = 0;
    bool shifted = false;
    for (const auto& [id, g] : grains_) {
      shifted = shifted || id != next;
      ++next;
      const bool driven = bypass_.contains(id);
      ListedParticle p;
      p.x = g.x;
      p.radius = g.radius;
      p.mass = g.mass;
      if (!driven) p.v = g.v;
      const bool again = !driven && !c.particles.empty() && !c.particles.back().prescribed;
      if (!again) {
        ParticleSet s;
        s.name = fmt::format("{}{}", driven ? "bypass" : "free", id);
        s.group = driven ? "bypass" : "free";
        s.material = "particle";
        s.inhibit_rotation = true;
        s.prescribed = driven;
        if (driven && norm2(g.v) > 0) {
          s.motion.kind = Motion::Kind::constant;
          s.motion.velocity = g.v;
        }
        s.source = std::vector<ListedParticle>{};
        c.particles.push_back(std::move(s));
      }
      std::get<std::vector<ListedParticle>>(c.particles.back().source).push_back(p);
    }
    if (shifted) warn("particles are numbered from 0 here, in the order of their ids");
  }

  // Sum of c x, c y, c z and constants, as coefficients of x, y, z and 1.
  std::optional<std::array<double, 4>> linear(std::string_view text) {
    Scanner s(text);
    std::array<double, 4> sum{};
    bool first = true;
    while (!s.done()) {
      double sign = 1;
      bool signs = false;
      while (s.peek() == '+' || s.peek() == '-') {
        if (s.take('-')) sign = -sign;
        else s.take('+');
        signs = true;
      }
      if (!first && !signs) return std::nullopt;
      first = false;
      double factor = 1;
      int axis = 3;
      const auto variable = [&] {
        for (int a = 0; a < 3; ++a)
          if (s.take("xyz"[a]) || s.take("XYZ"[a])) {
            axis = a;
            return true;
          }
        return false;
      };
      if (variable()) {
        if (s.take('*')) {
          const auto v = s.number();
          if (!v) return std::nullopt;
          factor = *v;
        }
      } else {
        const auto v = s.number();
        if (!v) return std::nullopt;
        factor = *v;
        const bool star = s.take('*');
        if (!variable() && star) return std::nullopt;
      }
      if (s.take('/')) {
        const auto v = s.number();
        if (!v || *v == 0) return std::nullopt;
        factor /= *v;
      }
      sum[axis] += sign * factor;
    }
    if (first) return std::nullopt;
    return sum;
  }

  void planes(Case& c, const ContactKeys& pair) {
    const Section* s = section("boundary conditions");
    if (!s) return;
    for (const Line& l : s->rows) {
      const std::size_t colon = l.text.find(':'), equals = l.text.find('=');
      const std::string index(trimmed(std::string_view(l.text).substr(0, colon == std::string::npos ? 0 : colon)));
      if (colon == std::string::npos || equals == std::string::npos || equals < colon || index.empty() ||
          index.find_first_not_of("0123456789") != std::string::npos) {
        problem(l.number, "Boundary Conditions", l.text, "must be: index: equation, such as 1: x + 2y - 3*z = 4");
        continue;
      }
      const auto left = linear(std::string_view(l.text).substr(colon + 1, equals - colon - 1));
      const auto right = linear(std::string_view(l.text).substr(equals + 1));
      if (!left || !right) {
        problem(l.number, "Boundary Conditions", l.text, "must be linear in x, y and z, such as 1: x + 2y - 3*z = 4");
        continue;
      }
      Vec3d n{(*left)[0] - (*right)[0], (*left)[1] - (*right)[1], (*left)[2] - (*right)[2]};
      const double d = (*right)[3] - (*left)[3];
      if (!(norm(n) > 0)) {
        problem(l.number, "Boundary Conditions", l.text, "must contain x, y or z");
        continue;
      }
      plane(c, pair, l, index, n, d);
    }
  }

  void plane(Case& c, const ContactKeys& pair, const Line& l, const std::string& index, Vec3d n, double d) {
    int above = 0, below = 0;
    for (const auto& [id, g] : grains_) (dot(n, g.x) >= d ? above : below) += 1;
    if (above > 0 && below > 0)
      return problem(
          l.number, "Boundary Conditions", l.text,
          "has particles on both sides; a plane acts on one side here: give two planes to two cases, or a box");
    const Vec3d foot = (d / norm2(n)) * n;
    if (below > 0) n = -n;
    Wall w;
    w.name = "plane" + index;
    w.shape = PlaneShape{foot, n};
    const std::string own = "boundary " + index;
    if (const Line* type = key(own, "type"); type && lower(unquoted(type->text)) != "plane")
      return problem(type->number, "type", type->text, "must be 'Plane'");
    if (key(own, "constraint")) warn(fmt::format("line {}: `constraint` is not used", key(own, "constraint")->number));
    Material m;
    m.name = w.name;
    m.rigid = true;
    c.materials.push_back(m);
    c.contacts.push_back(contact("particle", w.name, contact_keys(own, pair)));
    c.walls.push_back(std::move(w));
  }

  void output(Case& c) {
    if (const auto n = number("output data", "view_step"); n && *n >= 1) c.output.frames = *n * c.numerics.dt;
    if (grains_.size() <= kMostTracked)
      for (std::size_t k = 0; k < grains_.size(); ++k) c.output.track.push_back(static_cast<std::int64_t>(k));
  }

  std::string file_;
  std::map<std::string, Section> sections_;
  std::map<std::int64_t, Grain> grains_;
  std::map<std::int64_t, int> bypass_;  // id, line
  std::vector<Problem> problems_;
  ImportedCase out_;
};

}  // namespace

ImportedCase import_pyparticles(std::string_view text, const std::string& file) { return Importer(text, file).run(); }

bool is_pyparticles_file(const std::string& file) {
  return file.size() > 4 && lower(std::string_view(file).substr(file.size() - 4)) == ".ini";
}

}  // namespace areia

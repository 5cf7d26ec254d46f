#include "io/scripts/translation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/range.h"
#include "io/files/line_pieces.h"
#include "io/meshes/mesh_file.h"
#include "io/particles/particle_csv.h"

namespace areia::io {
namespace {

constexpr double kMostSteps = 1e12;
constexpr std::size_t kMostQuoted = 20;

// They say how the other program works, prints or keeps its state, and nothing about what happens.
const std::set<std::string> kSilent{
    "atom_modify",    "balance",       "box",           "compute_modify", "comm_modify",
    "comm_style",     "communicate",   "dump_modify",   "echo",           "hard_particles",
    "info",           "log",           "modify_timing", "neigh_modify",   "neighbor",
    "newton",         "package",       "partition",     "print",          "processors",
    "reset_timestep", "restart",       "run_style",     "soft_particles", "special_bonds",
    "suffix",         "thermo_modify", "thermo_style",  "timer",          "uncompute",
    "undump",         "write_data",    "write_dump",    "write_restart",  "mass"};
const std::set<std::string> kControl{"if", "jump", "label", "next", "loop", "quit"};
const std::set<std::string> kSilentFixes{"enforce2d", "print", "check/timestep/gran", "balance", "check/timestep/sph"};

}  // namespace

double without_last_bit(double v) {
  double rounded = v;
  read_number(fmt::format("{:.15g}", v), rounded);
  return rounded;
}

// --- arguments ------------------------------------------------------------------------------------------------------
const std::string& Arguments::peek() const {
  static const std::string none;
  return done() ? none : command_.words[at_];
}
const std::string& Arguments::word(const char* what) {
  if (done()) wrong(what, "", "is missing at the end of the line");
  return command_.words[at_++];
}
bool Arguments::take(std::string_view keyword) {
  if (done() || command_.words[at_] != keyword) return false;
  ++at_;
  return true;
}
double Arguments::number(const char* what, double unit) {
  const std::string& w = word(what);
  double v = 0;
  if (w.starts_with("v_")) {
    try {
      v = translation_.variable(w.substr(2));
    } catch (const NoValue& e) { throw NotTakenOver{fmt::format("{} is {}: {}", what, w, e.what())}; }
  } else if (!read_number(w, v)) {
    wrong(what, w, "must be a number");
  }
  if (!is_usable(v) || !is_usable(v * unit)) wrong(what, w, kUsableRule);
  return unit == 1 ? v : without_last_bit(v * unit);
}
std::optional<double> Arguments::number_or_null(const char* what) {
  if (take("NULL")) return std::nullopt;
  return number(what);
}
double Arguments::positive(const char* what, double unit) {
  const std::string w = peek();
  const double v = number(what, unit);
  if (!(v > 0)) wrong(what, w, "must be positive");
  return v;
}
std::int64_t Arguments::whole(const char* what) {
  const std::string w = peek();
  const auto v = as_id(number(what));
  if (!v) wrong(what, w, "must be a whole number");
  return *v;
}
Vec3d Arguments::vector(const char* what, double unit) {
  const double x = number(what, unit), y = number(what, unit), z = number(what, unit);
  return {x, y, z};
}

// --- the script -----------------------------------------------------------------------------------------------------
Translation::Translation(std::string_view text, std::string file, const ScriptOptions& options)
    : reader_(std::string(text), file, options.variables, options.read),
      options_(options),
      file_(std::move(file)),
      case_(out_.settings) {
  groups_["all"].all = true;
  case_.title = "Imported from " + file_.substr(file_.find_last_of('/') + 1);
}

ImportedCase Translation::run() {
  while (auto c = reader_.next()) {
    c->number = ++commands_;
    take(*c);
  }
  finish();
  std::stable_sort(left_out_.begin(), left_out_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [number, line] : left_out_) out_.left_out.push_back(std::move(line));
  if (!problems_.empty()) {
    std::stable_sort(problems_.begin(), problems_.end(),
                     [](const Problem& a, const Problem& b) { return a.line < b.line; });
    // what is missing may be among the lines that were not taken over
    if (impossible_)
      for (std::size_t k = 0; k < out_.left_out.size() && k < kMostQuoted; ++k) {
        const LeftOutLine& l = out_.left_out[k];
        problems_.push_back({l.file, l.line, l.text, "", "is not taken over: " + l.reason});
      }
    throw InputError(std::move(problems_));
  }
  return std::move(out_);
}

void Translation::take(const Command& c) {
  if (kSilent.contains(c.words[0])) return;
  if (!c.trouble.empty()) return leave_out(c, c.trouble);
  guarded(c, [&] { command(c); });
}

void Translation::leave_out(const Command& c, std::string reason) {
  left_out_.push_back({c.number, {c.file, c.line, c.text, std::move(reason)}});
}
void Translation::note(std::string text) {
  if (notes_.insert(text).second) out_.notes.push_back(std::move(text));
}
void Translation::problem(const Command& c, const std::string& key, std::string value, std::string rule) {
  problems_.push_back({c.file, c.line, c.words[0] + (key.empty() ? "" : "." + key), std::move(value), std::move(rule)});
}
void Translation::impossible(std::string key, std::string rule) {
  impossible_ = true;
  problems_.push_back({file_, 0, std::move(key), "", std::move(rule)});
}

void Translation::command(const Command& c) {
  const std::string& name = c.words[0];
  Arguments a(*this, c, 1);
  if (name == "units") units_style(a);
  else if (name == "dimension") case_.domain.dimension = a.word("dimension") == "2" ? 2 : 3;
  else if (name == "boundary") boundary(a);
  else if (name == "change_box") {
    a.word("group");
    if (!a.take("boundary")) throw NotTakenOver{"a box that changes"};
    boundary(a);
  } else if (name == "atom_style") {
    for (bool sphere = false; !a.done() || !sphere;) {
      if (a.done()) throw NotTakenOver{"particles are spheres here"};
      const std::string& style = a.word("style");
      sphere = sphere || style == "sphere" || style == "granular";
    }
  } else if (name == "lattice") lattice(a);
  else if (name == "region") region(c, a);
  else if (name == "create_box") create_box(a);
  else if (name == "create_atoms") create_atoms(c, a);
  else if (name == "read_data") read_data(c, a);
  else if (name == "set") set(c, a);
  else if (name == "velocity") velocity(a);
  else if (name == "group") group(a);
  else if (name == "pair_style") pair_style_ = c;
  else if (name == "pair_coeff") pair_coeff(c, a);
  else if (name == "timestep") timestep(a);
  else if (name == "run") run_steps(c, a);
  else if (name == "thermo") thermo_every_ = a.number("interval");
  else if (name == "dump") dump(a);
  else if (name == "fix") fix(c);
  else if (name == "unfix") unfix(a);
  else if (kControl.contains(name)) throw NotTakenOver{"a script is read once, from its beginning to its end"};
  else if (name == "compute") throw NotTakenOver{"what is measured stands in [output.measure] of a case"};
  else throw NotTakenOver{"no part of a case corresponds to this command"};
}

void Translation::units_style(Arguments& a) {
  const std::string& style = a.word("style");
  lj_ = style == "lj";
  if (style == "si" || lj_) units = {};
  else if (style == "cgs") units = {-2, -3, 0};
  else if (style == "micro") units = {-6, -15, -6};
  else if (style == "nano") units = {-9, -21, -9};
  else a.wrong("style", style, "must be si, cgs, micro, nano or lj: the others are units of molecules");
}

void Translation::boundary(Arguments& a) {
  for (std::string& b : boundary_) {
    b = a.word("boundary");
    if (b.empty() || b.size() > 2 || b.find_first_not_of("pfsm") != std::string::npos)
      a.wrong("boundary", b, "must consist of p, f, s or m");
  }
}

void Translation::timestep(Arguments& a) {
  dt_ = a.positive("timestep", units.time);
  reader_.set_keyword("dt", dt_ / units.time);
}

void Translation::dump(Arguments& a) {
  a.word("id");
  a.word("group");
  const std::string& style = a.word("style");
  const double every = a.number("interval");
  // walls are in every frame; pictures are made of them
  if (style.find("mesh") != std::string::npos || style == "image" || style == "movie") return;
  if (every >= 1) dump_every_ = dump_every_ > 0 ? std::min(dump_every_, every) : every;
}

void Translation::run_steps(const Command& c, Arguments& a) {
  double steps = a.number("steps");
  if (steps < 0 || steps != std::floor(steps) || steps > kMostSteps)
    a.wrong("steps", c.words[1], "must be a whole number");
  double before = 0;
  for (const ScriptRun& r : runs_) before += r.steps;
  if (a.take("upto")) steps = std::max(0.0, steps - before);
  if (steps > 0) runs_.push_back({steps, dt_});
}

void Translation::fix(const Command& c) {
  Arguments a(*this, c, 1);
  ScriptFix f;
  f.id = a.word("id");
  f.group = a.word("group");
  f.style = a.word("style");
  f.command = c;
  f.runs.begin = static_cast<int>(runs_.size());
  // regions and variables may be given anew before it is translated
  for (std::string& w : f.command.words) {
    if (const auto r = regions_.find(w); r != regions_.end()) f.regions.insert(*r);
    if (!w.starts_with("v_")) continue;
    try {
      w = fmt::format("{}", variable(w.substr(2)));
    } catch (const NoValue&) {}  // told when it is needed
  }
  // a fix of the same name takes the place of the one before
  for (ScriptFix& old : fixes_)
    if (old.id == f.id && old.runs.end < 0) old.runs.end = f.runs.begin;
  fixes_.push_back(std::move(f));
}

void Translation::unfix(Arguments& a) {
  const std::string& id = a.word("id");
  for (ScriptFix& f : fixes_)
    if (f.id == id && f.runs.end < 0) f.runs.end = static_cast<int>(runs_.size());
}

// --- fixes ----------------------------------------------------------------------------------------------------------
std::string Translation::stage_name(int run) { return fmt::format("run{}", run + 1); }

void Translation::set_interval(const Runs& r, std::string& start_stage, std::string& stop_stage) const {
  if (r.begin > 0) start_stage = stage_name(r.begin);
  if (r.end >= 0 && r.end < static_cast<int>(runs_.size())) stop_stage = stage_name(r.end);
}

void Translation::translate_fixes() {
  // which way is up matters to some of the others
  for (const bool weight : {true, false})
    for (const ScriptFix& f : fixes_)
      if ((f.style == "gravity") == weight) {
        translated_ = &f;
        guarded(f.command, [&] { translate(f); });
      }
}

void Translation::translate(const ScriptFix& f) {
  const std::string& s = f.style;
  const bool acts = f.runs.begin < static_cast<int>(runs_.size()) && f.runs.end != f.runs.begin;
  if (s == "property/global") return property(f);
  if (s == "particletemplate/sphere") return particle_template(f);
  if (s.starts_with("particledistribution/discrete")) return mixture(f);
  if (s.starts_with("mesh/surface")) return mesh(f);
  if (kSilentFixes.contains(s)) return;
  if (!acts) throw NotTakenOver{"no run follows while it is there"};
  if (s.starts_with("nve")) return integrate(f);
  if (s == "gravity") return gravity(f);
  if (s == "insert/pack" || s == "insert/stream" || s == "insert/rate/region") return insert(f);
  if (s == "pour") return pour(f);
  if (s.starts_with("wall/gran")) return wall(f);
  if (s == "move/mesh") return move_mesh(f);
  if (s == "move" || s == "freeze") return move_group(f);
  throw NotTakenOver{"no part of a case corresponds to this fix"};
}

void Translation::gravity(const ScriptFix& f) {
  Arguments a(*this, f.command, 4);
  const double g = a.number("magnitude", units.acceleration());
  const std::string& style = a.word("style");
  constexpr double kDegree = std::numbers::pi / 180;
  Vec3d n;
  if (style == "vector") {
    n = a.vector("direction");
    if (!(norm(n) > 0)) a.wrong("direction", "0 0 0", "must not be zero");
    n = unit(n);
  } else if (style == "chute") {
    const double angle = a.number("angle") * kDegree;
    n = case_.domain.dimension == 2 ? Vec3d{std::sin(angle), -std::cos(angle), 0}
                                    : Vec3d{std::sin(angle), 0, -std::cos(angle)};
  } else if (style == "spherical") {
    const double phi = a.number("phi") * kDegree, theta = a.number("theta") * kDegree;
    n = case_.domain.dimension == 2
            ? Vec3d{std::sin(theta), std::cos(theta), 0}
            : Vec3d{std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
  } else {
    throw NotTakenOver{fmt::format("gravity of style `{}`", style)};
  }
  if (f.group != "all")
    note(fmt::format("fix {}: gravity acts on all free particles, not on group {} alone", f.id, f.group));
  ForceField field;
  field.name = unique_name(f.id);
  for (int k = 0; k < 3; ++k)  // the sine of a straight angle is no component
    if (std::fabs(component(n, k)) > 1e-15) component(field.value, k) = g * component(n, k);
  set_interval(f.runs, field.start_stage, field.stop_stage);
  if (case_.fields.empty()) gravity_ = field.value;
  case_.fields.push_back(field);
}

// --- the end --------------------------------------------------------------------------------------------------------
void Translation::finish() {
  if (runs_.empty())
    return impossible("run", "the script has no `run` that can be taken over, and a case needs its duration");
  if (lj_)
    note(
        "units lj, those of a script that names none: its numbers are taken as those of SI units (a unit of length is "
        "1 "
        "m, of mass 1 kg, of time 1 s); contacts and gravity know no other scale");
  finish_time();
  translate_fixes();
  finish_meshes();
  finish_atoms();
  if (case_.particles.empty())
    impossible("particles",
               "no particles are left: none of create_atoms, read_data and the fixes that insert is taken over");
  else finish_contacts();
  finish_domain();
}

void Translation::finish_time() {
  double smallest = 0, total = 0;
  bool differ = false;
  const double preset = lj_ ? 0.005 : units.time < 1e-8 ? 0.00045e-9 : units.time < 1 ? 2e-6 : 1e-8;
  for (ScriptRun& r : runs_) {
    if (r.dt == 0) r.dt = preset;  // what the other program takes
    differ = differ || (smallest > 0 && r.dt != smallest);
    smallest = smallest > 0 ? std::min(smallest, r.dt) : r.dt;
  }
  if (differ) note(fmt::format("runs have different time steps: a case has one, the smallest, {:g} s", smallest));
  case_.numerics.dt = dt_ = smallest;
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    Stage s;
    s.name = stage_name(static_cast<int>(k));
    s.duration = without_last_bit(runs_[k].steps * runs_[k].dt);
    total += s.duration;
    case_.stages.push_back(s);
  }
  if (dump_every_ > 0) case_.output.frames = without_last_bit(dump_every_ * dt_);
  if (thermo_every_ > 0) case_.output.series = without_last_bit(std::min(thermo_every_ * dt_, total));
}

// Shrink-wrapped directions are open here. Where others lose what leaves them, the box is so wide that nothing does.
void Translation::finish_domain() {
  Domain& d = case_.domain;
  bool fixed = false, open = false, periodic = false;
  Box box = box_.value_or(Box{});
  for (int k = 0; k < 3; ++k) {
    if (d.dimension == 2 && k == d.flat_axis) continue;
    const bool repeats = boundary_[k].find('p') != std::string::npos && box_;
    const bool loses = boundary_[k].find_first_not_of('f') == std::string::npos;
    d.periodic[k] = repeats;
    periodic = periodic || repeats;
    fixed = fixed || loses;
    if (repeats || loses) continue;
    open = true;
    double Vec3d::*const c = k == 0 ? &Vec3d::x : k == 1 ? &Vec3d::y : &Vec3d::z;
    const double size = box.max.*c - box.min.*c;
    box.min.*c -= 100 * size;
    box.max.*c += 100 * size;
  }
  if (!box_) return;
  d.bounded = periodic || fixed;
  if (d.bounded) d.box = box;
  if (fixed) d.rule = DomainRule::remove;
  if (fixed && open)
    note(
        "particles that leave a fixed boundary are lost; in shrink-wrapped directions the domain is 201 boxes wide, "
        "beyond which they are lost, too");
}

std::string Translation::unique_name(const std::string& wanted) {
  std::string name;
  for (const char c : wanted.substr(0, 60))
    name += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  if (name.empty()) name = "_";
  for (int k = 1;; ++k) {
    std::string tried = k == 1 ? name : fmt::format("{}_{}", name, k);
    if (names_.insert(tried).second) return tried;
  }
}

}  // namespace areia::io

namespace areia {

ImportedCase import_script(std::string_view text, const std::string& file, const ScriptOptions& options) {
  ScriptOptions o = options;
  if (!o.read) o.read = io::read_text_file;
  if (!o.read_mesh) o.read_mesh = io::read_mesh_file;
  return io::Translation(text, file, o).run();
}

bool is_script_name(const std::string& file) {
  const std::string name = file.substr(file.find_last_of('/') + 1);
  return (name.starts_with("in.") && !name.ends_with(".toml")) || name.ends_with(".in") || name.ends_with(".lmp") ||
         name.ends_with(".lammps") || name.ends_with(".liggghts");
}

bool is_script_file(const std::string& file, std::string_view text) {
  if (is_script_name(file)) return true;
  static const std::set<std::string_view> commands{"units",      "atom_style", "boundary", "region",
                                                   "pair_style", "fix",        "run"};
  std::set<std::string_view> seen;
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    io::split_at_blanks(text.substr(0, end), words);
    if (!words.empty() && commands.contains(words[0])) seen.insert(words[0]);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return seen.size() >= 3;
}

}  // namespace areia

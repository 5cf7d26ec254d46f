// A script on its way to a case. Commands are taken in their order; fixes are kept with the runs in which they act and
// translated at the end, when box, time step and particles are known.
#pragma once
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "areia/error.h"
#include "io/scripts/script_import.h"

namespace areia::io {

// Thrown while a command is translated: it is not taken over, for this reason.
struct NotTakenOver {
  std::string reason;
};
// ... or it is taken over and wrong.
struct WrongArgument {
  std::string key, value, rule;
};

// A style of units as metres, kilograms and seconds; all quantities of a style are made of these three.
// They are powers of ten, and so are their products, which are exact from one on.
class UnitStyle {
 public:
  UnitStyle() = default;
  UnitStyle(int length_power, int mass_power, int time_power)
      : length(power(length_power)),
        mass(power(mass_power)),
        time(power(time_power)),
        l_(length_power),
        m_(mass_power),
        t_(time_power) {}
  double length = 1, mass = 1, time = 1;
  double velocity() const { return power(l_ - t_); }
  double acceleration() const { return power(l_ - 2 * t_); }
  double density() const { return power(m_ - 3 * l_); }
  double force() const { return power(m_ + l_ - 2 * t_); }
  double pressure() const { return power(m_ - l_ - 2 * t_); }
  double stiffness() const { return power(m_ - 2 * t_); }  // also energy per area

 private:
  static double power(int n) { return n < 0 ? 1 / std::pow(10.0, -n) : std::pow(10.0, n); }
  int l_ = 0, m_ = 0, t_ = 0;
};

class Translation;

// The other two axes, in the order in which scripts give their coordinates.
inline std::array<int, 2> across(int axis) {
  return axis == 0 ? std::array{1, 2} : axis == 1 ? std::array{0, 2} : std::array{0, 1};
}

// To 15 digits, which a double always holds: 300 times 1e-4 is 0.03.
double without_last_bit(double v);

// The words of a command, from left to right.
class Arguments {
 public:
  Arguments(Translation& t, const Command& c, std::size_t first) : translation_(t), command_(c), at_(first) {}
  bool done() const { return at_ >= command_.words.size(); }
  const std::string& peek() const;                         // "" at the end
  const std::string& word(const char* what);               // throws WrongArgument at the end
  bool take(std::string_view keyword);                     // the next word, if it is this one
  double number(const char* what, double unit = 1);        // also of a variable v_NAME
  std::optional<double> number_or_null(const char* what);  // nothing for NULL
  double positive(const char* what, double unit = 1);
  std::int64_t whole(const char* what);
  Vec3d vector(const char* what, double unit = 1);
  [[noreturn]] void wrong(const char* what, const std::string& value, std::string rule) const {
    throw WrongArgument{what, value, std::move(rule)};
  }

 private:
  Translation& translation_;
  const Command& command_;
  std::size_t at_;
};

struct ScriptRegion {
  std::string style;          // block, cylinder, sphere, cone, plane
  int axis = 2;               // of cylinder and cone
  std::array<double, 6> n{};  // block: lo and hi of x, y, z; cylinder, cone: c1, c2, r(, r_hi), lo, hi; SI units
  bool outside = false;
  std::array<bool, 6> open{};  // faces that are no wall: -x, +x, ...; the lower end, the upper end, the lateral surface
};

// From the beginning of a run to the beginning of another, by their numbers; a fix acts then.
struct Runs {
  int begin = 0, end = -1;  // -1: to the last
};

struct ScriptFix {
  std::string id, group, style;
  Command command;  // arguments from words[4] on
  Runs runs;
  std::map<std::string, ScriptRegion> regions;  // that it names, as they were then
};

struct ScriptAtom {
  std::int64_t id = 0;
  int type = 1;
  Vec3d x, v, w;
  double radius = 0, density = 0;  // SI units
};

struct ScriptGroup {
  bool all = false;
  std::set<int> types;
  std::set<std::size_t> atoms;  // places in the list
};

struct Template {  // fix particletemplate/sphere
  int type = 1;
  double density = 0;
  RadiusDistribution radius;
  double mean_volume = 0, mean_radius = 0;
  double mean_mass() const { return density * mean_volume; }
};

struct MixtureShare {
  std::string name;
  double number = 0;  // share of the number of particles
};

struct Amount {  // how many particles; one of the first three, and of the last two
  double count = 0, mass = 0, solid_fraction = 0;
  double rate = 0, mass_rate = 0;  // per second
};

struct ScriptMesh {
  std::filesystem::path source;  // the file
  std::string path;              // ... as the case names it
  int type = 1;
  std::array<Vec3d, 3> turn{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};  // columns
  double scale = 1;
  Vec3d shift;  // x -> scale turn x + shift, in the script's unit
  bool turned = false;
  std::optional<Motion> motion;
  Surface surface;
  std::vector<std::string> walls;  // made of it
};

// What acts between two types, or between a type and a wall: translate_contacts.cpp.
struct ContactModel;
struct MeetingBodies;

// The means of the particles of a type, where a law of the script depends on them and ours does not.
struct TypeMeans {
  double count = 0, radius = 0, mass = 0;
  void add(double n, double r, double m) {
    radius = (count * radius + n * r) / (count + n);
    mass = (count * mass + n * m) / (count + n);
    count += n;
  }
};

class Translation {
 public:
  Translation(std::string_view text, std::string file, const ScriptOptions& options);
  ImportedCase run();

  double variable(const std::string& name) { return reader_.value_of(name); }
  UnitStyle units;

 private:
  // --- translation.cpp: dispatch, domain, runs, output
  void take(const Command& c);
  void command(const Command& c);
  void leave_out(const Command& c, std::string reason);
  void note(std::string text);
  void problem(const Command& c, const std::string& key, std::string value, std::string rule);
  void impossible(std::string key, std::string rule);  // no case can be made of what is left
  template <class F>
  void guarded(const Command& c, F&& f);
  void units_style(Arguments& a);
  void boundary(Arguments& a);
  void timestep(Arguments& a);
  void dump(Arguments& a);
  void run_steps(const Command& c, Arguments& a);
  void fix(const Command& c);
  void unfix(Arguments& a);
  void translate_fixes();
  void translate(const ScriptFix& f);
  void gravity(const ScriptFix& f);
  void finish();
  void finish_time();
  void finish_domain();
  static std::string stage_name(int run);
  void set_interval(const Runs& r, std::string& start_stage, std::string& stop_stage) const;
  std::string unique_name(const std::string& wanted);  // letters, digits and _

  // --- translate_regions.cpp
  void region(const Command& c, Arguments& a);
  void lattice(Arguments& a);
  Vec3d lattice_spacing() const;
  const ScriptRegion& named_region(const std::string& name) const;
  Region insertion_region(const std::string& name);
  bool contains(const ScriptRegion& r, const Vec3d& x) const;
  Box bounds(const ScriptRegion& r) const;
  void create_box(Arguments& a);
  void set_box(const Box& box);

  // --- translate_particles.cpp
  void create_atoms(const Command& c, Arguments& a);
  void read_data(const Command& c, Arguments& a);
  void set(const Command& c, Arguments& a);
  void velocity(Arguments& a);
  void group(Arguments& a);
  const ScriptGroup& named_group(const std::string& name) const;
  bool in_group(const ScriptGroup& g, std::size_t atom) const;
  void add_atom(int type, const Vec3d& x);
  void before_the_runs() const;  // throws NotTakenOver after the first
  std::array<int, 2> type_range(const std::string& word, Arguments& a) const;
  void move_group(const ScriptFix& f);
  void finish_atoms();
  const std::string& material(int type, double density);
  void integrate(const ScriptFix& f);

  // --- translate_inserts.cpp
  void particle_template(const ScriptFix& f);
  void mixture(const ScriptFix& f);
  void insert(const ScriptFix& f);
  void pour(const ScriptFix& f);
  Region face_region(const std::string& mesh, double length, const Vec3d& v);
  void add_sets(const ScriptFix& f, const std::vector<MixtureShare>& shares, const ParticleSet& like,
                const Amount& amount);

  // --- translate_walls.cpp
  void mesh(const ScriptFix& f);
  void move_mesh(const ScriptFix& f);
  void wall(const ScriptFix& f);
  void wall_of_liggghts(const ScriptFix& f, std::size_t first, bool by_mesh);
  void wall_of_lammps(const ScriptFix& f);
  void add_wall(const ScriptFix& f, const std::string& name, WallShape shape, const std::string& material,
                const Motion& motion = {}, const Surface& surface = {});
  Surface sheared(const ScriptFix& f, Arguments& a, const WallShape& shape);
  WallShape plane_at(int axis, double at) const;
  WallShape endless_cylinder(int axis, double c1, double c2, double radius) const;
  std::vector<WallShape> wall_shapes(const std::string& name);
  Motion motion_of(const ScriptFix& f, Arguments& a);
  MeshShape vertices_of(const ScriptMesh& m) const;
  void finish_meshes();

  // --- translate_contacts.cpp
  void pair_coeff(const Command& c, Arguments& a);
  void property(const ScriptFix& f);
  void finish_contacts();
  void finish_contacts_of_liggghts();
  void finish_contacts_of_lammps();
  ContactPair contact_of_liggghts(int i, int j, bool at_wall);
  ContactPair contact_of_lammps(const ContactModel& m, int i, int j, const Material& of_i);  // j = 0: a wall
  ContactModel model_of(Arguments& a, const std::string& style);
  ContactModel model_for(int i, int j);
  MeetingBodies bodies(int i, int j);
  double global(const char* name, int i, int j, std::optional<double> preset = {});
  double reference_speed(double radius) const;

  ScriptReader reader_;
  const ScriptOptions& options_;
  std::string file_;
  ImportedCase out_;
  Case& case_;
  std::vector<Problem> problems_;
  bool impossible_ = false;
  std::set<std::string> notes_;
  std::vector<std::pair<std::size_t, LeftOutLine>> left_out_;  // with the number of the command
  std::size_t commands_ = 0;

  // what the script has said so far
  std::optional<Vec3d> lattice_spacing_;
  std::string lattice_style_ = "none";
  double sites_ = 0;  // of lattices that were looked at
  std::map<std::string, ScriptRegion> regions_;
  std::optional<Box> box_;
  std::array<std::string, 3> boundary_{"pp", "pp", "pp"};
  int types_ = 0;
  bool lj_ = true;  // before a script says otherwise
  struct ScriptRun {
    double steps = 0, dt = 0;  // s; 0: not said
  };
  std::vector<ScriptRun> runs_;
  double dt_ = 0;
  double dump_every_ = 0, thermo_every_ = 0;  // steps
  std::vector<ScriptFix> fixes_;
  const ScriptFix* translated_ = nullptr;
  Vec3d gravity_;  // the first
  std::vector<ScriptAtom> atoms_;
  std::map<std::string, ScriptGroup> groups_;
  std::map<std::string, Template> templates_;
  std::map<std::string, std::vector<MixtureShare>> mixtures_;
  std::map<std::string, ScriptMesh> meshes_;
  std::map<std::pair<int, double>, std::string> materials_;  // of type and density
  std::map<int, TypeMeans> means_;
  std::map<std::size_t, std::size_t> motion_of_atom_;  // place in moves_
  std::vector<std::pair<Motion, std::string>> moves_;  // and the name of the group
  std::vector<std::string> integrated_;                // groups
  std::set<std::string> names_;

  struct Property {
    std::string kind;
    std::vector<double> values;
    Command command;
  };
  std::map<std::string, Property> properties_;
  std::optional<Command> pair_style_;
  std::map<std::pair<int, int>, Command> pair_coeffs_;
  struct OwnWall {  // of LAMMPS, with laws of its own
    std::string material, laws;
    Command command;  // its style begins with words[4]
  };
  std::vector<OwnWall> own_walls_;
};

template <class F>
void Translation::guarded(const Command& c, F&& f) {
  try {
    f();
  } catch (const NotTakenOver& e) { leave_out(c, e.reason); } catch (const WrongArgument& e) {
    problem(c, e.key, e.value, e.rule);
  }
}

}  // namespace areia::io

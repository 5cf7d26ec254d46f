// Sphere against triangle, and a plane made of triangles.
#include <fmt/format.h>

#include <cmath>

#include "verify/entry.h"

namespace areia::verify {

namespace {

void triangle(Sheet& s) {
  const auto& c = reference_case("triangle-contact-a");
  const double tolerance = c["tolerance"]["abs"];
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& x = c["inputs"]["centers"][k];
    const Frame f = s.small(fmt::format(R"(
[materials.a]
density = 2500
young = 1e7
[contacts.default]
normal = {{ law = "hertz" }}
[particles.a]
material = "a"
radius = 0.1
list = [{{ x = [{:.17g}, {:.17g}, {:.17g}] }}]
[walls.triangle]
mesh = {{ obj = """
v 0 0 0
v 1 0 0
v 0 1 0
f 1 2 3
""" }}
[[stages]]
name = "a"
duration = 1e-6
[numerics]
dt = 1e-6
start_overlap = 0.5
)",
                                        x[0].get<double>(), x[1].get<double>(), x[2].get<double>()))
                        .frame();
    const std::string feature = c["expected"]["feature"][k];
    s.near("contacts at the " + feature, 1, static_cast<double>(f.contacts.size()), 0);
    if (f.contacts.empty()) continue;
    s.near("overlap at the " + feature + " (m)", c["expected"]["delta"][k], f.contacts[0].overlap, tolerance);
    const auto& n = c["expected"]["n_from_i_to_wall"][k];
    s.near("normal at the " + feature + ", error", 0,
           norm(f.contacts[0].n - Vec3d{n[0].get<double>(), n[1].get<double>(), n[2].get<double>()}), tolerance);
  }
}

// 000 4.3 on a strip of triangles in place of the plane: crossing their edges must not be felt.
void mesh_plane(Sheet& s) {
  const auto run = [&](const std::string& floor) {
    return last_frame(s.small(R"(
[materials.ball]
young = 1e10
poisson = 0.25
[contacts.default]
normal = { law = "hertz" }
tangential = { law = "coulomb_history", mu = 0.25 }
[particles.ball]
material = "ball"
radius = 0.2
mass = 1000
list = [{ x = [0, 0.2, 0], v = [2.355, 0, 0], w = [0, 0, -127.03] }]
[walls.floor]
)" + floor + R"(
[fields.g]
acceleration = [0, -9.81, 0]
[numerics]
dt = 1e-4
[[stages]]
name = "roll"
duration = 5
)"));
  };
  std::string obj = "mesh = { obj = \"\"\"\n";
  constexpr int kPairs = 80;
  for (int k = 0; k <= kPairs; ++k) obj += fmt::format("v {0} 0 -1\nv {0} 0 1\n", -1 + 0.5 * k);
  for (int k = 0; k < kPairs; ++k) {
    const int a = 2 * k + 1;
    obj += fmt::format("f {} {} {}\nf {} {} {}\n", a, a + 1, a + 2, a + 1, a + 3, a + 2);
  }
  obj += "\"\"\" }\n";
  const Frame plane = run("plane = { point = [0, 0, 0], normal = [0, 1, 0] }\n"), mesh = run(obj);
  const double x5 = reference_case("000-4.3")["expected"]["x_at_5s"];
  s.near_relative("x at 5 s on triangles, exact (m)", x5, mesh.particles.x[0].x, 1.5e-3);
  s.near("x at 5 s, triangles against plane (m)", plane.particles.x[0].x, mesh.particles.x[0].x, 1e-6);
  s.near("w_z at 5 s, triangles against plane (rad/s)", plane.particles.w[0].z, mesh.particles.w[0].z, 1e-5);
}

}  // namespace

std::vector<Entry> wall_entries() {
  return {
      {"triangle-contact-a",
       "Sphere against face, edge and vertex",
       "theory manual",
       {"triangle-contact-a"},
       true,
       triangle},
      {"mesh-plane", "Slide then roll on triangles", "000 section 4.3, theory manual", {}, true, mesh_plane},
  };
}

}  // namespace areia::verify

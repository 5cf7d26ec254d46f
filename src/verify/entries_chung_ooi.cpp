// The eight tests of Chung and Ooi (2011) at the level of one impact, with references that need no other program:
// Hertz's closed forms, impulses of a rigid sphere that slides throughout, and where it sticks the equations of the two
// springs, integrated here by themselves. Materials and speeds are those of hard and less hard spheres, chosen here.
//
// A sphere of mass m, j = (2/5) m r^2, meets a plane with v_n and the slip u = v_t + r w of its lowest point. An
// impulse (J_n, J_t) gives dv_n = J_n/m, dv_t = J_t/m, dw = r J_t/j and so du = (7/2) J_t/m. With J_n = (1 + e) m v_n:
//   slides throughout: J_t = -mu J_n sign(u)     sticks in the end or throughout: |J_t| less than that
// Between two spheres m* = m1 m2/(m1 + m2) takes the place of m, and j = (2/5) m r^2 again gives du = (7/2) J_t/m*.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "verify/entry.h"

namespace areia::verify {

namespace {

struct Solid {
  double young, poisson, density;
};
constexpr Solid kGlass{4.8e10, 0.2, 2800}, kAlloy{7e10, 0.33, 2700}, kOxide{3.8e11, 0.23, 4000};

double mass_of(const Solid& s, double radius) {
  return 4.0 / 3 * std::acos(-1.0) * radius * radius * radius * s.density;
}

// One impact: a sphere on the rigid plane z = 0, or with a second sphere above it. They start in touch.
struct Impact {
  Solid solid = kGlass;
  double r1 = 0.01, r2 = 0;  // 0: a plane in place of the second sphere
  Vec3d v1, w1, v2, w2;
  double e = 1, mu = 0;
  double step = 0;          // share of the time of contact; 0: automatic
  bool elastic_rub = true;  // the tangential spring; false: Coulomb's limit at once

  double m_star() const {
    const double m1 = mass_of(solid, r1);
    return r2 > 0 ? 1 / (1 / m1 + 1 / mass_of(solid, r2)) : m1;
  }
  double r_star() const { return r2 > 0 ? r1 * r2 / (r1 + r2) : r1; }
  double e_star() const { return solid.young / (1 - solid.poisson * solid.poisson) / (r2 > 0 ? 2 : 1); }
  double g_star() const { return solid.young / (2 * (1 + solid.poisson)) / (2 - solid.poisson) / (r2 > 0 ? 2 : 1); }
  double closing() const { return r2 > 0 ? v1.z - v2.z : -v1.z; }
  // Hertz (1882): m* v^2/2 = (2/5) K d^(5/2) with K = (4/3) E* sqrt(r*), and a contact that lasts 2.94326 d/v.
  double stiffness() const { return 4.0 / 3 * e_star() * std::sqrt(r_star()); }
  double deepest() const { return std::pow(1.25 * m_star() * closing() * closing() / stiffness(), 0.4); }
  double duration() const { return 2.943274949 * deepest() / closing(); }

  std::string text() const {
    const std::string list =
        fmt::format("{{ x = [0, 0, {}], v = [{:.17g}, 0, {:.17g}], w = [0, {:.17g}, 0], radius = {} }}", r1, v1.x, v1.z,
                    w1.y, r1) +
        (r2 > 0 ? fmt::format(", {{ x = [0, 0, {}], v = [{:.17g}, 0, {:.17g}], w = [0, {:.17g}, 0], radius = {} }}",
                              2 * r1 + r2, v2.x, v2.z, w2.y, r2)
                : "");
    return fmt::format(R"(
[materials.a]
young = {}
poisson = {}
density = {}
[contacts.default]
normal = {{ law = "hertz", restitution = {} }}
tangential = {{ {}, mu = {} }}
[particles.a]
material = "a"
list = [{}]
[[stages]]
name = "impact"
duration = {:.17g}
{}{})",
                       solid.young, solid.poisson, solid.density, e,
                       elastic_rub ? "law = \"coulomb_history\"" : "law = \"rate\", K_f = 1e25", mu, list,
                       4 * duration(), r2 > 0 ? "" : "[walls.w]\nplane = { point = [0, 0, 0], normal = [0, 0, 1] }\n",
                       step > 0 ? fmt::format("[numerics]\ndt = {:.17g}\n", step * duration()) : "");
  }
};

// Duration, deepest overlap and largest force of an elastic impact.
void hertzian(Sheet& s, const Impact& c, const std::string& name) {
  Simulation sim = s.small(c.text());
  double first = -1, last = 0, overlap = 0, force = 0, worst = 0;
  Curve ours{"this program", {}, {}}, law{"Hertz", {}, {}, Curve::Look::points};
  watch(sim, [&](const Frame& f) {
    if (f.contacts.empty()) return;
    const FrameContact& k = f.contacts[0];
    if (first < 0) first = f.time;
    last = f.time;
    overlap = std::max(overlap, k.overlap);
    force = std::max(force, k.normal);
    worst = std::max(worst, std::fabs(k.normal - c.stiffness() * std::pow(k.overlap, 1.5)));
    ours.x.push_back(k.overlap);
    ours.y.push_back(k.normal);
  });
  for (int k = 0; k <= 10; ++k) {
    law.x.push_back(0.1 * k * c.deepest());
    law.y.push_back(c.stiffness() * std::pow(0.1 * k * c.deepest(), 1.5));
  }
  const Frame end = sim.frame();
  s.near_relative(name + ": deepest overlap (m)", c.deepest(), overlap, 1e-4);
  s.near_relative(name + ": largest force (N)", c.stiffness() * std::pow(c.deepest(), 1.5), force, 1e-4);
  s.near_relative(name + ": duration (s)", c.duration(), last - first, 5e-3);
  s.near(name + ": farthest off Hertz's curve, of the largest force", 0, worst / force, 1e-9);
  s.near_relative(name + ": rebound velocity (m/s)", c.r2 > 0 ? c.v2.z : -c.v1.z, end.particles.v[0].z, 1e-4);
  s.plot({name, "overlap (m)", "force (N)", {ours, law}});
}

void two_spheres(Sheet& s) {
  Impact c;
  c.r2 = c.r1;
  c.v1 = {0, 0, 10};
  c.v2 = {0, 0, -10};
  c.step = 1.0 / 500;
  hertzian(s, c, "two spheres of glass, 10 m/s each");
}

void sphere_and_plane(Sheet& s) {
  Impact c;
  c.solid = kAlloy;
  c.r1 = 0.1;
  c.v1 = {0, 0, -0.2};
  c.step = 1.0 / 500;
  hertzian(s, c, "sphere of alloy on a plane, 0.2 m/s");
}

// At the step that the program chooses: what was asked for comes out to 2 %.
void restitutions(Sheet& s) {
  Curve asked{"asked for", {0.05, 1}, {0.05, 1}}, got{"this program", {}, {}, Curve::Look::points};
  for (const double e : {1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05}) {
    Impact c;
    c.solid = kOxide;
    c.r1 = 0.0025;
    c.v1 = {0, 0, -3.9};
    c.e = e;
    const double ours = last_frame(s.small(c.text())).particles.v[0].z / 3.9;
    s.near_relative(fmt::format("e = {}: restitution", e), e, ours, 0.02);
    got.x.push_back(e);
    got.y.push_back(ours);
  }
  s.plot({"Restitution at the automatic step", "asked for", "measured", {asked, got}});
}

// Slip of the contact after an elastic impact that begins with the slip u: m* d'' = -K d^(3/2), u' = (7/2) f/m*,
// f = -8 G* a s within mu N, a = sqrt(r* d), by 2e5 steps of the midpoint in time.
double slip_after(const Impact& c, double u) {
  const int steps = 200000;
  const double m = c.m_star(), K = c.stiffness(), h = c.duration() / steps;
  double d = 0, v = c.closing(), s = 0;
  for (int k = 0; k < 2 * steps && (d >= 0 || k == 0); ++k) {
    d += 0.5 * h * v;
    s += 0.5 * h * u;
    const double depth = std::max(d, 0.0), N = K * depth * std::sqrt(depth);
    const double spring = 8 * c.g_star() * std::sqrt(c.r_star() * depth);
    double f = -spring * s;
    if (std::fabs(f) > c.mu * N) {
      f = std::copysign(c.mu * N, f);
      s = spring > 0 ? -f / spring : 0;
    }
    v -= h * N / m;
    u += h * 3.5 * f / m;
    d += 0.5 * h * v;
    s += 0.5 * h * u;
  }
  return u;
}

// Rows of one impact of a sphere on a plane: the slip as given, the rest by the impulses that belong to it.
void plane_rows(Sheet& s, const Impact& c, const std::string& name, double slip, double tolerance) {
  const Frame f = last_frame(s.small(c.text()));
  const double u = c.v1.x - c.r1 * c.w1.y, J = (slip - u) / 3.5;  // impulse over mass
  const double speed = std::max({std::fabs(u), std::fabs(c.v1.x), std::fabs(c.v1.z)});
  const double v_t = f.particles.v[0].x, w = f.particles.w[0].y;
  s.near(name + ": v_t (m/s)", c.v1.x + J, v_t, tolerance * speed);
  s.near(name + ": r w (m/s)", c.r1 * c.w1.y - 2.5 * J, c.r1 * w, tolerance * speed);
  s.near(name + ": moment about the contact, r w + (5/2) v_t (m/s)", c.r1 * c.w1.y + 2.5 * c.v1.x, c.r1 * w + 2.5 * v_t,
         1e-12 * speed);
}

// It slides throughout when the slip does not change its sign even under the whole mu J_n, and the spring never lags.
double sliding_slip(const Impact& c, double u) { return u - std::copysign(3.5 * c.mu * (1 + c.e) * c.closing(), u); }

void incident_angles(Sheet& s) {
  Curve reference{"reference", {}, {}}, ours{"this program", {}, {}, Curve::Look::points};
  for (const double degrees : {2.0, 5.0, 10.0, 20.0, 30.0, 45.0, 60.0, 80.0}) {
    Impact c;
    c.solid = kOxide;
    c.r1 = 0.0025;
    c.mu = 0.092;
    c.step = 1.0 / 2000;
    const double a = degrees * std::acos(-1.0) / 180;
    c.v1 = {3.9 * std::sin(a), 0, -3.9 * std::cos(a)};
    const double slip = slip_after(c, c.v1.x), sliding = sliding_slip(c, c.v1.x);
    if (degrees >= 45) s.near(fmt::format("{} degrees: reference slides throughout", degrees), sliding, slip, 1e-5);
    plane_rows(s, c, fmt::format("{} degrees", degrees), slip, 1e-3);
    reference.x.push_back(degrees);
    reference.y.push_back(1 + (slip - c.v1.x) / 3.5 / c.v1.x);
    ours.x.push_back(degrees);
    ours.y.push_back(last_frame(s.small(c.text())).particles.v[0].x / c.v1.x);
  }
  s.plot(
      {"Oblique impact: tangential restitution", "incident angle (degrees)", "v_t after / before", {reference, ours}});
}

// With a loss in the normal direction J_n = (1 + e) m v_n and Coulomb's limit hold as well. A dashpot makes N rise at
// once, faster than the tangential spring winds up, so that the sphere would stick for an instant; without the spring
// it slides throughout.
void tangential_velocities(Sheet& s) {
  for (const double v_t : {4.0, 10.0, 20.0}) {
    Impact c;
    c.solid = kAlloy;
    c.r1 = 0.05;
    c.e = 0.5;
    c.mu = 0.3;
    c.step = 1.0 / 2000;
    c.v1 = {v_t, 0, -2};
    c.elastic_rub = false;
    plane_rows(s, c, fmt::format("e = 0.5, v_t {} m/s", v_t), sliding_slip(c, v_t), 1e-3);
    c.e = 1;
    c.elastic_rub = true;
    c.v1.x = 0.1 * v_t;
    plane_rows(s, c, fmt::format("e = 1, v_t {} m/s", c.v1.x), slip_after(c, c.v1.x), 1e-3);
  }
}

void spinning(Sheet& s) {
  for (const double w : {-175.0, -50.0, -5.0, 2.0, 20.0, 175.0}) {
    Impact c;
    c.solid = kAlloy;
    c.r1 = 0.1;
    c.mu = 0.4;
    c.step = 1.0 / 2000;
    c.v1 = {0, 0, -0.2};
    c.w1 = {0, w, 0};
    plane_rows(s, c, fmt::format("w {} rad/s", w), slip_after(c, -c.r1 * w), 1e-3);
  }
}

// Two spheres that spin the same way rub on each other with r1 w1 + r2 w2; each gets its share of one impulse.
void spheres_spinning(Sheet& s, double r1, double r2) {
  for (const double w : {0.1, 1.0, 8.0, 20.0, 60.0}) {
    Impact c;
    c.solid = kAlloy;
    c.r1 = r1;
    c.r2 = r2;
    c.mu = 0.4;
    c.step = 1.0 / 2000;
    c.v1 = {0, 0, 0.2};
    c.v2 = {0, 0, r1 == r2 ? -0.2 : -0.1};
    c.w1 = c.w2 = {0, w, 0};
    // Of the lower sphere's top, w x r = +w r1 along x; of the upper one's bottom -w r2. J acts on the lower one.
    const double m1 = mass_of(c.solid, r1), m2 = mass_of(c.solid, r2), u = r1 * w + r2 * w;
    const double J = (slip_after(c, u) - u) / 3.5 * c.m_star();
    const Frame f = last_frame(s.small(c.text()));
    const std::string name = fmt::format("w {} rad/s", w);
    const double top = r1 * w + r2 * w;
    s.near(name + ": lower sphere, v_t (m/s)", J / m1, f.particles.v[0].x, 1e-3 * top);
    s.near(name + ": upper sphere, v_t (m/s)", -J / m2, f.particles.v[1].x, 1e-3 * top);
    s.near(name + ": lower sphere, r w (m/s)", r1 * w + 2.5 * J / m1, r1 * f.particles.w[0].y, 1e-3 * top);
    s.near(name + ": upper sphere, r w (m/s)", r2 * w + 2.5 * J / m2, r2 * f.particles.w[1].y, 1e-3 * top);
    s.near(name + ": momentum along x (kg m/s) over m1 u", 0,
           (m1 * f.particles.v[0].x + m2 * f.particles.v[1].x) / (m1 * top), 1e-12);
  }
}
void same_spheres(Sheet& s) { spheres_spinning(s, 0.1, 0.1); }
void other_spheres(Sheet& s) { spheres_spinning(s, 0.1, 0.02); }

}  // namespace

std::vector<Entry> chung_ooi_entries() {
  const std::string test = "Chung and Ooi 2011, test ";
  return {
      {"chung-ooi-1", "Elastic normal impact of two identical spheres", test + "1; Hertz 1882", {}, true, two_spheres},
      {"chung-ooi-2", "Elastic normal impact on a rigid plane", test + "2; Hertz 1882", {}, true, sphere_and_plane},
      {"chung-ooi-3", "Normal impacts with other restitutions", test + "3", {}, true, restitutions},
      {"chung-ooi-4", "Oblique impact at one speed, other angles", test + "4", {}, true, incident_angles},
      {"chung-ooi-5", "Oblique impact, other tangential velocities", test + "5", {}, true, tangential_velocities},
      {"chung-ooi-6", "Impact on a plane, other spins", test + "6", {}, true, spinning},
      {"chung-ooi-7", "Impact of two identical spheres, other spins", test + "7", {}, true, same_spheres},
      {"chung-ooi-8", "Impact of two spheres of other sizes and spins", test + "8", {}, true, other_spheres},
  };
}

}  // namespace areia::verify

// Trajectories against the tables of the specification (impact.json: kinds trajectory, zeno, rest), and what must hold
// for any of them.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "areia/error.h"
#include "impact/models.h"
#include "impact/simulate.h"
#include "impact/systems/systems.h"

namespace areia::impact {

namespace {

using nlohmann::json;

const json& reference() {
  static const json all = json::parse(std::ifstream(AREIA_SOURCE_DIR "/tests/data/impact.json"));
  return all;
}

const json& reference_case(const std::string& id) {
  for (const json& c : reference()["cases"])
    if (c["id"] == id) return c;
  throw std::runtime_error("no case " + id);
}

// Relative to the larger of the value and its scale.
void expect_near(double expected, double ours, double scale, const std::string& what, double tolerance = 1e-9) {
  EXPECT_NEAR(expected, ours, tolerance * std::max({std::fabs(expected), scale})) << what;
}

std::unique_ptr<System> make_system(const json& c) {
  const json& in = c["input"];
  if (c["system"] == "bar") return make_bar({in["m"], in["L"], in["g"]});
  return make_ball({in["m"], in["r"], in["h"], in["g"], in["J"]});
}

State start_of(const json& in) { return {0, {in["x0"], in["y0"], in["theta0"]}, {in["vx0"], in["vy0"], in["omega0"]}}; }

Options options_of(const json& in) {
  Options o;
  o.model = make_model(in["model"].get<std::string>(), in["params"].get<std::map<std::string, double>>());
  o.t_end = in["t1"];
  return o;
}

std::vector<Event> impacts(const Trajectory& t) {
  std::vector<Event> all;
  for (const Event& e : t.events)
    if (e.kind == Event::Kind::impact) all.push_back(e);
  return all;
}

class TrajectoryCase : public testing::TestWithParam<std::string> {};

TEST_P(TrajectoryCase, MeetsTheReference) {
  const json& c = reference_case(GetParam());
  const json& want = c["expected"];
  const auto system = make_system(c);
  const Trajectory t = simulate(*system, start_of(c["input"]), options_of(c["input"]));
  ASSERT_TRUE(t.complete()) << t.reason;
  const double E0 = want["energy0"];
  EXPECT_NEAR(E0, t.samples.front().energy, 1e-12 * E0);
  const auto events = impacts(t);
  ASSERT_EQ(want["events"].size(), events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    const json& w = want["events"][i];
    const Event& e = events[i];
    ASSERT_EQ(1u, e.hits.size());
    const Hit& h = e.hits[0];
    const std::string at = c["id"].get<std::string>() + " impact " + std::to_string(i) + " ";
    EXPECT_NEAR(w["t"].get<double>(), e.t, 1e-12 * std::max(1.0, e.t)) << at;
    EXPECT_EQ(w["contact"], system->contacts()[h.contact]) << at;
    EXPECT_LE(std::fabs(system->gap(h.contact, e.t, e.before.q)), 1e-13 * system->length()) << at;
    const double v = 1, I = 1, q = 1;
    expect_near(w["x"], e.before.q[0], q, at + "x");
    expect_near(w["y"], e.before.q[1], q, at + "y");
    expect_near(w["theta"], e.before.q[2], q, at + "theta");
    expect_near(w["DNA"], h.pre.DNA, v, at + "DNA");
    expect_near(w["DTA"], h.pre.DTA, v, at + "DTA");
    if (w.contains("DthA")) expect_near(w["DthA"], h.pre.DthA, v, at + "DthA");
    expect_near(w["energy_before"], e.energy_before, 1, at + "energy before");
    expect_near(w["energy_after"], e.energy_after, 1, at + "energy after");
    expect_near(w["IN"], h.impact.I.N, I, at + "IN");
    expect_near(w["IT"], h.impact.I.T, I, at + "IT");
    expect_near(w["Ith"], h.impact.I.th, I, at + "Ith");
    EXPECT_EQ(w.value("mode", h.mode), h.mode) << at;
    expect_near(w["vx"], e.after.v[0], v, at + "vx");
    expect_near(w["vy"], e.after.v[1], v, at + "vy");
    expect_near(w["omega"], e.after.v[2], v, at + "omega");
    if (w.contains("DNE")) expect_near(w["DNE"], h.impact.E.N, v, at + "DNE");
    if (w.contains("DTE")) expect_near(w["DTE"], h.impact.E.T, v, at + "DTE");
  }
  if (!want.contains("final")) return;
  const json& w = want["final"];
  const Sample& last = t.samples.back();
  EXPECT_DOUBLE_EQ(w["t"], last.state.t);
  expect_near(w["x"], last.state.q[0], 1, "x");
  expect_near(w["y"], last.state.q[1], 1, "y");
  expect_near(w["theta"], last.state.q[2], 1, "theta");
  expect_near(w["vx"], last.state.v[0], 1, "vx");
  expect_near(w["vy"], last.state.v[1], 1, "vy");
  expect_near(w["omega"], last.state.v[2], 1, "omega");
  if (w.contains("energy")) expect_near(w["energy"], last.energy, 1, "energy");
}

std::vector<std::string> trajectory_ids() {
  std::vector<std::string> ids;
  for (const json& c : reference()["cases"])
    if (c["kind"] == "trajectory") ids.push_back(c["id"]);
  return ids;
}

INSTANTIATE_TEST_SUITE_P(Lab, TrajectoryCase, testing::ValuesIn(trajectory_ids()), [](const auto& p) {
  std::string n = p.param;
  for (char& c : n)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return n;
});

TEST(LabTrajectory, EveryTrajectoryOfTheReferenceIsTested) { EXPECT_EQ(8u, trajectory_ids().size()); }

// Times, energies after the impact: the reference trajectories, all rows.
TEST(LabTrajectory, EqualFiguresAreEqual) {
  const auto bar = make_bar({});
  const State start{0, {0, 1.2, std::atan(1.0)}, {0, 0, 0}};
  const auto run = [&](const char* model, std::map<std::string, double> p, double t_end) {
    Options o;
    o.model = make_model(model, p);
    o.t_end = t_end;
    return simulate(*bar, start, o);
  };
  const auto expect_equal = [](const Trajectory& a, const Trajectory& b) {
    ASSERT_EQ(a.events.size(), b.events.size());
    ASSERT_GE(a.events.size(), 2u);
    for (std::size_t i = 0; i < a.events.size(); ++i) {
      EXPECT_NEAR(a.events[i].t, b.events[i].t, 1e-12);
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(a.events[i].after.v[k], b.events[i].after.v[k], 1e-11);
    }
  };
  // 3.5 and 5.1 equal 3.2; 3.19 equals 3.15.
  const Trajectory fig32 = run("newton", {{"e", 1}}, 0.8);
  expect_equal(fig32, run("brach", {{"e", 1}, {"mu", 0}, {"em", -1}}, 0.8));
  expect_equal(fig32, run("cs", {{"e", 1}, {"mu", 0}, {"et", 0}, {"nu", 0}, {"emC", -1}, {"emE", -1}}, 0.8));
  expect_equal(run("gp1", {{"e", 1}, {"mu", 0.4}}, 0.9),
               run("gp2", {{"e", 1}, {"mu", 0.4}, {"et", 1}, {"nu", 1}}, 0.9));
}

// Erratum 15: with mu = 0.4 Kane's model gains energy at the second impact.
TEST(LabTrajectory, KaneGainsAtTheSecondImpact) {
  const auto bar = make_bar({});
  Options o;
  o.model = make_model("kane", {{"e", 1}, {"mu", 0.4}});
  o.t_end = 0.9;
  const Trajectory t = simulate(*bar, {0, {0, 1.2, std::atan(1.0)}, {0, 0, 0}}, o);
  ASSERT_GE(t.events.size(), 2u);
  EXPECT_NEAR(9.921734, t.events[1].energy_before, 1e-6);
  EXPECT_NEAR(10.165242, t.events[1].energy_after, 1e-6);
  EXPECT_TRUE(t.events[1].hits[0].impact.energy_gain);
}

// docs/impact-lab.md: t* = sqrt(2h/g)(1+e)/(1-e) to 1e-9.
TEST(LabChatter, BallComesToRestAtTheAccumulationPoint) {
  const json& c = reference_case("zeno-ball");
  const auto system = make_system(c);
  const Trajectory t = simulate(*system, start_of(c["input"]), options_of(c["input"]));
  ASSERT_TRUE(t.complete()) << t.reason;
  const json& first = c["expected"]["first_impacts"];
  ASSERT_GT(t.events.size(), first.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(first[i].get<double>(), t.events[i].t, 1e-12);
  const Event& last = t.events.back();
  EXPECT_EQ(Event::Kind::chatter, last.kind);
  EXPECT_NEAR(c["expected"]["t_rest"].get<double>(), last.t, 1e-9);
  EXPECT_NEAR(c["expected"]["y_rest"].get<double>(), t.samples.back().state.q[1], 1e-12);
  EXPECT_EQ(0, t.samples.back().state.v[1]);
  EXPECT_DOUBLE_EQ(3, t.samples.back().state.t);
  for (const double e : {0.1, 0.3, 0.7, 0.9, 0.99}) {
    Options o = options_of(c["input"]);
    o.model.e = e;
    o.t_end = 100;
    const Trajectory r = simulate(*system, start_of(c["input"]), o);
    ASSERT_TRUE(r.complete()) << r.reason;
    EXPECT_EQ(Event::Kind::chatter, r.events.back().kind);
    EXPECT_NEAR(std::sqrt(2 / 9.8) * (1 + e) / (1 - e), r.events.back().t, 1e-9) << "e = " << e;
  }
}

// The form defaults of 7.3: the right end chatters to rest near t = 1.9669927.
TEST(LabChatter, FormDefaultsOfTheSourceComeToRest) {
  const auto bar = make_bar({});
  Options o;
  o.model = make_model("cs", {{"e", 1}, {"et", 0.5}, {"nu", 0.2}, {"mu", 0.5}, {"emC", 0.5}, {"emE", 0.1}});
  o.t_end = 4;
  const Trajectory t = simulate(*bar, {0, {0, 2, 0.78}, {0, 0, 0}}, o);
  ASSERT_TRUE(t.complete()) << t.reason;
  const auto chatter =
      std::find_if(t.events.begin(), t.events.end(), [](const Event& e) { return e.kind == Event::Kind::chatter; });
  ASSERT_NE(t.events.end(), chatter);
  EXPECT_NEAR(1.9669927, chatter->t, 5e-8);
  EXPECT_EQ("right", bar->contacts()[chatter->hits[0].contact]);
  EXPECT_DOUBLE_EQ(4, t.samples.back().state.t);
  // No point of the bar ever goes below the floor.
  for (const Sample& s : t.samples)
    for (std::size_t k = 0; k < 2; ++k) EXPECT_GE(bar->gap(k, s.state.t, s.state.q), -1e-10);
}

// A bar that falls flat and clatters lies still in the end: both ends at rest together.
TEST(LabChatter, ClatteringBarLiesFlat) {
  const auto bar = make_bar({});
  Options o;
  o.model = make_model("gp1", {{"e", 0.5}, {"mu", 0.3}});
  o.t_end = 6;
  const Trajectory t = simulate(*bar, {0, {0, 0.3, 0.2}, {0.5, 0, 0}}, o);
  ASSERT_TRUE(t.complete()) << t.reason;
  const State& end = t.samples.back().state;
  EXPECT_NEAR(0, bar->gap(0, end.t, end.q), 1e-10);
  EXPECT_NEAR(0, bar->gap(1, end.t, end.q), 1e-10);
  for (const double v : end.v) EXPECT_NEAR(0, v, 1e-10);
  EXPECT_DOUBLE_EQ(6, end.t);
}

// The bar pivots without slip, lies flat at t = 0.11685670389.
TEST(LabRest, BarPivotsAboutItsEnd) {
  const json& c = reference_case("rest-pivot");
  const json& in = c["input"];
  const json& want = c["expected"];
  const auto bar = make_bar({in["m"], in["L"], in["g"]});
  Options o;
  o.model = make_model("gp1", {{"e", 0}, {"mu", in["mu"]}});
  o.t_end = 0.2;
  o.sample_step = 1e-4;
  const Trajectory t = simulate(*bar, start_of(in), o);
  ASSERT_TRUE(t.complete()) << t.reason;
  ASSERT_GE(t.events.size(), 2u);
  EXPECT_EQ(Event::Kind::rest, t.events[0].kind);
  ASSERT_EQ(1u, t.events[0].resting.size());
  EXPECT_EQ(Touch::stick, t.events[0].resting[0].touch);
  const Event& flat = t.events[1];
  EXPECT_EQ(Event::Kind::impact, flat.kind);
  EXPECT_NEAR(want["t_flat"].get<double>(), flat.t, 1e-9 * want["t_flat"].get<double>());
  EXPECT_NEAR(want["omega_flat"].get<double>(), flat.before.v[2], 1e-9 * want["omega_flat"].get<double>());
  // The ratio grows until the bar is flat, where R_T = m(L/2) omega^2 = (3/2) mg sin 0.1 and R_N = mg/4: 6 sin 0.1. The
  // value of the file was taken 5.6e-6 rad later, where the other end is below the floor.
  const double closed = 6 * std::sin(0.1), late = want["largest_friction_ratio"];
  EXPECT_NEAR(closed, t.largest_friction_ratio, 1e-9);
  EXPECT_GT(late, closed + 4e-5);
  const auto ratio_at = [](double th) {
    const double S = std::sin(0.1) + std::sin(th), c = std::cos(th), s = std::sin(th);
    return (0.75 * s * c + 1.5 * S * c) / (1 - 0.75 * c * c + 1.5 * s * S);
  };
  EXPECT_NEAR(closed, ratio_at(0), 1e-12);
  EXPECT_NEAR(late, ratio_at(5.65e-6), 1e-6);
  for (const Event& e : t.events) EXPECT_NE(Event::Kind::slip, e.kind);
}

// The same bar with too little friction slips at once, and sooner or later than it would pivot; energy is lost to it.
TEST(LabRest, SlipperyBarSlidesAndLosesEnergy) {
  const json& in = reference_case("rest-pivot")["input"];
  const auto bar = make_bar({});
  Options o;
  o.model = make_model("gp1", {{"e", 0}, {"mu", 0.2}});
  o.t_end = 0.11;
  const Trajectory t = simulate(*bar, start_of(in), o);
  ASSERT_TRUE(t.complete()) << t.reason;
  ASSERT_FALSE(t.events.empty());
  ASSERT_EQ(1u, t.events[0].resting.size());
  EXPECT_NE(Touch::stick, t.events[0].resting[0].touch);
  EXPECT_NEAR(0.2, t.largest_friction_ratio, 1e-10);
  for (std::size_t i = 1; i < t.samples.size(); ++i) EXPECT_LT(t.samples[i].energy, t.samples[i - 1].energy + 1e-15);
  // Without friction the energy stays and the centre falls straight down.
  o.model = make_model("newton", {{"e", 0}});
  const Trajectory s = simulate(*bar, start_of(in), o);
  EXPECT_NEAR(s.samples.front().energy, s.samples.back().energy, 1e-12);
  EXPECT_NEAR(s.samples.front().state.q[0], s.samples.back().state.q[0], 1e-14);
}

// With mu between the ratio at the start (-0.289) and when flat (0.599) it pivots first and slips when friction is used
// up.
TEST(LabRest, PivotTurnsIntoSlip) {
  const json& in = reference_case("rest-pivot")["input"];
  const auto bar = make_bar({});
  Options o;
  o.model = make_model("gp1", {{"e", 0}, {"mu", 0.4}});
  o.t_end = 0.11;
  const Trajectory t = simulate(*bar, start_of(in), o);
  ASSERT_TRUE(t.complete()) << t.reason;
  ASSERT_GE(t.events.size(), 2u);
  EXPECT_EQ(Touch::stick, t.events[0].resting[0].touch);
  EXPECT_EQ(Event::Kind::slip, t.events[1].kind);
  const double th = t.events[1].after.q[2], S = std::sin(0.1) + std::sin(th), c = std::cos(th), s = std::sin(th);
  EXPECT_NEAR(0.4, (0.75 * s * c + 1.5 * S * c) / (1 - 0.75 * c * c + 1.5 * s * S), 1e-8);
  EXPECT_NEAR(0.4, t.largest_friction_ratio, 1e-9);
}

// Sliding on the floor: stops after v/(mu g), at v^2/(2 mu g), then sticks.
TEST(LabRest, FlatBarSlidesToAStop) {
  const auto bar = make_bar({});
  Options o;
  o.model = make_model("gp1", {{"e", 0.5}, {"mu", 0.25}});
  o.t_end = 2;
  const Trajectory t = simulate(*bar, {0, {0, 0, 0}, {2, 0, 0}}, o);
  ASSERT_TRUE(t.complete()) << t.reason;
  ASSERT_GE(t.events.size(), 2u);
  EXPECT_EQ(Event::Kind::stick, t.events[1].kind);
  EXPECT_NEAR(2 / (0.25 * 9.8), t.events[1].t, 1e-11);
  EXPECT_NEAR(4 / (2 * 0.25 * 9.8), t.samples.back().state.q[0], 1e-11);
  EXPECT_NEAR(0, t.samples.back().state.v[0], 1e-12);
}

// Painleve: a slender bar that slips with mu > 4/3 in the wedge.
TEST(LabRest, PainleveStopsWithItsName) {
  const auto bar = make_bar({});
  // A + s mu B = (1 + 3c^2 + 3 s mu sc)/m < 0: right end at theta < 0, slipping to the right.
  const double theta = -std::atan(2.0);
  Options o;
  o.model = make_model("gp1", {{"e", 0}, {"mu", 1.6}});
  o.t_end = 1;
  const Trajectory t = simulate(*bar, {0, {0, -0.5 * std::sin(theta), theta}, {1, 0, 0}}, o);
  EXPECT_EQ(Status::painleve, t.status);
  EXPECT_NE(std::string::npos, t.reason.find("t = 0"));
}

// Long runs of a tumbling bar from random starts, through chatter, rest and sliding: they reach their end, no end of
// the bar goes through the floor, and models that cannot gain energy at an impact do not gain any in a run.
TEST(LabTrajectory, RandomRunsEndSoundly) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> u(0, 1);
  const auto bar = make_bar({});
  int rested = 0;
  for (int trial = 0; trial < 120; ++trial) {
    const ModelInfo& model = all_models()[static_cast<std::size_t>(trial) % all_models().size()];
    std::map<std::string, double> params;
    const double e = 0.2 + 0.5 * u(random), mu = 0.8 * u(random);
    for (const Coefficient& c : model.coefficients) {
      if (std::string(c.name) == "e") params["e"] = e;
      if (std::string(c.name) == "mu") params["mu"] = model.law == Law::brach ? 0.1 * mu : mu;
    }
    Options o;
    o.model = make_model(model.name, params);
    o.t_end = 4;
    const Trajectory t =
        simulate(*bar, {0, {0, 0.8 + u(random), 6 * u(random)}, {2 * u(random) - 1, 0, 8 * u(random) - 4}}, o);
    EXPECT_TRUE(t.complete()) << model.name << " e " << e << " mu " << mu << ": " << t.reason;
    for (const Sample& s : t.samples)
      for (std::size_t k = 0; k < 2; ++k) ASSERT_GE(bar->gap(k, s.state.t, s.state.q), -1e-9) << model.name;
    for (const Event& event : t.events) rested += event.kind == Event::Kind::chatter;
    if (!model.never_gains) continue;
    for (std::size_t i = 1; i < t.samples.size(); ++i)
      ASSERT_LE(t.samples[i].energy, t.samples[i - 1].energy + 1e-9) << model.name << " at " << t.samples[i].state.t;
  }
  EXPECT_GT(rested, 60);
}

TEST(LabTrajectory, LimitOfImpactsIsTold) {
  const auto ball = make_ball({});
  Options o;
  o.model = make_model("newton", {{"e", 1}});
  o.t_end = 100;
  o.most_impacts = 10;
  const Trajectory t = simulate(*ball, {0, {0, 0.9, 0}, {1, -1, 0}}, o);
  EXPECT_TRUE(t.limit_reached);
  EXPECT_EQ(10u, t.events.size());
  EXPECT_NE(std::string::npos, t.reason.find("10 impacts"));
}

TEST(LabTrajectory, SameBitsOnRepeat) {
  const auto bar = make_bar({});
  Options o;
  o.model = make_model("cs", {{"e", 1}, {"et", 0.5}, {"nu", 0.2}, {"mu", 0.5}, {"emC", 0.5}, {"emE", 0.1}});
  o.t_end = 4;
  const State start{0, {0, 2, 0.78}, {0, 0, 0}};
  const Trajectory a = simulate(*bar, start, o), b = simulate(*bar, start, o);
  ASSERT_EQ(a.samples.size(), b.samples.size());
  for (std::size_t i = 0; i < a.samples.size(); ++i) {
    EXPECT_EQ(a.samples[i].state.q, b.samples[i].state.q);
    EXPECT_EQ(a.samples[i].state.v, b.samples[i].state.v);
  }
}

// What is sampled between events does not depend on the step of the samples, and neither do the events.
TEST(LabTrajectory, SamplingChangesNothing) {
  const auto bar = make_bar({});
  Options o;
  o.model = make_model("wm_poisson", {{"e", 0.8}, {"mu", 0.4}});
  o.t_end = 1;
  const State start{0, {0, 1.2, 0.7}, {0, 0, 0}};
  const Trajectory a = simulate(*bar, start, o);
  o.sample_step = 0.013;
  const Trajectory b = simulate(*bar, start, o);
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) EXPECT_EQ(a.events[i].t, b.events[i].t);
}

TEST(LabTrajectory, WrongStartsAreRefused) {
  const auto bar = make_bar({});
  Options o;
  EXPECT_THROW(simulate(*bar, {0, {0, 0.1, 1.0}, {0, 0, 0}}, o), InputError);
  EXPECT_THROW(simulate(*bar, {0, {0, 1}, {0, 0, 0}}, o), InputError);
  EXPECT_THROW(simulate(*bar, {0, {0, NAN, 0}, {0, 0, 0}}, o), InputError);
  o.t_end = -1;
  EXPECT_THROW(simulate(*bar, {0, {0, 1.2, 1.0}, {0, 0, 0}}, o), InputError);
}

}  // namespace

}  // namespace areia::impact

// Data at and beyond the edge: every answer is a status with numbers, never a NaN; and the several-contact solver.
#include <gtest/gtest.h>

#include <numbers>

#include "impact/many_contacts.h"
#include "impact/support.h"

namespace areia::impact::test {
namespace {

bool all_finite(const Impact& r) {
  double sum = 0;
  for (const auto& f : fields())
    if (f.first != "ratio_critical") sum += 0 * f.second(r);
  for (const PathPoint& p : r.path) sum += 0 * (p.IN + p.IT + p.DN + p.DT);
  return sum == 0 && !std::isnan(r.ratio_critical) && std::isfinite(r.eb2) && std::isfinite(r.T_loc);
}

TEST(ImpactStatus, NeverANaN) {
  RandomCollisions draw;
  const double odd[] = {0,    -0.0, 1,      -1,    0.5,    -0.5,   2,        1e-16,     -1e-16,
                        1e-8, 1e16, 1e-300, 1e300, -1e300, 1e-320, INFINITY, -INFINITY, NAN};
  const auto pick = [&](double ordinary) {
    return draw.random() % 3 == 0 ? odd[draw.random() % std::size(odd)] : ordinary;
  };
  std::map<Status, int> seen;
  for (int i = 0; i < 400000; ++i) {
    const auto c = draw.next();
    LocalMass m = c.m;
    Pre a = c.a;
    Model model = draw.model(static_cast<Law>(i % 12));
    for (double* x : {&m.A, &m.B, &m.C, &m.D, &m.E, &m.F, &a.DNA, &a.DTA, &a.DthA})
      if (draw.random() % 4 == 0) *x = pick(*x);
    if (i % 3 == 0) m.C = m.B * m.B / m.A;  // one degree of freedom
    for (double* x : {&model.e, &model.mu, &model.et, &model.nu, &model.em, &model.emC, &model.emE})
      if (draw.random() % 6 == 0) *x = pick(*x);
    model.moment_law = static_cast<MomentLaw>(draw.random() % 3);
    model.clamp = static_cast<Clamp>(draw.random() % 2);
    const Impact r = solve(m, a, model);
    ++seen[r.status];
    ASSERT_TRUE(all_finite(r)) << info(model.law).name << " " << name(r.status) << " " << r.mode << "\n A " << m.A
                               << " B " << m.B << " C " << m.C << " D " << m.D << " E " << m.E << " F " << m.F
                               << " DNA " << a.DNA << " DTA " << a.DTA << " DthA " << a.DthA << " e " << model.e
                               << " mu " << model.mu;
    if (r.ok()) {
      EXPECT_STRNE(r.mode, "");
      EXPECT_GT(r.I.N, 0) << info(model.law).name << " A " << m.A << " B " << m.B << " C " << m.C << " DNA " << a.DNA;
    } else {
      EXPECT_STRNE(r.reason, "");
      EXPECT_EQ(r.I.N, 0);
    }
  }
  for (const Status s : {Status::ok, Status::separating, Status::grazing, Status::no_solution, Status::singular,
                         Status::moment_infeasible, Status::invalid_input})
    EXPECT_GT(seen[s], 10) << name(s);
}

TEST(ImpactStatus, EachStatusHasItsData) {
  const LocalMass m{2.5, 1.5, 2.5, 4, 4, 12};
  const Pre a{-1, 0.6, 0, {}};
  const auto status = [](const LocalMass& mass, const Pre& pre, const Model& model) {
    return solve(mass, pre, model).status;
  };
  EXPECT_EQ(status(m, {0.1, 0, 0, {}}, {.law = Law::cs, .mu = 0.1}), Status::separating);
  EXPECT_EQ(status(m, {0, 1, 0, {}}, {.law = Law::cs, .mu = 0.1}), Status::grazing);
  EXPECT_EQ(status({0, 0, 1}, a, {.law = Law::kane}), Status::singular);
  EXPECT_EQ(status({1, 1, 1}, a, {.law = Law::walton}), Status::singular);
  EXPECT_EQ(status(m, a, {.law = Law::brach, .em = -0.5, .moment_law = MomentLaw::source}), Status::singular);
  EXPECT_EQ(status(m, a, {.law = Law::brach, .mu = 2.5 / 1.5}), Status::singular);
  EXPECT_EQ(status(m, a, {.law = Law::brach, .mu = 3}), Status::no_solution);
  EXPECT_EQ(status(m, {-0.1, 0, -5, {}}, {.law = Law::cs, .mu = 0.1, .emC = 0}), Status::moment_infeasible);
  EXPECT_EQ(status(m, a, {.law = Law::kane, .e = 1.2}), Status::invalid_input);
  EXPECT_EQ(status(m, a, {.law = Law::kane, .mu = -0.1}), Status::invalid_input);
  EXPECT_EQ(status(m, a, {.law = Law::gp2, .et = -0.1}), Status::invalid_input);
  EXPECT_EQ(status(m, a, {.law = Law::walton, .et = -0.1}), Status::ok);
  EXPECT_EQ(status(m, a, {.law = Law::cs, .emE = 1.1}), Status::invalid_input);
  EXPECT_EQ(status({2.5, 3, 2.5}, a, {.law = Law::kane}), Status::invalid_input);
  EXPECT_EQ(status(m, {NAN, 0, 0, {}}, {.law = Law::kane}), Status::invalid_input);
}

// The pendulum on a fixed surface: compression and slip end together, the tie rule decides.
TEST(ImpactStatus, PendulumOnAFixedSurface) {
  const double S = std::sin(0.5), K = std::cos(0.5), omega = -2;
  const LocalMass m{3 * S * S, -3 * S * K, 3 * K * K};
  const Pre a{S * omega, K * omega, 0, {}};
  const Impact stick = solve(m, a, {.law = Law::wm_poisson, .e = 0.8, .mu = 0.9});
  EXPECT_STREQ(stick.mode, "E-sticking");
  EXPECT_NEAR(stick.E.N, 0, 1e-12);  // omega_E = v/(L K) = 0
  const Impact reverse = solve(m, a, {.law = Law::wm_poisson, .e = 0.8, .mu = 0.3});
  EXPECT_STREQ(reverse.mode, "E-reverse-sliding");
  EXPECT_NEAR(reverse.E.N / S, 0.8 * (0.3 * K - S) * omega / (0.3 * K + S), 1e-12);  // Table 2.1
  const Impact energetic = solve(m, a, {.law = Law::stronge, .e = 0.8, .mu = 0.9});
  EXPECT_EQ(energetic.status, Status::no_solution);
  EXPECT_STREQ(energetic.phase, "expansion");
}

// Table 2.1 of the source for random data: every row, also its empty ones.
TEST(ImpactStatus, PendulumTableAtRandom) {
  RandomCollisions draw;
  std::map<std::string, int> rows;
  for (int i = 0; i < 4000; ++i) {
    const double theta = draw.uniform(0.1, 1.4), S = std::sin(theta), K = std::cos(theta),
                 omega = -draw.uniform(0.1, 3);
    const double v = draw.uniform(-2, 2), e = draw.uniform(0.05, 1), mu = draw.uniform(0.02, 2);
    const LocalMass m{3 * S * S, -3 * S * K, 3 * K * K};
    const Pre a{S * omega, K * omega - v, 0, {}};
    const Impact r = solve(m, a, {.law = Law::wm_poisson, .e = e, .mu = mu});
    const bool small = mu < std::tan(theta);
    std::string mode = "sliding";
    double omegaE = -e * omega;
    if (v >= 0 && e * K * omega + v <= 0) {
      mode = small ? "E-reverse-sliding" : "E-sticking";
      omegaE = small ? (e * (mu * K - S) * omega + 2 * mu * v) / (mu * K + S) : v / K;
    } else if (v < 0 && !small) {
      mode = "none";
    } else if (v < 0 && K * omega - v < 0) {
      mode = "C-reverse-sliding";
      omegaE = -e * ((S - mu * K) * omega + 2 * mu * v) / (mu * K + S);
    }
    ++rows[mode];
    if (mode == "none") {
      EXPECT_EQ(r.status, Status::no_solution)
          << r.mode << " theta " << theta << " omega " << omega << " v " << v << " mu " << mu;
      EXPECT_STREQ(r.phase, "compression");
      continue;
    }
    ASSERT_TRUE(r.ok()) << r.reason;
    EXPECT_EQ(r.mode, mode);
    EXPECT_NEAR(r.E.N / S, omegaE, 1e-9 * (std::fabs(omega) + std::fabs(v)));
  }
  EXPECT_EQ(rows.size(), 5u);
}

// --- several contacts
// ---------------------------------------------------------------------------------------------------

struct Coins {
  MassMatrix M{{{1, 0, 0, 0, 0, 0, 0, 0, 0},
                {0, 1, 0, 0, 0, 0, 0, 0, 0},
                {0, 0, 0.5, 0, 0, 0, 0, 0, 0},
                {0, 0, 0, 1, 0, 0, 0, 0, 0},
                {0, 0, 0, 0, 1, 0, 0, 0, 0},
                {0, 0, 0, 0, 0, 0.5, 0, 0, 0},
                {0, 0, 0, 0, 0, 0, 1, 0, 0},
                {0, 0, 0, 0, 0, 0, 0, 1, 0},
                {0, 0, 0, 0, 0, 0, 0, 0, 0.5}}};
  std::vector<ContactRows> W;
  explicit Coins(double alpha) {
    for (const int side : {+1, -1}) {  // n from coin 1 to the other, t = n turned by -90 degrees
      const double nx = side * std::sin(alpha), ny = std::cos(alpha), tx = ny, ty = -nx;
      ContactRows r{{-nx, -ny, 0, 0, 0, 0, 0, 0, 0}, {-tx, -ty, 1, 0, 0, 0, 0, 0, 0}, {}};
      const int at = side > 0 ? 3 : 6;
      r.N[at] = nx, r.N[at + 1] = ny;
      r.T[at] = tx, r.T[at + 1] = ty, r.T[at + 2] = 1;
      W.push_back(r);
    }
  }
};

TEST(SeveralContacts, ThreeCoinsClosedForm) {
  for (const double degrees : {30.0, 45.0, 60.0})
    for (const double e : {0.0, 0.4, 1.0}) {
      const double alpha = degrees * std::numbers::pi / 180, v = 1.3, c = std::cos(alpha);
      const Coins coins(alpha);
      const std::vector<double> qdot = {0, v, 0, 0, 0, 0, 0, 0, 0};
      const ManyImpact r = solve_many(coins.M, coins.W, qdot, {}, {.law = Law::newton, .e = e});
      ASSERT_TRUE(r.ok());
      EXPECT_FALSE(r.substituted);
      for (int i = 0; i < 2; ++i) EXPECT_NEAR(r.I[i].N, (1 + e) * v * c / (1 + 2 * c * c), 1e-13);
      EXPECT_NEAR(r.qdotE[1], v * (1 - 2 * (1 + e) * c * c / (1 + 2 * c * c)), 1e-13);
      EXPECT_NEAR(r.dT, coins.M.energy(r.qdotE) - coins.M.energy(qdot), 1e-13);
      EXPECT_FALSE(r.energy_gain);
    }
}

// With friction the picture stays mirror-symmetric, in the cone, and loses energy.
TEST(SeveralContacts, ThreeCoinsWithFriction) {
  const Coins coins(std::numbers::pi / 4);
  const std::vector<double> qdot = {0, 1, 0, 0, 0, 0, 0, 0, 0};
  for (const double mu : {0.05, 0.3, 1.0}) {
    const ManyImpact r = solve_many(coins.M, coins.W, qdot, {}, {.law = Law::wm_poisson, .e = 0.7, .mu = mu});
    ASSERT_TRUE(r.ok()) << r.reason;
    EXPECT_TRUE(r.substituted);
    EXPECT_NEAR(r.I[0].N, r.I[1].N, 1e-12);
    EXPECT_NEAR(r.I[0].T, -r.I[1].T, 1e-12);
    EXPECT_GT(std::fabs(r.I[0].T), 1e-3);
    for (const Impulse& I : r.I) EXPECT_LE(std::fabs(I.T), mu * I.N * (1 + 1e-12));
    EXPECT_LT(r.dT, 0);
    EXPECT_NEAR(r.dT, coins.M.energy(r.qdotE) - coins.M.energy(qdot), 1e-13);
  }
}

// One contact of many is gp1, whatever the data.
TEST(SeveralContacts, OneContactIsGp1) {
  RandomCollisions draw;
  for (int i = 0; i < 3000; ++i) {
    const double m = draw.uniform(0.5, 2), J = draw.uniform(0.05, 0.5), x = draw.uniform(-1, 1),
                 y = draw.uniform(-1, 1);
    const MassMatrix M({{m, 0, 0}, {0, m, 0}, {0, 0, J}});
    const ContactRows W{{0, 1, -x}, {1, 0, y}, {}};
    const std::vector<double> v = {draw.uniform(-2, 2), -draw.uniform(0.1, 2), draw.uniform(-2, 2)};
    const Model model = draw.model(Law::gp1);
    const Pre a = pre_impact(W, v);
    if (a.DNA >= -1e-6) continue;
    const Impact one = solve(local_mass(M, W), a, model);
    const ManyImpact many = solve_many(M, {W}, v, {}, model);
    ASSERT_TRUE(one.ok() && many.ok()) << many.reason;
    EXPECT_NEAR(one.I.N, many.I[0].N, 1e-9 * one.I.N);
    EXPECT_NEAR(one.I.T, many.I[0].T, 1e-9 * one.I.N);
    EXPECT_NEAR(one.dT, many.dT, 1e-9 * one.T_loc);
  }
}

// Bar with one end at rest on the floor, the other arriving with speed u.
TEST(SeveralContacts, BarWithOneEndAtRest) {
  const double m = 1.7, L = 0.8, u = 2, e = 0.6;
  const MassMatrix M({{m, 0, 0}, {0, m, 0}, {0, 0, m * L * L / 12}});
  const std::vector<ContactRows> W = {{{0, 1, -L / 2}, {1, 0, 0}, {}}, {{0, 1, L / 2}, {1, 0, 0}, {}}};
  const std::vector<double> v = {0, -u / 2, -u / L};  // left end rests, right end comes down with u
  const ManyImpact r = solve_many(M, W, v, {}, {.law = Law::newton, .e = e});
  ASSERT_TRUE(r.ok());
  EXPECT_NEAR(r.I[1].N, m * u * (1 + e) / 3, 1e-13);
  EXPECT_NEAR(r.I[0].N, m * u * (1 + e) / 6, 1e-13);
  EXPECT_NEAR(r.E[1].N, e * u, 1e-13);
  EXPECT_NEAR(r.E[0].N, 0, 1e-13);
}

// A flat bar that slides: the two tangential directions are one, so sticking of both is a singular system. The impulses
// are shared evenly and the bar does not turn.
TEST(SeveralContacts, FlatBarWithFriction) {
  const MassMatrix M({{1, 0, 0}, {0, 1, 0}, {0, 0, 1.0 / 12}});
  const std::vector<ContactRows> W = {{{0, 1, -0.5}, {1, 0, 0}, {}}, {{0, 1, 0.5}, {1, 0, 0}, {}}};
  const ManyImpact stick = solve_many(M, W, std::vector{0.5, -2.0, 0.0}, {}, {.law = Law::gp1, .e = 0.7, .mu = 0.6});
  ASSERT_TRUE(stick.ok()) << stick.reason;
  EXPECT_NEAR(stick.qdotE[0], 0, 1e-13);
  EXPECT_NEAR(stick.qdotE[1], 1.4, 1e-13);
  EXPECT_NEAR(stick.qdotE[2], 0, 1e-13);
  EXPECT_NEAR(stick.I[0].T, stick.I[1].T, 1e-13);
  const ManyImpact slide = solve_many(M, W, std::vector{5.0, -2.0, 0.0}, {}, {.law = Law::gp1, .e = 0.7, .mu = 0.2});
  ASSERT_TRUE(slide.ok());
  EXPECT_NEAR(slide.qdotE[0], 5 - 0.2 * 3.4, 1e-13);
  EXPECT_EQ(slide.modes[0], "sliding+1/sliding+1");
}

TEST(SeveralContacts, StatusesAndWrongInput) {
  const MassMatrix M({{1, 0, 0}, {0, 1, 0}, {0, 0, 1.0 / 12}});
  const std::vector<ContactRows> W = {{{0, 1, -0.5}, {1, 0, 0}, {}}, {{0, 1, 0.5}, {1, 0, 0}, {}}};
  EXPECT_EQ(solve_many(M, W, std::vector{0.0, 1.0, 0.0}, {}, {.law = Law::gp1}).status, Status::separating);
  EXPECT_EQ(solve_many(M, W, std::vector{1.0, 0.0, 0.0}, {}, {.law = Law::gp1}).status, Status::grazing);
  EXPECT_THROW(solve_many(M, W, std::vector{1.0, 0.0}, {}, {.law = Law::gp1}), InputError);
  EXPECT_THROW(solve_many(M, W, std::vector<double>{1, NAN, 0}, {}, {.law = Law::gp1}), InputError);
  EXPECT_THROW(solve_many(M, {}, std::vector{1.0, 0.0, 0.0}, {}, {.law = Law::gp1}), InputError);
  EXPECT_THROW(solve_many(M, W, std::vector{0.0, -1.0, 0.0}, {}, {.law = Law::gp1, .e = 1.5}), InputError);
  EXPECT_THROW(solve_many(M, W, std::vector{0.0, -1.0, 0.0}, {}, {.law = Law::gp1, .mu = -1}), InputError);
  // One end leaves, the other hits: the leaving one stays open.
  const ManyImpact r = solve_many(M, W, std::vector{0.0, -1.0, 12.0}, {}, {.law = Law::newton, .e = 0.2});
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(r.modes[1], "open");
  EXPECT_NEAR(r.E[0].N, 0.2 * 7, 1e-13);
  EXPECT_NEAR(r.E[1].N, 5 - 2 * 1.2 * 7 / 4, 1e-13);
}

TEST(MassMatrices, RefusedWhenWrong) {
  EXPECT_THROW(MassMatrix({{1, 2}, {3, 4}}), InputError);        // not symmetric
  EXPECT_THROW(MassMatrix({{1, 1}, {1, 1}}), InputError);        // singular
  EXPECT_THROW(MassMatrix({{1, 2}, {2, 1}}), InputError);        // indefinite
  EXPECT_THROW(MassMatrix({{1, 0}, {0, NAN}}), InputError);      // not finite
  EXPECT_THROW(MassMatrix({{1, 0, 0}, {0, 1, 0}}), InputError);  // not square
  const MassMatrix M({{4, 2}, {2, 3}});
  const std::vector<double> x = M.solve(std::vector{8.0, 8.0});
  EXPECT_NEAR(x[0], 1, 1e-14);
  EXPECT_NEAR(x[1], 2, 1e-14);
}

TEST(Models, WrongCoefficientsAreNamed) {
  const auto problem = [](const char* model, std::map<std::string, double> params) -> std::string {
    try {
      make_model(model, params);
    } catch (const InputError& e) { return e.what(); }
    return "";
  };
  EXPECT_NE(problem("kanee", {}).find("did you mean `kane`?"), std::string::npos);
  EXPECT_NE(problem("kane", {{"e", 1.5}, {"mu", 0.1}}).find("from 0 to 1"), std::string::npos);
  EXPECT_NE(problem("kane", {{"e", 0.5}, {"mu", -0.1}}).find(">= 0"), std::string::npos);
  EXPECT_NE(problem("kane", {{"e", 0.5}}).find("needs it"), std::string::npos);
  EXPECT_NE(problem("cs", {{"e", 0.5}, {"mu", 0.1}, {"em_C", 0.1}}).find("did you mean `emC`?"), std::string::npos);
  EXPECT_NE(problem("fremond", {{"mu", 0.1}}).find("e or KN"), std::string::npos);
  EXPECT_NE(problem("fremond", {{"mu", 0.1}, {"e", 0.5}, {"KN", 2}}).find("exclude"), std::string::npos);
  EXPECT_EQ(problem("brach", {{"e", 0.5}, {"mu", -0.4}}), "");
  for (const ModelInfo& m : all_models()) EXPECT_EQ(&info(m.law), &m) << m.name;
}

// Viscosities in place of coefficients (steel discs of the source).
TEST(Models, FremondByViscosities) {
  const double mass = 4.87e-3;
  const LocalMass m{1 / mass, 0, 3 / mass};
  const Pre a{-1.5, 1, 0, {}};
  const Model by_e{.law = Law::fremond, .e = 0.93, .mu = 0.2, .et = 0.45};
  const double KN = 1.93 / 0.07 * mass, KT = 1.45 / 0.55 * mass / 3;
  EXPECT_NEAR(KN, 0.1343, 5e-5);
  EXPECT_NEAR(KT, 4.28e-3, 5e-6);
  const Model by_K{.law = Law::fremond, .mu = 0.2, .KN = KN, .KT = KT};
  EXPECT_NEAR(solve(m, a, by_K).I.N, solve(m, a, by_e).I.N, 1e-12);
  EXPECT_NEAR(solve(m, a, by_K).I.T, solve(m, a, by_e).I.T, 1e-12);
}

}  // namespace
}  // namespace areia::impact::test

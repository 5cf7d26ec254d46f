// What must hold for every collision: energy, invariance, cone, special cases, statuses. Random data.
#include <gtest/gtest.h>

#include "impact/support.h"

namespace areia::impact::test {
namespace {

constexpr int kDraws = 20000;

std::vector<Law> laws() {
  std::vector<Law> all;
  for (const ModelInfo& m : all_models()) all.push_back(m.law);
  return all;
}

// The size of numbers that a comparison of impulses and velocities is relative to.
double impulse_scale(const LocalMass& m, const Impact& r) {
  return std::fabs(r.I.N) + std::fabs(r.I.T) + std::fabs(r.I.th) * std::sqrt(m.F / m.A) + 1e-300;
}

void expect_same(const Impact& x, const Impact& y, const LocalMass& m, double tolerance, const std::string& what) {
  ASSERT_EQ(name(x.status), name(y.status)) << what;
  const double s = tolerance * impulse_scale(m, x);
  EXPECT_NEAR(x.I.N, y.I.N, s) << what;
  EXPECT_NEAR(x.I.T, y.I.T, s) << what;
}

TEST(ImpactProperty, TheTableSaysWhichModelsCannotGain) {
  std::string never;
  for (const ModelInfo& m : all_models())
    if (m.never_gains) never += std::string(m.name) + " ";
  EXPECT_EQ(never, "newton gp1 gp2 wm_poisson stronge smith fremond ");  // docs/impact.md, Energy
}

TEST(ImpactProperty, NoGainWhereTheSpecificationSaysSo) {
  RandomCollisions draw;
  for (const ModelInfo& info : all_models()) {
    int gains = 0, ok = 0;
    for (int i = 0; i < kDraws; ++i) {
      const auto c = draw.next();
      Model model = draw.model(info.law);
      if (i % 5 == 0) model.e = 1;
      if (i % 7 == 0) model.et = model.nu = 1;
      if (info.law == Law::brach) model.em = -1, model.clamp = Clamp::admissible;
      const Impact r = solve(c.m, c.a, model);
      if (info.law == Law::cs && r.status == Status::moment_infeasible) continue;
      ASSERT_TRUE(r.ok()) << info.name << " " << r.reason;
      ++ok;
      gains += r.energy_gain;
    }
    EXPECT_GT(ok, kDraws / 2);
    if (info.never_gains || info.law == Law::brach) EXPECT_EQ(gains, 0) << info.name;
    else EXPECT_GT(gains, 0) << info.name << ": the sample would not see a gain";
  }
}

// The specification promises no gain for Brach's model with the clamp; that holds without moment impulse, for which the
// clamp has the energy in it. With a moment impulse the clamp only knows the slip, and gains happen.
TEST(ImpactProperty, TheClampOfBrachKnowsTheEnergyOnlyWithoutMoment) {
  RandomCollisions draw;
  int gains = 0;
  for (int i = 0; i < kDraws; ++i) {
    const auto c = draw.next();
    Model model = draw.model(Law::brach);
    model.clamp = Clamp::admissible;
    const Impact r = solve(c.m, c.a, model);
    gains += r.energy_gain;
    if (r.energy_gain) {  // not by rounding, and seen by the bodies too
      FreeBody b1 = c.body1, b2 = c.body2;
      const auto energy = [](const FreeBody& b) {
        return (b.vx * b.vx + b.vy * b.vy) / (2 * b.inverse_mass) + b.omega * b.omega / (2 * b.inverse_inertia);
      };
      const double before = energy(b1) + energy(b2);
      apply(r.I, b1, b2);
      EXPECT_NEAR(energy(b1) + energy(b2) - before, r.dT, 1e-9 * (before + std::fabs(r.dT)));
    }
  }
  EXPECT_GT(gains, 20);
}

TEST(ImpactProperty, WaltonGainsNothingAtCentralImpacts) {
  RandomCollisions draw;
  for (int i = 0; i < kDraws; ++i) {
    auto c = draw.next();
    c.m.B = 0;
    const Model w = draw.model(Law::walton);
    const Impact r = solve(c.m, c.a, w);
    ASSERT_TRUE(r.ok());
    EXPECT_FALSE(r.energy_gain) << r.dT;
    Model f = w;  // and is Fremond's law there
    f.law = Law::fremond;
    expect_same(r, solve(c.m, c.a, f), c.m, 1e-12, "fremond");
  }
}

TEST(ImpactProperty, ImpulsesLieInTheFrictionCone) {
  RandomCollisions draw;
  for (const Law law : laws()) {
    if (law == Law::brach) continue;  // its ratio is given, not bounded
    for (int i = 0; i < kDraws / 4; ++i) {
      const auto c = draw.next();
      Model model = draw.model(law);
      if (law == Law::cs) model.emC = model.emE = i % 2 ? -1 : model.emC;
      const Impact r = solve(c.m, c.a, model);
      if (!r.ok()) continue;
      const double mu = law == Law::newton ? 0 : model.mu, slack = 1e-12 * r.I.N;
      EXPECT_GT(r.I.N, 0) << info(law).name;
      EXPECT_LE(std::fabs(r.I.T), mu * r.I.N + slack) << info(law).name;
      if (r.stages) {
        EXPECT_LE(std::fabs(r.IC.T), mu * r.IC.N + slack) << info(law).name;
        EXPECT_LE(std::fabs(r.IE.T), mu * r.IE.N + slack) << info(law).name;
      }
      EXPECT_GE(r.E.N, -1e-11 * std::fabs(c.a.DNA)) << info(law).name;  // they part
    }
  }
}

// Coulomb's law where it is one of the totals: sticking, or the full friction against the final slip.
TEST(ImpactProperty, KaneObeysCoulomb) {
  RandomCollisions draw;
  int sticks = 0;
  for (int i = 0; i < kDraws; ++i) {
    const auto c = draw.next();
    const Model model = draw.model(Law::kane);
    const Impact r = solve(c.m, c.a, model);
    const double v = std::fabs(c.a.DNA) + std::fabs(c.a.DTA);
    EXPECT_NEAR(r.E.N, -model.e * c.a.DNA, 1e-11 * v);
    if (std::string_view(r.mode) == "sticking") {
      EXPECT_NEAR(r.E.T, 0, 1e-11 * v);
      ++sticks;
    } else {
      EXPECT_NEAR(r.I.T, -std::copysign(model.mu * r.I.N, r.E.T), 1e-12 * r.I.N);
    }
  }
  EXPECT_GT(sticks, kDraws / 10);
  EXPECT_LT(sticks, kDraws * 9 / 10);
}

TEST(ImpactProperty, StaticFrictionOfKane) {
  // Direct impact with mu_s = 0.6: sliding friction 0.5 lets it slide, static friction 0.7 holds it.
  const LocalMass m{2.5, 1.5, 2.5};
  const Pre a{-1, 0, 0, {}};
  EXPECT_STREQ(solve(m, a, {.law = Law::kane, .e = 0.5, .mu = 0.5}).mode, "sliding");
  const Impact r = solve(m, a, {.law = Law::kane, .e = 0.5, .mu = 0.5, .mu0 = 0.7});
  EXPECT_STREQ(r.mode, "sticking");
  EXPECT_NEAR(r.I.T, 0.375 * 1.5, 1e-14);
  // Static below sliding friction: neither holds.
  EXPECT_EQ(solve(m, a, {.law = Law::kane, .e = 0.5, .mu = 0.7, .mu0 = 0.5}).status, Status::no_solution);
}

// --- C-S and the others
// -----------------------------------------------------------------------------------------------

TEST(ImpactProperty, CsReducesToItsSpecialCases) {
  RandomCollisions draw;
  for (int i = 0; i < kDraws; ++i) {
    const auto c = draw.next();
    Model cs = draw.model(Law::cs);
    cs.emC = cs.emE = -1;
    cs.moment_law = static_cast<MomentLaw>(i % 3);
    Model other = cs;
    other.law = Law::gp2;
    expect_same(solve(c.m, c.a, cs), solve(c.m, c.a, other), c.m, 1e-13, "gp2");
    cs.et = cs.nu = 0;
    other.law = Law::gp1;
    expect_same(solve(c.m, c.a, cs), solve(c.m, c.a, other), c.m, 1e-13, "gp1");
    cs.mu = 0;
    other.law = Law::newton;
    expect_same(solve(c.m, c.a, cs), solve(c.m, c.a, other), c.m, 1e-13, "newton");
  }
}

TEST(ImpactProperty, CsAgreesWithRouthUnlessTheSlipReverses) {
  RandomCollisions draw;
  int same = 0, reversed = 0;
  for (int i = 0; i < kDraws; ++i) {
    const auto c = draw.next();
    Model model = draw.model(Law::wm_poisson);
    model.emC = model.emE = -1;
    model.et = model.nu = 0;
    const Impact routh = solve(c.m, c.a, model);
    model.law = Law::cs;
    const Impact cs = solve(c.m, c.a, model);
    if (std::string_view(routh.mode).ends_with("reverse-sliding")) {
      ++reversed;
      EXPECT_GT(std::fabs(cs.I.T - routh.I.T) + std::fabs(cs.I.N - routh.I.N), 1e-13 * routh.I.N) << routh.mode;
    } else {
      ++same;
      expect_same(cs, routh, c.m, 1e-10, routh.mode);
    }
  }
  EXPECT_GT(reversed, 100);
  EXPECT_GT(same, 1000);
}

// A moment impulse that would drive the bodies together in expansion is answered by just as much normal impulse as
// parts them; and where it would stop the approach alone, the status says so.
TEST(ImpactProperty, CsRaisesTheNormalImpulseWhereItMust) {
  RandomCollisions draw;
  int raised = 0, infeasible = 0;
  for (int i = 0; i < kDraws; ++i) {
    auto c = draw.next();
    c.a.DthA *= 3;
    const Model model = draw.model(Law::cs);
    const Impact r = solve(c.m, c.a, model);
    infeasible += r.status == Status::moment_infeasible;
    if (!r.ok()) continue;
    if (r.extra_normal) {
      ++raised;
      EXPECT_NEAR(r.E.N, 0, 1e-11 * (std::fabs(c.a.DNA) + c.m.A * r.I.N + std::fabs(c.m.D * c.a.DthA / c.m.F)));
      EXPECT_GT(r.IE.N, model.e * r.IC.N);
    } else {
      EXPECT_NEAR(r.IE.N, model.e * r.IC.N, 1e-14 * r.IC.N);
      EXPECT_GE(r.E.N, -1e-11 * (std::fabs(c.a.DNA) + c.m.A * r.I.N));
    }
    // The moment law, stage by stage: I_th = -k D_th(end)/F.
    const double kC = std::fabs((1 + model.emC) / model.emC), kE = std::fabs((1 + model.emE) / model.emE);
    const double scale =
        1e-9 * (1 + std::fabs(r.C.th) + std::fabs(r.E.th) + c.m.F * (std::fabs(r.I.N) + std::fabs(r.I.T)));
    EXPECT_NEAR(r.IC.th * c.m.F, -kC * r.C.th, scale * (1 + kC));
    EXPECT_NEAR(r.IE.th * c.m.F, -kE * r.E.th, scale * (1 + kE));
  }
  EXPECT_GT(raised, 20);
  EXPECT_GT(infeasible, 20);
}

TEST(ImpactProperty, WithoutFrictionAllModelsAreNewton) {
  RandomCollisions draw;
  for (int i = 0; i < kDraws / 10; ++i) {
    const auto c = draw.next();
    for (const Law law : laws()) {
      if (law == Law::fremond) continue;  // viscous: another normal law where B couples
      Model model = draw.model(law);
      model.mu = 0;
      model.em = model.emC = model.emE = -1;
      Model plain = model;
      plain.law = Law::newton;
      expect_same(solve(c.m, c.a, model), solve(c.m, c.a, plain), c.m, 1e-12, info(law).name);
    }
  }
}

TEST(ImpactProperty, OtherSpecialCasesOfTheTable) {
  RandomCollisions draw;
  for (int i = 0; i < kDraws / 4; ++i) {
    auto c = draw.next();
    Model w = draw.model(Law::walton), k = w;
    w.et = 0;
    k.law = Law::kane;
    expect_same(solve(c.m, c.a, w), solve(c.m, c.a, k), c.m, 1e-12, "walton et = 0");
    Model p = k, g = k;
    p.e = g.e = 0;
    g.law = Law::gp1;
    expect_same(solve(c.m, c.a, p), solve(c.m, c.a, g), c.m, 1e-12, "e = 0");
    // Brach with the ratio of another solution that has Newton's coefficient.
    const Impact kane = solve(c.m, c.a, k);
    const Model b{.law = Law::brach, .e = k.e, .mu = kane.I.T / kane.I.N};
    expect_same(solve(c.m, c.a, b), kane, c.m, 1e-9, "brach");
    c.a.DTA = 0;
    Model s = k;
    s.law = Law::smith;
    expect_same(solve(c.m, c.a, s), solve(c.m, c.a, k), c.m, 1e-12, "smith direct");
  }
}

TEST(ImpactProperty, Superball) {
  const LocalMass m{1, 0, 3.5, 0, 25, 250};
  const Model superball{.law = Law::gp2, .e = 1, .mu = 1, .et = 1, .nu = 1};
  for (const double slip : {0.3, -1.0, 2.0}) {
    const Impact r = solve(m, {-1, slip, 0, {}}, superball);
    EXPECT_NEAR(r.E.T, -slip, 1e-12);
    EXPECT_NEAR(r.dT, 0, 1e-14);
  }
}

// --- Routh's path against the closed forms of the specification
// --------------------------------------------------------

TEST(ImpactProperty, RouthPathAgainstClosedForms) {
  RandomCollisions draw;
  std::map<std::string, int> seen;
  for (int i = 0; i < kDraws; ++i) {
    const auto c = draw.next();
    const Model model = draw.model(i % 2 ? Law::wm_newton : Law::wm_poisson);
    const double A = c.m.A, B = c.m.B, C = c.m.C, N = c.a.DNA, T = c.a.DTA, e = model.e, mu = model.mu;
    const double s = T > 0 ? 1 : -1, Pd = (A + s * mu * B) * s * T, Pq = (mu * C + s * B) * -N,
                 delta = c.m.determinant();
    const bool sticks = mu >= c.m.critical_friction(), newton = model.law == Law::wm_newton;
    // With Newton's coefficient the slip may end later than Poisson's table says; the path decides, so the mode is only
    // compared where the termination does not enter.
    const std::string mode = Pd >= (1 + e) * Pq ? "sliding"
                             : Pd >= Pq         ? (sticks ? "E-sticking" : "E-reverse-sliding")
                                                : (sticks ? "C-sticking" : "C-reverse-sliding");
    double IN, IT;
    const double turn = 2 * T / (B + s * mu * C), slide = -(1 + e) * N / (A + s * mu * B);
    if (mode == "sliding") {
      IN = slide, IT = -s * mu * IN;
    } else if (sticks) {
      if (newton) IN = -(B * T + (1 + e) * C * N) / delta;
      else IN = mode[0] == 'C' ? -(1 + e) * (C * N + B * T) / delta : slide;
      IT = newton ? -(A * T + (1 + e) * B * N) / delta : (B * IN - T) / C;
    } else {
      const double rest = s * mu * B * turn;
      if (newton) IN = -((1 + e) * N + rest) / (A - s * mu * B);
      else IN = mode[0] == 'C' ? -(1 + e) * (N + rest) / (A - s * mu * B) : slide;
      IT = s * mu * (IN - turn);
    }
    const Impact r = solve(c.m, c.a, model);
    ASSERT_EQ(r.mode, mode);
    EXPECT_NEAR(r.I.N, IN, 1e-9 * impulse_scale(c.m, r)) << mode;
    EXPECT_NEAR(r.I.T, IT, 1e-9 * impulse_scale(c.m, r)) << mode;
    ++seen[mode];
  }
  EXPECT_EQ(seen.size(), 5u);
  for (const auto& entry : seen) EXPECT_GT(entry.second, 50) << entry.first;
}

TEST(ImpactProperty, WorksOfRouthsPathAddUp) {
  RandomCollisions draw;
  for (int i = 0; i < kDraws; ++i) {
    const auto c = draw.next();
    const Law law = i % 3 == 0 ? Law::wm_newton : i % 3 == 1 ? Law::wm_poisson : Law::stronge;
    const Model model = draw.model(law);
    const Impact r = solve(c.m, c.a, model);
    ASSERT_TRUE(r.ok());
    EXPECT_NEAR(r.dT, r.WnC + r.WnE + r.Wt, 1e-10 * (r.T_loc + std::fabs(r.dT)));
    EXPECT_LE(r.Wt, 1e-14 * r.T_loc);  // friction only takes
    EXPECT_LE(r.WnC, 0);
    if (law == Law::stronge) { EXPECT_NEAR(r.WnE, -model.e * model.e * r.WnC, 1e-12 * std::fabs(r.WnC)); }
    if (law == Law::wm_poisson) { EXPECT_NEAR(r.IE.N, model.e * r.IC.N, 1e-12 * r.I.N); }
    const PathPoint& end = r.path.points[r.path.size - 1];
    EXPECT_NEAR(end.DN, r.E.N, 1e-10 * std::fabs(c.a.DNA));
    EXPECT_NEAR(r.path.points[r.path.compression].DN, 0, 0);
  }
}

// The root of Smith's equation: the weight that the slips give is the weight that was used.
TEST(ImpactProperty, SmithSolvesHisEquation) {
  RandomCollisions draw;
  for (int i = 0; i < kDraws; ++i) {
    const auto c = draw.next();
    Model model = draw.model(Law::smith);
    if (i % 10 == 0) model.mu *= 20;  // where A + mu B g ends within [-1, 1]
    const Impact r = solve(c.m, c.a, model);
    ASSERT_TRUE(r.ok());
    const double a = c.a.DTA, b = r.E.T, g = (a * std::fabs(a) + b * std::fabs(b)) / (a * a + b * b);
    EXPECT_NEAR(r.I.T, -model.mu * g * r.I.N, 1e-10 * (1 + model.mu) * r.I.N);
    EXPECT_NEAR(r.E.N, -model.e * c.a.DNA, 1e-10 * (std::fabs(c.a.DNA) + c.m.A * r.I.N));
  }
}

// --- invariance
// ----------------------------------------------------------------------------------------------

TEST(ImpactProperty, Mirror) {
  RandomCollisions draw;
  for (const Law law : laws())
    for (int i = 0; i < kDraws / 10; ++i) {
      const auto c = draw.next();
      Model model = draw.model(law), image = model;
      if (law == Law::brach) image.mu = -model.mu;
      LocalMass m = c.m;
      Pre a = c.a;
      m.B = -m.B, m.D = -m.D;
      a.DTA = -a.DTA, a.DthA = -a.DthA;
      const Impact r = solve(c.m, c.a, model), s = solve(m, a, image);
      ASSERT_EQ(r.status, s.status);
      EXPECT_EQ(r.I.N, s.I.N) << info(law).name;
      EXPECT_EQ(r.I.T, -s.I.T) << info(law).name;
      EXPECT_EQ(r.I.th, -s.I.th) << info(law).name;
      EXPECT_EQ(r.dT, s.dT) << info(law).name;
    }
}

// Exchanging the bodies turns both axes round: coordinates change sign, the spins do not, and W_th is reversed.
TEST(ImpactProperty, ExchangeOfBodies) {
  RandomCollisions draw;
  const auto turned = [](FreeBody b) {
    b.x = -b.x, b.y = -b.y, b.vx = -b.vx, b.vy = -b.vy;
    return b;
  };
  for (const Law law : laws())
    for (int i = 0; i < kDraws / 10; ++i) {
      const auto c = draw.next();
      const Model model = draw.model(law);
      const FreeBody b1 = turned(c.body2), b2 = turned(c.body1);
      const Impact r = solve(c.m, c.a, model), s = solve(local_mass(b1, b2), pre_impact(b1, b2), model);
      ASSERT_EQ(r.status, s.status);
      const double tolerance = 1e-11 * impulse_scale(c.m, r);
      EXPECT_NEAR(r.I.N, s.I.N, tolerance) << info(law).name;
      EXPECT_NEAR(r.I.T, s.I.T, tolerance) << info(law).name;
      EXPECT_NEAR(r.I.th, -s.I.th, tolerance) << info(law).name;
      EXPECT_NEAR(r.dT, s.dT, 1e-10 * (r.T_loc + std::fabs(r.dT))) << info(law).name;
    }
}

// A common velocity of both bodies changes nothing; and what (E) says is what the bodies lose, with their momentum
// kept.
TEST(ImpactProperty, MovingFrameAndBodies) {
  RandomCollisions draw;
  const auto energy = [](const FreeBody& b) {
    return (b.vx * b.vx + b.vy * b.vy) / (2 * b.inverse_mass) + b.omega * b.omega / (2 * b.inverse_inertia);
  };
  for (const Law law : laws())
    for (int i = 0; i < kDraws / 20; ++i) {
      auto c = draw.next();
      const Model model = draw.model(law);
      const Impact r = solve(c.m, c.a, model);
      FreeBody p = c.body1, q = c.body2;
      for (FreeBody* b : {&p, &q}) b->vx += 0.7, b->vy -= 0.3;
      const Impact s = solve(c.m, pre_impact(p, q), model);
      ASSERT_EQ(r.status, s.status);
      EXPECT_NEAR(r.I.N, s.I.N, 1e-10 * impulse_scale(c.m, r));
      EXPECT_NEAR(r.I.T, s.I.T, 1e-10 * impulse_scale(c.m, r));
      if (!r.ok()) continue;
      FreeBody b1 = c.body1, b2 = c.body2;
      apply(r.I, b1, b2);
      const double before = energy(c.body1) + energy(c.body2), after = energy(b1) + energy(b2);
      EXPECT_NEAR(after - before, r.dT, 1e-11 * (before + after)) << info(law).name;
      const Pre E = pre_impact(b1, b2);
      EXPECT_NEAR(E.DNA, r.E.N, 1e-11 * (1 + impulse_scale(c.m, r) * c.m.A));
      EXPECT_NEAR(E.DTA, r.E.T, 1e-11 * (1 + impulse_scale(c.m, r) * c.m.C));
      EXPECT_NEAR(b1.vy / b1.inverse_mass + b2.vy / b2.inverse_mass,
                  c.body1.vy / b1.inverse_mass + c.body2.vy / b2.inverse_mass, 1e-10 * (1 + impulse_scale(c.m, r)));
    }
}

// Rotating the axes of the coordinates: M and rows change, what happens at the contact does not.
TEST(ImpactProperty, RotationOfTheAxes) {
  RandomCollisions draw;
  for (int i = 0; i < 200; ++i) {
    const double th = draw.uniform(0, 6), mass = draw.uniform(0.5, 2), J = draw.uniform(0.1, 1),
                 x = draw.uniform(-1, 1), y = draw.uniform(0.1, 1);
    const double c = std::cos(th), s = std::sin(th);
    const MassMatrix M({{mass, 0, 0}, {0, mass, 0}, {0, 0, J}});
    const ContactRows W{{0, 1, -x}, {1, 0, y}, {0, 0, 1}}, V{{-s, c, -x}, {c, s, y}, {0, 0, 1}};
    const std::vector<double> v = {draw.uniform(-1, 1), -2, draw.uniform(-1, 1)};
    const std::vector<double> u = {c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]};
    const Model model = draw.model(Law::cs);
    const Impact r = solve(local_mass(M, W), pre_impact(W, v), model),
                 q = solve(local_mass(M, V), pre_impact(V, u), model);
    ASSERT_EQ(r.status, q.status);
    EXPECT_NEAR(r.I.N, q.I.N, 1e-11 * impulse_scale(local_mass(M, W), r));
    EXPECT_NEAR(r.I.T, q.I.T, 1e-11 * impulse_scale(local_mass(M, W), r));
    EXPECT_NEAR(r.I.th, q.I.th, 1e-11 * impulse_scale(local_mass(M, W), r));
  }
}

// A driven surface: the inertial energy differs by the work of the drive.
TEST(ImpactProperty, DrivenSurface) {
  const MassMatrix M({{2, 0, 0}, {0, 2, 0}, {0, 0, 0.3}});
  const ContactRows W{{0, 1, -0.4}, {1, 0, 0.5}, {}};
  const std::vector<double> v = {0.3, -1.2, 0.8};
  const Velocity w{-0.2, 0.7, 0};
  for (const Law law : laws()) {
    const Impact r = solve(local_mass(M, W), pre_impact(W, v, w), {.law = law, .e = 0.6, .mu = 0.3});
    ASSERT_TRUE(r.ok());
    const double change = M.energy(velocities_after(M, W, v, r.I)) - M.energy(v);
    EXPECT_NEAR(r.dT_inertial, change, 1e-13);
    EXPECT_GT(std::fabs(r.dT - r.dT_inertial), 1e-3);
  }
}

TEST(ImpactProperty, BeghinBoulangerMayBeUnreal) {
  const LocalMass m{2.5, 1.5, 2.5};
  const Impact r = solve(m, {-1, 3, 0, {}}, {.law = Law::wm_poisson, .e = 0.6, .mu = 0.4});
  EXPECT_TRUE(r.has_eb2);
  EXPECT_NEAR(r.eb2, -0.187, 5e-4);  // docs/impact.md
  const Impact smooth = solve(m, {-1, 3, 0, {}}, {.law = Law::gp1, .e = 0.6, .mu = 0});
  EXPECT_NEAR(smooth.eb2, 0.36, 1e-12);
}

}  // namespace
}  // namespace areia::impact::test

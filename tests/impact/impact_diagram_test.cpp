// The elements of the impulse plane: reference numbers of section 5, and what their definitions say.
#include <gtest/gtest.h>

#include "impact/diagram.h"
#include "impact/support.h"

namespace areia::impact::test {
namespace {

double on(const PlaneLine& l, const PlanePoint& p) { return l.n * p.IN + l.t * p.IT + l.c; }

TEST(ImpactDiagram, ReferenceNumbers) {
  const auto& c = reference("diagram-source");
  const auto& x = c["expected"];
  Model newton_end{.law = Law::wm_newton, .e = c["params"]["e"], .mu = c["params"]["mu"]}, poisson_end = newton_end;
  poisson_end.law = Law::wm_poisson;
  const Diagram d = diagram(local_of(c["local"]), pre_of(c["pre"]), {newton_end, poisson_end});
  const auto near = [](double ours, const nlohmann::json& value) {
    EXPECT_NEAR(ours, value.get<double>(), allowed(value));
  };
  near(d.energy.centre.IN, x["ellipse_centre"]["IN"]);
  near(d.energy.centre.IT, x["ellipse_centre"]["IT"]);
  near(d.local_energy, x["local_energy"]);
  near(d.mu_s, x["mu_s"]);
  for (int i = 0; i < 2; ++i) {
    near(d.energy.semi_axes[i], x["semi_axes"][i]);
    const PlanePoint axis{x["axis_directions"][i]["IT"], x["axis_directions"][i]["IN"]}, &ours = d.energy.directions[i];
    EXPECT_NEAR(std::fabs(axis.IT * ours.IT + axis.IN * ours.IN), 1, 1e-9);  // an axis has no sign
  }
  for (const auto& [name, points] : {std::pair{"friction_with_compression", d.friction_with_compression},
                                     std::pair{"friction_with_termination", d.friction_with_termination}}) {
    ASSERT_EQ(points.size(), x[name].size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ(points[i].slip, x[name][i]["slip"].get<int>());
      near(points[i].at.IN, x[name][i]["IN"]);
      near(points[i].at.IT, x[name][i]["IT"]);
    }
  }
  // Section 5: the Newton end point is outside of the ellipse, the Poisson one inside.
  EXPECT_NEAR(d.runs[0].end.IT, 0.375, 1e-12);
  EXPECT_NEAR(d.runs[0].end.IN, 1.025, 1e-12);
  EXPECT_TRUE(d.runs[0].energy_gain);
  EXPECT_NEAR(d.runs[1].end.IT, 0.24, 1e-12);
  EXPECT_NEAR(d.runs[1].end.IN, 0.8, 1e-12);
  EXPECT_FALSE(d.runs[1].energy_gain);
}

TEST(ImpactDiagram, LinesAndConicAreWhatTheirDefinitionsSay) {
  RandomCollisions draw;
  for (int i = 0; i < 300; ++i) {
    const auto c = draw.next();
    const Model model = draw.model(Law::wm_poisson);
    const Diagram d = diagram(c.m, c.a, {model});
    const double scale = std::fabs(c.a.DNA) + std::fabs(c.a.DTA);
    EXPECT_NEAR(on(d.compression, d.energy.centre), 0, 1e-10 * scale);
    EXPECT_NEAR(on(d.sticking, d.energy.centre), 0, 1e-10 * scale);
    const auto dT = [&](const PlanePoint& p) {
      const Impulse I{p.IN, p.IT, 0};
      return dot(I, c.a.velocity()) + dot(I, c.m.change(I)) / 2;
    };
    for (const PlanePoint& p : d.energy.outline) EXPECT_NEAR(dT(p), 0, 1e-10 * d.local_energy);
    for (const PlanePoint& p : d.admissible) {
      EXPECT_LE(dT(p), 1e-9 * d.local_energy);
      EXPECT_LE(std::fabs(p.IT), d.mu * p.IN * (1 + 1e-9) + 1e-12);
      EXPECT_GE(on(d.compression, p), -1e-9 * scale);
    }
    for (const SlipPoint& p : d.friction_with_compression) {
      EXPECT_NEAR(on(d.compression, p.at), 0, 1e-9 * scale);
      EXPECT_NEAR(p.at.IT, -p.slip * d.mu * p.at.IN, 1e-12 * p.at.IN);
    }
    const Impact r = solve(c.m, c.a, model);
    if (std::string_view(r.mode).ends_with("reverse-sliding")) {
      ASSERT_TRUE(d.reverse_slip);
      EXPECT_NEAR(on(d.sticking, d.reverse_from), 0, 1e-10 * scale);
      const PathPoint& turn = r.path.points[std::string_view(r.mode)[0] == 'C' ? 1 : 2];
      EXPECT_NEAR(turn.IN, d.reverse_from.IN, 1e-9 * r.I.N);
      EXPECT_NEAR(turn.IT, d.reverse_from.IT, 1e-9 * r.I.N);
      // The end lies on the reversed line.
      const double slope = (d.reverse_to.IT - d.reverse_from.IT) / (d.reverse_to.IN - d.reverse_from.IN);
      EXPECT_NEAR(d.reverse_from.IT + slope * (r.I.N - d.reverse_from.IN), r.I.T, 1e-9 * r.I.N);
    }
  }
}

// Delta = 0: the ellipse opens to a parabola, or to two lines when the slip is that of a fixed surface.
TEST(ImpactDiagram, OneDegreeOfFreedom) {
  const double S = std::sin(0.6), K = std::cos(0.6);
  const LocalMass m{3 * S * S, -3 * S * K, 3 * K * K};
  const Model model{.law = Law::wm_poisson, .e = 0.8, .mu = 0.5};
  for (const double v : {1.0, 0.0}) {
    const Pre a{-S, -K - v, 0, {}};
    const Diagram d = diagram(m, a, {model});
    EXPECT_EQ(d.energy.kind, v == 0 ? Conic::parallel_lines : Conic::parabola);
    for (const PlanePoint& p : d.energy.outline) {
      const Impulse I{p.IN, p.IT, 0};
      EXPECT_NEAR(dot(I, a.velocity()) + dot(I, m.change(I)) / 2, 0, 1e-10 * (1 + p.IN * p.IN + p.IT * p.IT));
    }
    EXPECT_GT(d.admissible.size(), 3u);
  }
}

}  // namespace
}  // namespace areia::impact::test

// Every reference case of single impacts and of several contacts, to its tolerance.
#include <gtest/gtest.h>

#include "impact/many_contacts.h"
#include "impact/support.h"

namespace areia::impact::test {
namespace {

using nlohmann::json;

void compare(const Impact& r, const json& expected, const std::string& where) {
  for (const auto& [name, value] : expected.items()) {
    if (name == "status") {
      EXPECT_EQ(impact::name(r.status), value.get<std::string>()) << where << ": " << r.reason;
    } else if (name == "mode") {
      EXPECT_EQ(r.mode, value.get<std::string>()) << where;
    } else if (name == "phase") {
      EXPECT_EQ(r.phase, value.get<std::string>()) << where;
    } else if (name == "points") {
      ASSERT_EQ(static_cast<std::size_t>(r.path.size), value.size()) << where;
      for (std::size_t i = 0; i < value.size(); ++i) {
        const PathPoint& p = r.path.points[i];
        const double ours[] = {p.IN, p.IT, p.DN, p.DT};
        for (int k = 0; k < 4; ++k) EXPECT_NEAR(ours[k], value[i][k].get<double>(), allowed(value[i][k])) << where << i;
      }
    } else if (name == "extra_normal") {
      EXPECT_EQ(r.extra_normal, value.get<bool>()) << where;
    } else if (name != "qdotE" && name != "omegaE") {
      EXPECT_NEAR(field(r, name), value.get<double>(), allowed(value)) << where << " " << name;
    }
  }
}

TEST(ImpactReference, SingleImpacts) {
  int runs = 0;
  for (const json& c : references()["cases"]) {
    if (c["kind"] != "impact") continue;
    for (const json& run : c["runs"]) {
      const Impact r = solve(local_of(c["local"]), pre_of(c["pre"]), model_of(run));
      compare(r, run["expected"],
              c["id"].get<std::string>() + " " + run["model"].get<std::string>() + run["params"].dump());
      ++runs;
    }
  }
  EXPECT_EQ(runs, 164);
}

// Rigid pendulum against a moving surface: one coordinate, so Delta = 0; Table 2.1 of the source.
TEST(ImpactReference, PendulumTable21) {
  int runs = 0;
  for (const json& c : references()["cases"]) {
    if (c["kind"] != "pendulum") continue;
    const json& s = c["system"];
    const double m = s["m"], L = s["L"], theta = s["theta0"], omega = s["omegaA"], v = s["v"];
    const MassMatrix M(std::vector(1, std::vector{m * L * L / 3}));
    const ContactRows W{{L * std::sin(theta)}, {L * std::cos(theta)}, {}};
    const Pre a = pre_impact(W, std::vector{omega}, {0, -v, 0});
    const LocalMass local = local_mass(M, W);
    EXPECT_TRUE(local.rank_one());
    EXPECT_NEAR(local.critical_friction(), std::tan(theta), 1e-12);
    for (const json& run : c["runs"]) {
      const Impact r = solve(local, a, model_of(run));
      compare(r, run["expected"], c["id"].get<std::string>() + " " + run["model"].get<std::string>());
      if (r.ok()) {
        const double omegaE = velocities_after(M, W, std::vector{omega}, r.I)[0];
        EXPECT_NEAR(omegaE, run["expected"]["omegaE"].get<double>(), 1e-9 * std::fabs(omegaE));
        EXPECT_NEAR(omegaE, c["table21"]["omegaE"].get<double>(), 1e-9 * std::fabs(omegaE));
        EXPECT_EQ(r.mode, c["table21"]["mode"].get<std::string>());
      }
      ++runs;
    }
  }
  EXPECT_EQ(runs, 6);
}

ContactRows rows_of(const json& c) { return {c["WN"], c["WT"], {}}; }

// Systems given by mass matrix and contact rows: Kane's double pendulum, two masses on a line.
TEST(ImpactReference, GeneralSystems) {
  int runs = 0;
  for (const json& c : references()["cases"]) {
    if (c["kind"] != "general") continue;
    const MassMatrix M(c["M"].get<std::vector<std::vector<double>>>());
    const ContactRows W = rows_of(c);
    const std::vector<double> qdotA = c["qdotA"];
    const LocalMass m = local_mass(M, W);
    const Pre a = pre_impact(W, qdotA, {c["w"][0], c["w"][1], 0});
    const LocalMass local = local_of(c["local"]);
    for (const auto member : {&LocalMass::A, &LocalMass::B, &LocalMass::C})
      EXPECT_NEAR(m.*member, local.*member, allowed(local.*member));
    EXPECT_NEAR(a.DNA, c["pre"]["DNA"].get<double>(), 1e-15);
    EXPECT_NEAR(a.DTA, c["pre"]["DTA"].get<double>(), 1e-15);
    for (const json& run : c["runs"]) {
      const Impact r = solve(m, a, model_of(run));
      const std::string where = c["id"].get<std::string>() + " " + run["model"].get<std::string>();
      compare(r, run["expected"], where);
      const std::vector<double> qdotE = velocities_after(M, W, qdotA, r.I);
      for (std::size_t i = 0; i < qdotE.size(); ++i)
        EXPECT_NEAR(qdotE[i], run["expected"]["qdotE"][i].get<double>(), allowed(qdotE[i])) << where;
      EXPECT_NEAR(r.dT, M.energy(qdotE) - M.energy(qdotA), 1e-12 * M.energy(qdotA)) << where;
      ++runs;
    }
  }
  EXPECT_EQ(runs, 11);
}

TEST(ImpactReference, SeveralContacts) {
  int cases = 0;
  for (const json& c : references()["cases"]) {
    if (c["kind"] != "multi") continue;
    const MassMatrix M(c["M"].get<std::vector<std::vector<double>>>());
    std::vector<ContactRows> W;
    for (std::size_t i = 0; i < c["WN"].size(); ++i) W.push_back({c["WN"][i], c["WT"][i], {}});
    const std::vector<double> qdotA = c["qdotA"];
    const json& x = c["expected"];
    const ManyImpact r = solve_many(M, W, qdotA, {}, model_of({{"model", "gp1"}, {"params", c["params"]}}));
    ASSERT_EQ(name(r.status), x["status"].get<std::string>());
    const auto near = [&](double ours, const json& value, const char* what) {
      EXPECT_NEAR(ours, value.get<double>(), allowed(value)) << c["id"] << what;
    };
    for (std::size_t i = 0; i < W.size(); ++i) {
      near(r.IC[i].N, x["IC"][2 * i], "IC"), near(r.IC[i].T, x["IC"][2 * i + 1], "IC");
      near(r.IE[i].N, x["IE"][2 * i], "IE"), near(r.IE[i].T, x["IE"][2 * i + 1], "IE");
      near(r.I[i].N, x["I"][2 * i], "I"), near(r.I[i].T, x["I"][2 * i + 1], "I");
      near(r.E[i].N, x["DE"][2 * i], "DE"), near(r.E[i].T, x["DE"][2 * i + 1], "DE");
    }
    for (std::size_t i = 0; i < qdotA.size(); ++i) near(r.qdotE[i], x["qdotE"][i], "qdotE");
    near(r.dT, x["dT"], "dT");
    ++cases;
  }
  EXPECT_EQ(cases, 2);
}

}  // namespace
}  // namespace areia::impact::test

// The verification: its lists are complete, its rows can fail, its pages are whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "io/files/atomic_file.h"
#include "io/temporary_folder.h"
#include "verify/report.h"

using namespace areia;
using namespace areia::verify;
using testing_support::TemporaryFolder;

TEST(Verify, RowsPassFailOrAreExplained) {
  Sheet s({});
  s.near("a", 1, 1.01, 0.02);
  s.near("b", 1, 1.03, 0.02);
  s.explained("c", 1, 2, 0.1, "misprint");
  s.explained("d", 1, 1, 0.1, "misprint");
  s.near("e", 1, std::numeric_limits<double>::quiet_NaN(), 10);
  s.near_relative("f", -10, -10.5, 0.1);
  const Verdict expected[] = {Verdict::pass, Verdict::fail, Verdict::explained,
                              Verdict::pass, Verdict::fail, Verdict::pass};
  for (int k = 0; k < 6; ++k) EXPECT_EQ(s.rows[k].verdict, expected[k]) << s.rows[k].quantity;
}

TEST(Verify, AnExampleThatStopsFails) {
  const Entry e{"x", "x", "x", {}, true, [](Sheet&) { throw StoppedError("blown up"); }};
  const Outcome o = run_entry(e, {});
  EXPECT_EQ(o.verdict(), Verdict::fail);
  EXPECT_NE(outcome_text(o).find("blown up"), std::string::npos);
  const Entry nothing{"y", "y", "y", {}, true, [](Sheet&) {}};
  EXPECT_EQ(run_entry(nothing, {}).verdict(), Verdict::fail);  // no row, no proof
}

TEST(Verify, EveryReferenceCaseIsCovered) {
  std::set<std::string> names, covered;
  const std::vector<std::string> known = reference_names();
  for (const Entry& e : entries()) {
    EXPECT_TRUE(names.insert(e.name).second) << e.name;
    for (const std::string& c : e.cases) {
      EXPECT_NE(std::find(known.begin(), known.end(), c), known.end()) << e.name << " names " << c;
      covered.insert(c);
    }
  }
  for (const std::string& c : known) EXPECT_TRUE(covered.contains(c)) << "no entry covers " << c;
}

// Small formulas are run here; the rest of a quick verification is the test verify.quick.
TEST(Verify, FormulasPass) {
  for (const Entry& e : formula_entries()) {
    const Outcome o = run_entry(e, {});
    EXPECT_EQ(o.verdict(), Verdict::pass) << outcome_text(o);
  }
}

TEST(Verify, ReportHasPagesAndPlots) {
  const TemporaryFolder folder;
  const Entry e{
      "one", "A <title> & more", "source", {}, true, [](Sheet& s) {
        s.near("a | b", 1, 1, 0.1);
        s.explained("c", 1, 2, 0.1, "told wrong");
        s.plot({"plot", "x", "y", {{"line", {0, 1, 2}, {0, NAN, 4}}, {"dots", {1}, {2}, Curve::Look::points}}});
      }};
  std::vector<Outcome> all;
  all.push_back(run_entry(e, {}));
  write_report(folder.path() / "report", all, {"areia verify", "a machine", "today", 1});
  const std::string md = read_file(folder.path() / "report/index.md");
  const std::string html = read_file(folder.path() / "report/index.html");
  const std::string svg = read_file(folder.path() / "report/one-1.svg");
  EXPECT_NE(md.find("a \\| b"), std::string::npos);
  EXPECT_NE(md.find("told wrong"), std::string::npos);
  EXPECT_NE(md.find("(one-1.svg)"), std::string::npos);
  EXPECT_NE(html.find("A &lt;title&gt; &amp; more"), std::string::npos);
  EXPECT_NE(html.find("</html>"), std::string::npos);
  EXPECT_NE(svg.find("<circle"), std::string::npos);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(Verify, PlotsOfOddDataAreSound) {
  for (const Plot& p : {Plot{"empty", "x", "y", {}}, Plot{"one", "x", "y", {{"a", {1}, {1}}}},
                        Plot{"same", "x", "y", {{"a", {1, 2}, {0, 0}}}},
                        Plot{"log", "x", "y", {{"a", {1e-6, 1e-3, 0}, {1, 2, 3}}}, true}}) {
    const std::string svg = svg_plot(p);
    EXPECT_EQ(svg.find("nan"), std::string::npos) << p.title;
    EXPECT_EQ(svg.find("inf"), std::string::npos) << p.title;
  }
}

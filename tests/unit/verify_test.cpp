// The verification: its lists are complete, its rows can fail, its pages are whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "io/files/atomic_file.h"
#include "io/temporary_folder.h"
#include "verify/report.h"
#include "verify/sources.h"

using namespace areia;
using namespace areia::verify;
using testing_support::TemporaryFolder;

TEST(Verify, RowsPassFailOrAreExplained) {
  Sheet s({});
  const Proof misprint{"misprint", {less("{} is less than {}", 1, 2)}};
  s.near("a", 1, 1.01, 0.02);
  s.near("b", 1, 1.03, 0.02);
  s.explained("c", 1, 2, 0.1, misprint);
  s.explained("d", 1, 1, 0.1, misprint);
  s.near("e", 1, std::numeric_limits<double>::quiet_NaN(), 10);
  s.near_relative("f", -10, -10.5, 0.1);
  const Verdict expected[] = {Verdict::pass, Verdict::fail, Verdict::explained,
                              Verdict::pass, Verdict::fail, Verdict::pass};
  for (int k = 0; k < 6; ++k) EXPECT_EQ(s.rows[k].verdict, expected[k]) << s.rows[k].quantity;
}

// A sentence explains nothing: numbers do, and only those that hold.
TEST(Verify, AnExplanationIsHeldAgainstItsNumbers) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  Sheet s({});
  s.explained("only words", 1, 2, 0.1, {"chaotic", {}});
  s.explained("a claim that fails", 1, 2, 0.1, {"cannot be", {less("{} < {}", 1, 2), more("{} > {}", 1, 2)}});
  s.explained("no number", 1, 2, 0.1, {"cannot be", {more("{} > {}", kNone, 2)}});
  s.explained("not equal", 1, 2, 0.1, {"comes from a slip", {equal("{}, {}", 1.2, 1, 0.1)}});
  for (const Row& r : s.rows) EXPECT_EQ(r.verdict, Verdict::fail) << r.quantity;
  EXPECT_NE(s.rows[1].note.find("does not hold: 1 > 2"), std::string::npos);
  s.explained("equal", 1, 2, 0.1, {"comes from a slip", {equal("{}, {}", 1.05, 1, 0.1)}});
  EXPECT_EQ(s.rows.back().verdict, Verdict::explained);
}

// Runs that scatter by 0.001 and are off by 0.03 do not reproduce; what was tried has to be told.
TEST(Verify, WhatIsOffByMoreThanItScattersIsNotReproduced) {
  Spread narrow, wide;
  for (const double v : {0.029, 0.030, 0.031}) narrow.add(v);
  for (const double v : {-0.02, 0.03, 0.08}) wide.add(v);
  Sheet s({});
  s.statistical("narrow", 0, narrow, 0, {{"half the step", 0.0302}});
  s.statistical("wide", 0, wide, 0, {{"half the step", 0.02}});
  s.statistical("within the digits", 0, narrow, 0.05, {});
  s.statistical("nothing tried", 0, narrow, 0, {});
  s.attempted("gone", 0, std::numeric_limits<double>::quiet_NaN(), 1, {{"half the step", 0}});
  const Verdict expected[] = {Verdict::not_reproduced, Verdict::pass, Verdict::pass, Verdict::fail, Verdict::fail};
  for (int k = 0; k < 5; ++k) EXPECT_EQ(s.rows[k].verdict, expected[k]) << s.rows[k].quantity;
  const Entry e{"x", "x", "theory manual", {}, true, nullptr};
  Outcome o{&e, s};
  EXPECT_NE(outcome_text(o).find("tried half the step: 0.0302"), std::string::npos);
  EXPECT_EQ(outcome_json(o)["rows"][0]["verdict"], "not reproduced");
  EXPECT_EQ(outcome_json(o)["rows"][0]["tried"][0]["value"], 0.0302);
}

TEST(Verify, EveryEntryNamesItsSourceInFull) {
  std::set<std::string> named;
  for (const Entry& e : entries()) {
    for (const Work* w : works_in(e.source)) named.insert(w->key);
    EXPECT_FALSE(works_in(e.source).empty()) << e.name << ": " << e.source;
    EXPECT_EQ(source_text(e.source).find("000"), std::string::npos) << e.name;
  }
  for (const Work& w : works()) {
    EXPECT_TRUE(named.contains(w.key)) << w.key << " is named by no entry";
    EXPECT_GT(w.citation.size(), 40u) << w.key;
    EXPECT_TRUE(w.doi.empty() || w.doi.starts_with("10.")) << w.key;
  }
  EXPECT_EQ(source_text("000 (2.67), table of 1000"), "Campello (2016) (2.67), table of 1000");
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
      "one", "A <title> & more", "Haff 1983", {}, true, [](Sheet& s) {
        s.near("a | b", 1, 1, 0.1);
        s.explained("c", 1, 2, 0.1, {"told wrong", {more("{} is above {}", 3, 2)}});
        s.explained("d", 1, 2, 0.1, {"told wrong", {more("{} is above {}", 3, 2)}});
        s.plot({"plot", "x", "y", {{"line", {0, 1, 2}, {0, NAN, 4}}, {"dots", {1}, {2}, Curve::Look::points}}});
      }};
  std::vector<Outcome> all;
  all.push_back(run_entry(e, {}));
  write_report(folder.path() / "report", report_json(all, {"areia verify", "a machine", "today", 1}));
  const std::string md = read_file(folder.path() / "report/index.md");
  const std::string html = read_file(folder.path() / "report/index.html");
  const std::string svg = read_file(folder.path() / "report/one-1.svg");
  EXPECT_NE(md.find("a \\| b"), std::string::npos);
  EXPECT_NE(md.find("* c; d: told wrong: 3 is above 2\n"), std::string::npos) << "one reason, told once";
  EXPECT_NE(md.find("(one-sketch.svg)"), std::string::npos);
  EXPECT_NE(md.find("Journal of Fluid Mechanics 134"), std::string::npos);
  EXPECT_NE(html.find("https://doi.org/10.1017/S0022112083003419"), std::string::npos);
  EXPECT_NE(md.find("(one-1.svg)"), std::string::npos);
  EXPECT_NE(html.find("A &lt;title&gt; &amp; more"), std::string::npos);
  EXPECT_NE(html.find("</html>"), std::string::npos);
  EXPECT_NE(svg.find("<circle"), std::string::npos);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

// Of an example in two reports the later one counts; a page of parts says who computed what.
TEST(Verify, ReportsAreJoined) {
  const TemporaryFolder folder;
  const auto named = [](const std::string& name) {
    return *std::find_if(entries().begin(), entries().end(), [&](const Entry& e) { return e.name == name; });
  };
  Entry a = named("wall-moduli"), b = named("rodrigues-composition");
  a.run = b.run = [](Sheet& s) {
    s.near("first", 1, 1, 0.1);
    s.plot({"plot", "x", "y", {{"line", {0, 1}, {0, NAN}}, {"dots", {1}, {2}, Curve::Look::points}}});
  };
  std::vector<Outcome> both, one;
  both.push_back(run_entry(b, {}));
  both.push_back(run_entry(a, {}));
  a.run = [](Sheet& s) { s.near("second", 1, std::numeric_limits<double>::quiet_NaN(), 0.1); };
  one.push_back(run_entry(a, {}));
  write_report(folder.path() / "x", report_json(both, {"areia verify b a", "machine x", "monday", 1}));
  write_report(folder.path() / "y", report_json(one, {"areia verify a", "machine y", "tuesday", 2}));
  const Json all = joined({read_report(folder.path() / "x"), read_report(folder.path() / "y")}, {"join", "z", "today"});
  ASSERT_EQ(all["examples"].size(), 2u);
  EXPECT_EQ(all["examples"][0]["name"], "wall-moduli");  // in the order of the list
  EXPECT_EQ(all["examples"][0]["rows"][0]["quantity"], "second");
  EXPECT_EQ(all["examples"][1]["rows"][0]["quantity"], "first");
  EXPECT_EQ(all["parts"][all["examples"][0]["part"].get<int>()]["machine"], "machine y");
  EXPECT_EQ(all["parts"][all["examples"][1]["part"].get<int>()]["machine"], "machine x");
  EXPECT_EQ(all["fail"], 1);
  EXPECT_EQ(all["seconds"], 3);
  write_report(folder.path() / "z", all);
  EXPECT_EQ(read_report(folder.path() / "z"), all);
  EXPECT_NE(read_file(folder.path() / "z/index.md").find("areia verify a; Areia"), std::string::npos);
  EXPECT_NE(read_file(folder.path() / "z/rodrigues-composition-1.svg").find("<circle"), std::string::npos);
  // a report of which nothing is left is no part
  EXPECT_EQ(joined({report_json(one, {"areia verify a", "machine y", "tuesday", 2}), all}, {})["parts"].size(), 2u);
}

TEST(Verify, WhatIsNoReportIsNotJoined) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_report(folder.path()), InputError);
  std::vector<Outcome> one;
  one.push_back(run_entry(entries().front(), {}));
  const Json good = report_json(one, {"areia verify", "machine", "monday", 1});
  const auto refused = [&](const std::string& text) {
    write_file_atomically(folder.path() / kReportData, text);
    EXPECT_THROW(read_report(folder.path()), InputError) << text.substr(0, 60);
  };
  refused("");
  refused("[1, 2]");
  refused("{\"areia_verification\": 1}");
  for (const auto& [path, value] : std::vector<std::pair<std::string, Json>>{{"/examples/0/rows/0/quantity", 3},
                                                                             {"/examples/0/rows/0/ours", "x"},
                                                                             {"/examples/0/plots", {1}},
                                                                             {"/examples/0/part", 7},
                                                                             {"/examples/0/name", "no-such-example"},
                                                                             {"/seconds", "x"},
                                                                             {"/areia_verification", 2}}) {
    Json bad = good;
    bad[Json::json_pointer(path)] = value;
    refused(bad.dump());
  }
  write_file_atomically(folder.path() / kReportData, good.dump());
  EXPECT_EQ(read_report(folder.path()), good);
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

TEST(Verify, SketchesAreDrawn) {
  Frame f;
  EXPECT_NE(sketch_of(f, {}).svg().find("</svg>"), std::string::npos);  // nothing to draw
  f.particles.x = {{0, 0, 0}, {0, 0, 5}, {0, 0, 10}};
  f.particles.v = {{1, 0, 0}, {}, {}};
  f.particles.radius = {1, 1, 1};
  const std::string svg = sketch_of(f, {0, 0, -9.81}).svg();
  EXPECT_EQ(std::count(svg.begin(), svg.end(), '\n') > 5, true);
  EXPECT_NE(svg.find("1 m/s"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  const auto circles = [](const std::string& text) {
    int n = 0;
    for (std::size_t at = text.find("<circle"); at != std::string::npos; at = text.find("<circle", at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(circles(svg), 3) << "gravity points down in the picture, so the column is seen from the side";
  f.particles.x = {{0, 0, 0}, {0, 0.01, 0}, {0, 0.02, 0}};
  f.particles.v = {{1, 0, 1}, {1, 0, 1}, {1, 0, 1}};
  EXPECT_EQ(circles(sketch_of(f, {0, 0, -9.81}).svg()), 1) << "what is hidden is left out";
}

// The sheet of one verified example: rows that put the source's value beside ours, and curves to look at.
#pragma once
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "areia/areia.h"
#include "verify/sketch.h"

namespace areia::verify {

// From best to worst. `explained` is for a value that cannot be met, for a reason shown by numbers; `not_reproduced`
// for one that another program printed and this one does not give, whatever was tried.
enum class Verdict { pass, explained, not_reproduced, fail };

// A number as the pages write it.
std::string number_text(double v);

// A statement about two numbers that the program holds against each other: what an explanation is made of.
struct Claim {
  enum class Relation { equal, more, less };
  std::string what;  // "{} by (2.67), {} is printed" : where the numbers go
  double value = 0, other = 0;
  Relation relation = Relation::equal;
  double tolerance = 0;  // of an equality, absolute

  bool holds() const;  // false where a number is not finite
  std::string text() const;
};
// value = other within the tolerance; value > other; value < other.
Claim equal(std::string what, double value, double other, double tolerance);
Claim more(std::string what, double value, double other);
Claim less(std::string what, double value, double other);

// Why a printed value cannot be met: a sentence, and the claims that bear it.
struct Proof {
  std::string reason;
  std::vector<Claim> claims;
};

// What was changed in the hope of meeting the source, and the value that came of it.
struct Attempt {
  std::string what;
  double value = 0;
};

struct Row {
  std::string quantity;
  double source = 0, ours = 0;
  double tolerance = 0;  // absolute
  Verdict verdict = Verdict::fail;
  std::string note;  // the reason where explained, for the reader to check; what was tried where not reproduced
  std::vector<Claim> claims;
  std::vector<Attempt> attempts;
  int ran = -1;  // the case that ran last before it, in Sheet::ran; -1: none
};

// A case that an example ran, as it wrote it.
struct RanCase {
  std::string text;
  std::vector<std::string> set;  // path=value, as on the command line
  bool lab = false;              // for `areia impact run`; else for `areia run`

  bool operator==(const RanCase&) const = default;
};
inline constexpr std::size_t kMostCases = 64;  // that are kept: statistical examples and sweeps run many

struct Curve {
  enum class Look { line, points };
  std::string label;
  std::vector<double> x, y;
  Look look = Look::line;  // values of a source are drawn as points
};

struct Plot {
  std::string title, x_label, y_label;
  std::vector<Curve> curves;
  bool log_x = false;
};

struct Options {
  bool full = false;
  int threads = 1;  // of the larger examples
  int seeds = 0;    // of statistical examples; 0: each its own number
};

// One value of a statistical example, from run to run.
class Spread {
 public:
  void add(double v) { values_.push_back(v); }
  double mean() const {
    return std::accumulate(values_.begin(), values_.end(), 0.0) / static_cast<double>(values_.size());
  }
  double std() const {
    const double m = mean();
    double squares = 0;
    for (const double v : values_) squares += (v - m) * (v - m);
    return values_.size() > 1 ? std::sqrt(squares / static_cast<double>(values_.size() - 1)) : 0;
  }
  std::size_t size() const { return values_.size(); }

 private:
  std::vector<double> values_;
};

class Sheet {
 public:
  explicit Sheet(Options options) : options_(options) {}

  // A value that must agree: |source - ours| <= tolerance.
  void near(std::string quantity, double source, double ours, double tolerance, std::string note = "");
  void near_relative(std::string quantity, double source, double ours, double tolerance, std::string note = "") {
    near(std::move(quantity), source, ours, tolerance * std::fabs(source), std::move(note));
  }
  // A printed value that cannot be met; passes all the same where it is. Fails where the proof has no claims or one of
  // them does not hold.
  void explained(std::string quantity, double source, double ours, double tolerance, const Proof& proof);
  // A printed value that may be missed; what was tried is told. Fails where nothing was.
  void attempted(std::string quantity, double source, double ours, double tolerance, std::vector<Attempt> attempts);
  // One run of a chaotic system in the source, several of ours: agrees within twice the deviation from run to run, or
  // within `least`, what the source's digits or its own schemes leave open.
  void statistical(std::string quantity, double source, const Spread& ours, double least,
                   std::vector<Attempt> attempts);
  void remark(std::string text) { remarks.push_back(std::move(text)); }
  void plot(Plot p) { plots.push_back(std::move(p)); }
  void row(Row r);
  void note(RanCase c) const;  // `small` and `large` do it themselves
  // The picture of the example; without a call, that of the first case it runs.
  void sketch(const Sketch& drawing) { picture = drawing.svg(); }

  const Options& options() const { return options_; }
  int seeds(int preset) const { return options_.seeds > 0 ? options_.seeds : preset; }
  // Small examples run on one thread, larger ones on as many as were asked for; the numbers are the same.
  Simulation small(std::string_view toml, const std::vector<std::string>& set = {}) const;
  Simulation large(std::string_view toml, const std::vector<std::string>& set = {}) const;

  std::vector<Row> rows;
  std::vector<Plot> plots;
  std::vector<std::string> remarks;
  mutable std::vector<RanCase> ran;  // in order, each once
  mutable std::string picture;       // SVG; set by the first case that runs, even where the sheet is only read

 private:
  Options options_;
  mutable int last_ran_ = -1;
};

// A reference case of the specification: inputs, expected values, tolerance.
const nlohmann::json& reference_case(const std::string& name);
// Names of all of them.
std::vector<std::string> reference_names();
// The reference cases of planar collisions: tests/data/impact.json, which has a shape of its own.
const nlohmann::json& impact_references();

// Text of src/verify/cases/NAME.toml.
std::string_view case_text(const std::string& name);

// --- running small cases ---------------------------------------------------------------------------------------------
template <class F>
void watch(Simulation& s, F&& look) {
  while (!s.finished()) {
    s.advance(1);
    look(s.frame());
  }
}

inline Frame last_frame(Simulation s) {
  while (!s.finished()) s.advance(1 << 20);
  return s.frame();
}

// A sample of a curve now and then, so that plots stay small.
class Thinned {
 public:
  Thinned(std::string label, double interval) : interval_(interval) { curve_.label = std::move(label); }
  void add(double x, double y) {
    if (!curve_.x.empty() && x < curve_.x.back() + interval_ * (1 - 1e-9)) return;
    curve_.x.push_back(x);
    curve_.y.push_back(y);
  }
  const Curve& curve() const { return curve_; }

 private:
  double interval_;
  Curve curve_;
};

}  // namespace areia::verify

// The sheet of one verified example: rows that put the source's value beside ours, and curves to look at.
#pragma once
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "areia/areia.h"

namespace areia::verify {

enum class Verdict { pass, explained, fail };

struct Row {
  std::string quantity;
  double source = 0, ours = 0;
  double tolerance = 0;  // absolute
  Verdict verdict = Verdict::fail;
  std::string note;  // where explained: the reason, for the reader to check
};

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

class Sheet {
 public:
  explicit Sheet(Options options) : options_(options) {}

  // A value that must agree: |source - ours| <= tolerance.
  void near(std::string quantity, double source, double ours, double tolerance, std::string note = "");
  void near_relative(std::string quantity, double source, double ours, double tolerance, std::string note = "") {
    near(std::move(quantity), source, ours, tolerance * std::fabs(source), std::move(note));
  }
  // A printed value that need not be met, for the reason given; passes all the same where it is.
  void explained(std::string quantity, double source, double ours, double tolerance, std::string reason);
  void remark(std::string text) { remarks.push_back(std::move(text)); }
  void plot(Plot p) { plots.push_back(std::move(p)); }

  const Options& options() const { return options_; }
  int seeds(int preset) const { return options_.seeds > 0 ? options_.seeds : preset; }
  // Small examples run on one thread, larger ones on as many as were asked for; the numbers are the same.
  Simulation small(std::string_view toml, const std::vector<std::string>& set = {}) const;
  Simulation large(std::string_view toml, const std::vector<std::string>& set = {}) const;

  std::vector<Row> rows;
  std::vector<Plot> plots;
  std::vector<std::string> remarks;

 private:
  Options options_;
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

 private:
  std::vector<double> values_;
};

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

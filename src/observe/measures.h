// Measures: what a case may have measured while it runs, each as a file NAME.csv of its own.
//
// A measure is one file of this folder, one enumerator of Measure::Kind and one line in measures.cpp. The file defines
// a MeasureInfo: its name in the case file, its rules, and a gauge that turns frames into lines. Columns and values
// come from one table (Columns<R>), so that a column cannot be without its value.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "areia/observe.h"
#include "scene/rules/rules.h"

namespace areia {

// Turns frames, in the order of time, into the numbers of one measure: a sample of each frame, and lines from the
// sample or from the mean of several. A mean over time is taken of the sample, so a measure that divides (momentum by
// mass) samples both and divides afterwards. All samples of a gauge are of one length.
class Gauge {
 public:
  virtual ~Gauge() = default;
  virtual std::vector<std::string> columns() const = 0;
  virtual std::vector<double> sample(const Frame& frame) = 0;
  // The values of the columns, line after line.
  virtual std::vector<double> values(const std::vector<double>& sample) const { return sample; }
  // `frame` is the last one that was sampled.
  virtual FieldPicture picture(const Frame& /*frame*/, const std::vector<double>& /*sample*/) const { return {}; }
  // What the next line depends on beside the frame, under names that begin with `key`.
  virtual void save(Archive&, const std::string& /*key*/) const {}
  virtual void load(const Archive&, const std::string& /*key*/) {}
};

struct MeasureInfo {
  Measure::Kind kind;
  const char* name;  // in case files
  bool of_contacts;  // looks at lasting contacts, which hard spheres do not have
  void (*check)(Rules& rules, const std::string& key, const Measure& m);  // rules of its own; null: none
  std::unique_ptr<Gauge> (*gauge)(const Measure& m, const Case& c);
  const char* picture = nullptr;  // ending of its VTK files, if it has any
  bool adds_up = false;           // since the start: it has no mean over time
};

// All of them, in the order of Measure::Kind.
std::span<const MeasureInfo* const> all_measures();
const MeasureInfo& measure_info(Measure::Kind kind);

// The rules of [output.measure.NAME].
void check_measures(Rules& rules);

// --- columns ---------------------------------------------------------------------------------------------------------
// The columns of a result R, each with the function that takes its value from the result.
template <class R>
struct Column {
  std::string name;  // ends with the unit; a count has none
  std::function<double(const R&)> value;
};
template <class R>
using Columns = std::vector<Column<R>>;

template <class R>
Columns<R> operator+(Columns<R> a, const Columns<R>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// The components of a tensor, row by row; of a symmetric one the upper triangle.
template <class R>
Columns<R> tensor_columns(const std::string& symbol, const std::string& unit, Tensor R::*tensor, bool symmetric) {
  Columns<R> all;
  for (int a = 0; a < 3; ++a)
    for (int b = symmetric ? a : 0; b < 3; ++b)
      all.push_back({symbol + "xyz"[a] + "xyz"[b] + unit,
                     [=](const R& r) { return component((r.*tensor)[static_cast<std::size_t>(a)], b); }});
  return all;
}

template <class R>
std::vector<std::string> names_of(const Columns<R>& columns) {
  std::vector<std::string> names;
  for (const Column<R>& c : columns) names.push_back(c.name);
  return names;
}
template <class R>
std::vector<double> values_of(const Columns<R>& columns, const R& result) {
  std::vector<double> values;
  for (const Column<R>& c : columns) values.push_back(c.value(result));
  return values;
}

// The gauge of a measure that remembers nothing: a function of the frame.
template <class R>
class FrameGauge : public Gauge {
 public:
  FrameGauge(Columns<R> columns, std::function<R(const Frame&)> measure)
      : columns_(std::move(columns)), measure_(std::move(measure)) {}
  std::vector<std::string> columns() const override { return names_of(columns_); }
  std::vector<double> sample(const Frame& frame) override { return values_of(columns_, measure_(frame)); }

 private:
  Columns<R> columns_;
  std::function<R(const Frame&)> measure_;
};

}  // namespace areia

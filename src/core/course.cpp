#include "areia/course.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace areia {

double value_at(const Course& c, double t) {
  switch (c.kind) {
    case Course::Kind::constant:
      return c.value;
    case Course::Kind::ramp:
      return t <= 0 ? c.from : t >= c.over ? c.to : c.from + (c.to - c.from) * (t / c.over);
    case Course::Kind::table: {
      if (c.table.empty()) return 0;
      const auto after = std::upper_bound(c.table.begin(), c.table.end(), t,
                                          [](double time, const CourseRow& row) { return time < row.time; });
      if (after == c.table.begin()) return c.table.front().value;
      if (after == c.table.end()) return c.table.back().value;
      const CourseRow &a = after[-1], &b = *after;
      return a.value + (b.value - a.value) * ((t - a.time) / (b.time - a.time));
    }
    case Course::Kind::formula:
      return c.formula.at(std::max(0.0, t)).value;
  }
  return 0;
}

CourseBounds bounds_of(const Formula& formula, double until) {
  constexpr int kSamples = 10000;
  CourseBounds b{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (int k = 0; k <= kSamples; ++k) {
    const Formula::Value v = formula.at(until * k / kSamples);
    b.finite = b.finite && std::isfinite(v.value) && std::isfinite(v.rate);
    b.least = std::min(b.least, v.value);
    b.most = std::max(b.most, v.value);
    b.fastest = std::max(b.fastest, std::fabs(v.rate));
  }
  return b;
}

CourseBounds bounds_of(const Course& c, double until) {
  switch (c.kind) {
    case Course::Kind::constant:
      return {c.value, c.value, 0};
    case Course::Kind::ramp:
      return {std::min(c.from, c.to), std::max(c.from, c.to), c.over > 0 ? std::fabs(c.to - c.from) / c.over : 0};
    case Course::Kind::table: {
      CourseBounds b{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
      for (std::size_t k = 0; k < c.table.size(); ++k) {
        b.least = std::min(b.least, c.table[k].value);
        b.most = std::max(b.most, c.table[k].value);
        if (k > 0)
          b.fastest = std::max(
              b.fastest, std::fabs(c.table[k].value - c.table[k - 1].value) / (c.table[k].time - c.table[k - 1].time));
      }
      return b;
    }
    case Course::Kind::formula:
      return bounds_of(c.formula, until);
  }
  return {};
}

}  // namespace areia

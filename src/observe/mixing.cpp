// Lacey's mixing index of two groups over the cubic cells of a grid through the origin that hold particles.
//   share p = n_a/N, variance s^2 = sum_k n_k (c_k - p)^2 / N with c_k the share in cell k of n_k particles,
//   separated s_0^2 = p (1-p), random s_r^2 = p (1-p) (K-1)/(N-1): the mean over all ways to deal N labels to K cells,
//   index = (s_0^2 - s^2)/(s_0^2 - s_r^2).
// By mass, n is the mass of the particles, and N in s_r^2 becomes the number of equal particles whose random mixtures
// scatter as much. In a sample of mass m with masses A and B of the two, x = A/(A+B) varies by dx = ((1-p) dA - p
// dB)/m, and A by <dA^2> = A m_a with m_a = sum_a m^2 / sum_a m (numbers that scatter like Poisson's), so (Stange 1954)
//   <dx^2> = p (1-p) ((1-p) m_a + p m_b)/m,   N = sum m / ((1-p) m_a + p m_b); for equal masses the number itself.
#include <cmath>
#include <limits>
#include <map>

#include "observe/measures.h"
#include "observe/selection.h"
#include "search/cell_number.h"

namespace areia {

MixingIndex mixing_index(const Frame& frame, const Selection& first, const std::string& second_group, double cell,
                         Measure::Weight weight) {
  const FrameParticles& p = frame.particles;
  const std::int32_t a = group_number(frame, first.group), b = group_number(frame, second_group);
  const Selection both{"", first.region};
  const auto counts = [&](std::size_t k) { return p.group[k] == a || p.group[k] == b; };

  MixingIndex m;
  double radii = 0;
  for_each_selected(frame, both, [&](std::size_t k) {
    if (!counts(k)) return;
    ++m.count;
    radii += p.radius[k];
  });
  if (cell <= 0) cell = 8 * radii / static_cast<double>(m.count);
  const bool by_mass = weight == Measure::Weight::mass;

  struct Cell {
    double all = 0, first = 0;
  };
  std::map<std::array<std::int64_t, 3>, Cell> cells;
  double all = 0, of_first = 0, squares_first = 0, squares_second = 0;
  for_each_selected(frame, both, [&](std::size_t k) {
    if (!counts(k)) return;
    const auto place = [&](double x) { return cell_number(x / cell); };
    Cell& c = cells[{place(p.x[k].x), place(p.x[k].y), place(p.x[k].z)}];
    const double amount = by_mass ? p.mass[k] : 1;
    c.all += amount;
    all += amount;
    (p.group[k] == a ? squares_first : squares_second) += amount * amount;
    if (p.group[k] != a) return;
    c.first += amount;
    of_first += amount;
  });
  m.cells = static_cast<std::int64_t>(cells.size());
  m.share = of_first / all;
  for (const auto& [place, c] : cells) {
    const double off = c.first / c.all - m.share;
    m.variance += c.all * off * off / all;
  }
  const double separated = m.share * (1 - m.share);
  const double n = by_mass && separated > 0
                       ? all / ((1 - m.share) * squares_first / of_first + m.share * squares_second / (all - of_first))
                       : static_cast<double>(m.count);
  const double random = separated * (static_cast<double>(m.cells) - 1) / (n - 1);
  m.index = separated > random ? (separated - m.variance) / (separated - random)
                               : std::numeric_limits<double>::quiet_NaN();  // one group alone, or one to a cell
  return m;
}

extern const MeasureInfo kMixing;
const MeasureInfo kMixing{Measure::Kind::mixing, "mixing", false,
                          [](Rules& r, const std::string& key, const Measure& m) {
                            if (m.group.empty())
                              r.add(key + ".group", "", "is missing: the first of the two groups that mix");
                            if (m.other_group.empty())
                              r.add(key + ".other_group", "", "is missing: the second of the two groups that mix");
                            if (!m.group.empty() && m.group == m.other_group)
                              r.add(key + ".other_group", fmt::format("\"{}\"", m.other_group),
                                    "must differ from `group`");
                          },
                          [](const Measure& m, const Case&) -> std::unique_ptr<Gauge> {
                            using M = MixingIndex;
                            Columns<M> columns{{"particles", [](const M& x) { return static_cast<double>(x.count); }},
                                               {"cells", [](const M& x) { return static_cast<double>(x.cells); }},
                                               {"share", [](const M& x) { return x.share; }},
                                               {"variance", [](const M& x) { return x.variance; }},
                                               {"index", [](const M& x) { return x.index; }}};
                            return std::make_unique<FrameGauge<M>>(columns, [m](const Frame& f) {
                              return mixing_index(f, {m.group, m.region}, m.other_group, m.cell, m.weight);
                            });
                          }};

}  // namespace areia

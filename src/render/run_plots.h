// The plots of a run: every series over time, curves of one unit together, and the energy ledger.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "io/series/series_table.h"
#include "render/plot.h"

namespace areia {

struct RunPlot {
  std::string name;  // of the series, or "ledger"
  std::vector<plot::Panel> panels;
  int columns() const { return panels.size() > 1 ? 2 : 1; }
};

// The ledger first, then the series by name. Tables that are no series over time (their first column does not rise) are
// left out. Throws FileError where one is damaged.
std::vector<RunPlot> run_plots(const std::filesystem::path& results);

// What is stored and what was dissipated as areas above each other, what was supplied as a dashed line, and the
// residual between them as a share of the energy turned over.
std::vector<plot::Panel> ledger_panels(const SeriesTable& energy);

// "floor.force_x_N": what it is ("floor.force x"), and its unit ("N").
struct ColumnLabel {
  std::string name, unit;
};
ColumnLabel column_label(const std::string& column);

}  // namespace areia

// areia plot: columns of the series of a results folder against each other, as SVG.
#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <string_view>

#include "app/commands.h"
#include "app/print.h"
#include "app/results.h"
#include "core/suggest.h"
#include "io/files/atomic_file.h"
#include "io/files/line_pieces.h"
#include "io/files/manifest.h"
#include "io/series/series.h"
#include "render/plot.h"

namespace areia::app {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string results, x = "energy.time_s", out;
  std::vector<std::string> y;
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
  bool log_x = false, overwrite = false;
};

struct Series {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> values;  // column by column
};

Series read_series(const fs::path& path) {
  const std::string text = read_file(path);
  Series s;
  std::vector<std::string_view> pieces;
  for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    io::split_at_commas(std::string_view(text).substr(at, end - at), pieces);
    if (s.columns.empty()) {
      s.columns.assign(pieces.begin(), pieces.end());
      s.values.resize(pieces.size());
      continue;
    }
    if (pieces.size() != s.columns.size()) throw FileError(fmt::format("{}: a line has other columns", path.string()));
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      double value = std::numeric_limits<double>::quiet_NaN();  // words, and what does not exist
      io::read_number(pieces[k], value);
      s.values[k].push_back(value);
    }
  }
  return s;
}

// The values of SERIES.COLUMN.
class Book {
 public:
  explicit Book(fs::path folder) : folder_(std::move(folder)) {}
  const std::vector<double>& of(const std::string& option, const std::string& name) {
    const std::string series = name.substr(0, name.find('.'));
    const fs::path path = series_file(folder_, series);
    if (!read_.contains(series)) {
      if (series == name || !fs::is_regular_file(path))
        throw InputError(
            option, name,
            fmt::format("is no column of a series in {}: write SERIES.COLUMN, as energy.kinetic_J", folder_.string()));
      read_[series] = read_series(path);
    }
    const Series& s = read_[series];
    const std::string column = name.substr(series.size() + 1);
    const auto found = std::find(s.columns.begin(), s.columns.end(), column);
    if (found == s.columns.end()) {
      std::string there;
      for (const std::string& c : s.columns) there += (there.empty() ? "" : ", ") + c;
      throw InputError(option, name,
                       fmt::format("{} has no such column{}; there are {}", path.filename().string(),
                                   suggestion(column, s.columns), there));
    }
    return s.values[static_cast<std::size_t>(found - s.columns.begin())];
  }

 private:
  fs::path folder_;
  std::map<std::string, Series> read_;
};

// Where the time is not between two values, there is a gap.
void leave_out(const std::vector<double>& time, double from, double to, std::vector<double>& x) {
  for (std::size_t k = 0; k < x.size(); ++k)
    if (!(time[k] >= from && time[k] <= to)) x[k] = std::numeric_limits<double>::quiet_NaN();
}

int draw(const Arguments& a) {
  require_folder(a.results);
  const fs::path out = a.out.empty() ? file_beside(a.results, "svg") : fs::path(a.out);
  refuse_existing(out, "--out", a.overwrite);
  Book book{fs::path(a.results)};
  const auto column_of = [](const std::string& name) { return name.substr(name.find('.') + 1); };
  std::vector<plot::Panel> panels;
  for (const std::string& names : a.y) {
    plot::Panel panel;
    panel.x_label = column_of(a.x);
    panel.log_x = a.log_x;
    std::vector<std::string_view> pieces;
    io::split_at_commas(names, pieces);
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      const std::string name(pieces[k]);
      plot::Line line;
      line.x = book.of("--x", a.x);
      line.y = book.of("--y", name);
      line.colour = plot::colour(k);
      if (line.x.size() != line.y.size())
        throw InputError("--y", name,
                         fmt::format("has {} lines and {} has {}: they are of different series, and not "
                                     "of the same times",
                                     line.y.size(), a.x, line.x.size()));
      leave_out(book.of("--x", a.x.substr(0, a.x.find('.')) + ".time_s"), a.from, a.to, line.x);
      if (pieces.size() > 1) line.label = column_of(name);
      panel.y_label = pieces.size() > 1 ? "" : column_of(name);
      panel.lines.push_back(std::move(line));
    }
    panels.push_back(std::move(panel));
  }
  write_file_atomically(out, plot::svg_page(panels, panels.size() > 1 ? 2 : 1, ""));
  print("{}\n", out.string());
  return kDone;
}

}  // namespace

void add_plot(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* c = app.add_subcommand("plot", "draw columns of the series of a run against each other, as SVG");
  c->add_option("results", a->results, "results folder of a run")->required();
  c->add_option("--x", a->x, "SERIES.COLUMN to the right; default: the time");
  c->add_option("--y", a->y, "SERIES.COLUMN upwards, several separated by commas; a panel for each --y")->required();
  c->add_option("--from", a->from, "leave out what was before this time, s")->check(finite_number());
  c->add_option("--to", a->to, "leave out what comes after this time, s")->check(finite_number());
  c->add_flag("--log-x", a->log_x, "powers of ten to the right");
  c->add_option("--out", a->out, "file to write; default: the folder's name with .svg");
  c->add_flag("--overwrite", a->overwrite, "replace the file to write if it is there");
  c->callback([a, &exit_code] { exit_code = draw(*a); });
}

}  // namespace areia::app

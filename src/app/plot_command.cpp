// areia plot: all series of a results folder and its energy ledger, or chosen columns against each other, as SVG and
// PNG.
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
#include "io/series/series_table.h"
#include "render/plot.h"
#include "render/run_plots.h"

namespace areia::app {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string results, x = "energy.time_s", out;
  std::vector<std::string> y;
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
  bool log_x = false, overwrite = false;
};

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
    const SeriesTable& s = read_[series];
    const std::string column = name.substr(series.size() + 1);
    const auto found = std::find(s.names.begin(), s.names.end(), column);
    if (found == s.names.end()) {
      std::string there;
      for (const std::string& c : s.names) there += (there.empty() ? "" : ", ") + c;
      throw InputError(option, name,
                       fmt::format("{} has no such column{}; there are {}", path.filename().string(),
                                   suggestion(column, s.names), there));
    }
    return s.columns[static_cast<std::size_t>(found - s.names.begin())];
  }

 private:
  fs::path folder_;
  std::map<std::string, SeriesTable> read_;
};

// Where the time is not between two values, there is a gap.
void leave_out(const std::vector<double>& time, double from, double to, std::vector<double>& x) {
  for (std::size_t k = 0; k < x.size(); ++k)
    if (!(time[k] >= from && time[k] <= to)) x[k] = std::numeric_limits<double>::quiet_NaN();
}

// NAME.svg and NAME.png for each series, and the ledger.
int draw_all(const Arguments& a) {
  const std::vector<RunPlot> plots = run_plots(a.results);
  if (plots.empty())
    throw FileError(fmt::format("{}: no series over time there; give the folder that `areia run` wrote", a.results));
  const fs::path folder = a.out.empty() ? fs::path(a.results) / "plots" : fs::path(a.out);
  Manifest manifest(folder, "--out", "plot");
  NamedTexts files;
  for (const RunPlot& p : plots) {
    files.emplace_back(p.name + ".svg", plot::svg_page(p.panels, p.columns(), p.name, 540, 320));
    files.emplace_back(p.name + ".png", encode_png(plot::image_page(p.panels, p.columns(), p.name, 540, 320)));
  }
  write_owned(manifest, files);
  for (const RunPlot& p : plots) print("{}\n", (folder / (p.name + ".svg")).string());
  print("{} plots, each as SVG and PNG\n", plots.size());
  return kDone;
}

int draw(const Arguments& a) {
  require_folder(a.results);
  if (a.y.empty()) return draw_all(a);
  const fs::path out = a.out.empty() ? file_beside(a.results, "svg") : fs::path(a.out);
  if (out.extension() != ".svg" && out.extension() != ".png")
    throw InputError("--out", a.out, "plots are SVG or PNG files: the name must end with .svg or .png");
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
  const int columns = panels.size() > 1 ? 2 : 1;
  write_file_atomically(out, out.extension() == ".png" ? encode_png(plot::image_page(panels, columns, ""))
                                                       : plot::svg_page(panels, columns, ""));
  print("{}\n", out.string());
  return kDone;
}

}  // namespace

void add_plot(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* c = app.add_subcommand(
      "plot", "draw all series of a run and its energy ledger, or chosen columns against each other");
  c->add_option("results", a->results, "results folder of a run")->type_name(kFolder)->required();
  CLI::Option* x = c->add_option("--x", a->x, "SERIES.COLUMN to the right; default: the time");
  CLI::Option* y = c->add_option("--y", a->y,
                                 "SERIES.COLUMN upwards, several separated by commas; a panel for each --y; default: "
                                 "all series and the ledger");
  CLI::Option* from =
      c->add_option("--from", a->from, "leave out what was before this time, s")->check(finite_number());
  CLI::Option* to = c->add_option("--to", a->to, "leave out what comes after this time, s")->check(finite_number());
  CLI::Option* log_x = c->add_flag("--log-x", a->log_x, "powers of ten to the right");
  for (CLI::Option* option : {x, from, to, log_x}) option->needs(y);
  c->add_option(
       "--out", a->out,
       "with --y the file to write, .svg or .png, default: the folder's name with .svg; else a folder, default: "
       "RESULTS/plots")
      ->type_name(kFile);
  c->add_flag("--overwrite", a->overwrite, "replace the file to write if it is there");
  c->callback([a, &exit_code] { exit_code = draw(*a); });
}

}  // namespace areia::app

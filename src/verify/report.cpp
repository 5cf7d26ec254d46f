#include "verify/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/files/atomic_file.h"
#include "render/plot.h"

namespace areia::verify {

namespace fs = std::filesystem;

std::string verdict_word(Verdict v) {
  return v == Verdict::pass ? "pass" : v == Verdict::explained ? "explained" : "FAIL";
}

std::string number_text(double v) {
  if (std::isnan(v)) return "-";
  return fmt::format("{:.7g}", v);
}

// Lines in the order of the curves, then the points, each curve in a colour of its own.
std::string svg_plot(const Plot& p) {
  plot::Panel panel;
  panel.title = p.title;
  panel.x_label = p.x_label;
  panel.y_label = p.y_label;
  panel.log_x = p.log_x;
  for (std::size_t k = 0; k < p.curves.size(); ++k) {
    const Curve& c = p.curves[k];
    const std::size_t size = std::min(c.x.size(), c.y.size());
    if (c.look == Curve::Look::line) {
      plot::Line& line = panel.lines.emplace_back();
      line.label = c.label;
      line.colour = plot::colour(k);
      line.x.assign(c.x.begin(), c.x.begin() + static_cast<std::ptrdiff_t>(size));
      line.y.assign(c.y.begin(), c.y.begin() + static_cast<std::ptrdiff_t>(size));
    } else {
      for (std::size_t i = 0; i < size; ++i)
        panel.marks.push_back({c.label, plot::colour(k), c.x[i], c.y[i], "ring", ""});
    }
  }
  return plot::svg_page({panel}, 1, "", 640, 400);
}

namespace {

std::string difference_text(const Row& r) {
  const double d = r.ours - r.source;
  return std::isnan(d) ? "-" : fmt::format("{:.2g}", d);
}

constexpr std::array kHeads{"quantity", "source", "ours", "difference", "tolerance", "verdict"};

std::array<std::string, 6> cells(const Row& r) {
  return {r.quantity,
          number_text(r.source),
          number_text(r.ours),
          difference_text(r),
          fmt::format("{:.2g}", r.tolerance),
          verdict_word(r.verdict)};
}

struct Counts {
  int pass = 0, explained = 0, fail = 0;
  explicit Counts(const std::vector<Row>& rows) {
    for (const Row& r : rows)
      (r.verdict == Verdict::pass ? pass : r.verdict == Verdict::explained ? explained : fail)++;
  }
  std::string text() const {
    std::string t = fmt::format("{} pass", pass);
    if (explained > 0) t += fmt::format(", {} explained", explained);
    if (fail > 0) t += fmt::format(", {} FAIL", fail);
    return t;
  }
};

std::string plot_file(const Outcome& o, std::size_t k) { return fmt::format("{}-{}.svg", o.entry->name, k + 1); }

// Notes of rows, each text once.
std::vector<std::string> notes_of(const Outcome& o) {
  std::vector<std::string> notes;
  for (const Row& r : o.sheet.rows) {
    if (r.note.empty() || r.verdict == Verdict::pass) continue;
    const std::string note = fmt::format("{}: {}", r.quantity, r.note);
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  }
  return notes;
}

std::string escaped(const std::string& text, bool html) {
  std::string out;
  for (const char c : text)
    if (html && c == '<') out += "&lt;";
    else if (html && c == '>') out += "&gt;";
    else if (html && c == '&') out += "&amp;";
    else if (!html && c == '|') out += "\\|";
    else out += c;
  return out;
}

std::vector<std::string> head_lines(const std::vector<Outcome>& outcomes, const ReportHead& head) {
  std::vector<Row> all;
  for (const Outcome& o : outcomes) all.insert(all.end(), o.sheet.rows.begin(), o.sheet.rows.end());
  return {"Command: " + head.command, fmt::format("Areia {}, {}", kVersion, head.date), "Machine: " + head.machine,
          fmt::format("{} examples, {} values: {}; {:.0f} s", outcomes.size(), all.size(), Counts(all).text(),
                      head.seconds)};
}

std::string markdown(const std::vector<Outcome>& outcomes, const ReportHead& head) {
  std::string out = "# Verification\n\n";
  for (const std::string& line : head_lines(outcomes, head)) out += "* " + line + "\n";
  out += "\n| example | title | values | s |\n|---|---|---|---|\n";
  for (const Outcome& o : outcomes)
    out += fmt::format("| [{0}](#{0}) | {1} | {2} | {3:.1f} |\n", o.entry->name, escaped(o.entry->title, false),
                       Counts(o.sheet.rows).text(), o.seconds);
  for (const Outcome& o : outcomes) {
    out += fmt::format("\n<a id=\"{0}\"></a>\n\n## {0}: {1}\n\nSource: {2}. Time: {3:.1f} s.\n\n", o.entry->name,
                       o.entry->title, o.entry->source, o.seconds);
    for (const std::string& r : o.sheet.remarks) out += r + "\n\n";
    for (const char* h : kHeads) out += fmt::format("| {} ", h);
    out += "|\n|---|---:|---:|---:|---:|---|\n";
    for (const Row& r : o.sheet.rows) {
      for (const std::string& c : cells(r)) out += "| " + escaped(c, false) + " ";
      out += "|\n";
    }
    if (!notes_of(o).empty()) out += "\n";
    for (const std::string& n : notes_of(o)) out += "* " + n + "\n";
    for (std::size_t k = 0; k < o.sheet.plots.size(); ++k)
      out += fmt::format("\n![{}]({})\n", o.sheet.plots[k].title, plot_file(o, k));
  }
  return out;
}

std::string html(const std::vector<Outcome>& outcomes, const ReportHead& head) {
  std::string out = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Areia: verification</title><style>
body { font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff; }
table { border-collapse: collapse; margin: 1em 0; } th, td { border-bottom: 1px solid #ccc; padding: 0.2em 0.7em; }
td.n { text-align: right; font-variant-numeric: tabular-nums; } .pass { color: #217a3c; } .explained { color: #8a6100; }
.FAIL { color: #b00020; font-weight: bold; } img { max-width: 100%; } h2 { margin-top: 2.5em; }
</style></head><body><h1>Verification</h1><ul>
)";
  for (const std::string& line : head_lines(outcomes, head)) out += "<li>" + escaped(line, true) + "</li>\n";
  out += "</ul><table><tr><th>example</th><th>title</th><th>values</th><th>s</th></tr>\n";
  for (const Outcome& o : outcomes)
    out += fmt::format(
        "<tr><td><a href=\"#{0}\">{0}</a></td><td>{1}</td><td class=\"{2}\">{3}</td><td "
        "class=\"n\">{4:.1f}</td></tr>\n",
        o.entry->name, escaped(o.entry->title, true), verdict_word(o.verdict()), Counts(o.sheet.rows).text(),
        o.seconds);
  out += "</table>\n";
  for (const Outcome& o : outcomes) {
    out += fmt::format("<h2 id=\"{0}\">{0}: {1}</h2><p>Source: {2}. Time: {3:.1f} s.</p>\n", o.entry->name,
                       escaped(o.entry->title, true), escaped(o.entry->source, true), o.seconds);
    for (const std::string& r : o.sheet.remarks) out += "<p>" + escaped(r, true) + "</p>\n";
    out += "<table><tr>";
    for (const char* h : kHeads) out += fmt::format("<th>{}</th>", h);
    out += "</tr>\n";
    for (const Row& r : o.sheet.rows) {
      out += "<tr>";
      const auto all = cells(r);
      for (std::size_t k = 0; k < all.size(); ++k)
        out += fmt::format("<td class=\"{}\">{}</td>", k == 0 ? "" : k == 5 ? all[k] : "n", escaped(all[k], true));
      out += "</tr>\n";
    }
    out += "</table>\n<ul>";
    for (const std::string& n : notes_of(o)) out += "<li>" + escaped(n, true) + "</li>\n";
    out += "</ul>\n";
    for (std::size_t k = 0; k < o.sheet.plots.size(); ++k)
      out +=
          fmt::format("<p><img src=\"{}\" alt=\"{}\"></p>\n", plot_file(o, k), escaped(o.sheet.plots[k].title, true));
  }
  return out + "</body></html>\n";
}

}  // namespace

std::string outcome_text(const Outcome& o) {
  std::array<std::size_t, 6> width{};
  for (std::size_t k = 0; k < 6; ++k) width[k] = std::string_view(kHeads[k]).size();
  for (const Row& r : o.sheet.rows) {
    const auto all = cells(r);
    for (std::size_t k = 0; k < 6; ++k) width[k] = std::max(width[k], all[k].size());
  }
  std::string out = fmt::format("{}: {} ({}), {:.1f} s\n", o.entry->name, o.entry->title, o.entry->source, o.seconds);
  const auto line = [&](const auto& all) {
    out += fmt::format("  {:<{}}  {:>{}}  {:>{}}  {:>{}}  {:>{}}  {}\n", all[0], width[0], all[1], width[1], all[2],
                       width[2], all[3], width[3], all[4], width[4], all[5]);
  };
  line(kHeads);
  for (const Row& r : o.sheet.rows) line(cells(r));
  for (const std::string& n : notes_of(o)) out += "  * " + n + "\n";
  for (const std::string& r : o.sheet.remarks) out += "  " + r + "\n";
  return out;
}

nlohmann::json outcome_json(const Outcome& o) {
  nlohmann::json rows = nlohmann::json::array();
  const auto number = [](double v) { return std::isfinite(v) ? nlohmann::json(v) : nlohmann::json(); };
  for (const Row& r : o.sheet.rows)
    rows.push_back({{"quantity", r.quantity},
                    {"source", number(r.source)},
                    {"ours", number(r.ours)},
                    {"difference", number(r.ours - r.source)},
                    {"tolerance", r.tolerance},
                    {"verdict", r.verdict == Verdict::fail ? "fail" : verdict_word(r.verdict)},
                    {"note", r.note}});
  return {{"name", o.entry->name},      {"title", o.entry->title},
          {"source", o.entry->source},  {"cases", o.entry->cases},
          {"seconds", o.seconds},       {"rows", rows},
          {"remarks", o.sheet.remarks}, {"verdict", o.verdict() == Verdict::fail ? "fail" : verdict_word(o.verdict())}};
}

void write_report(const fs::path& folder, const std::vector<Outcome>& outcomes, const ReportHead& head) {
  make_folder(folder);
  for (const Outcome& o : outcomes)
    for (std::size_t k = 0; k < o.sheet.plots.size(); ++k)
      write_file_atomically(folder / plot_file(o, k), svg_plot(o.sheet.plots[k]));
  write_file_atomically(folder / "index.md", markdown(outcomes, head));
  write_file_atomically(folder / "index.html", html(outcomes, head));
}

}  // namespace areia::verify

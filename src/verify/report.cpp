#include "verify/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "io/files/manifest.h"
#include "render/plot.h"
#include "verify/sources.h"

namespace areia::verify {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string verdict_word(Verdict v) {
  switch (v) {
    case Verdict::pass:
      return "pass";
    case Verdict::explained:
      return "explained";
    case Verdict::not_reproduced:
      return "not reproduced";
    case Verdict::fail:
      break;
  }
  return "FAIL";
}

Counts::Counts(const std::vector<Row>& rows) {
  for (const Row& r : rows) ++of[static_cast<std::size_t>(r.verdict)];
}

std::string Counts::text() const {
  std::string t;
  for (std::size_t k = 0; k < of.size(); ++k)
    if (k == 0 || of[k] > 0)
      t += fmt::format("{}{} {}", k == 0 ? "" : ", ", of[k], verdict_word(static_cast<Verdict>(k)));
  return t;
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

constexpr const char* kOption = "--report";

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

std::string plot_file(const Outcome& o, std::size_t k) { return fmt::format("{}-{}.svg", o.entry->name, k + 1); }

std::string sketch_file(const Outcome& o) { return fmt::format("{}-sketch.svg", o.entry->name); }

// Why a row does not agree: the reason with its numbers, or what was tried with what came of it.
std::string note_of(const Row& r) {
  std::string text = r.note;
  for (std::size_t k = 0; k < r.claims.size(); ++k) text += (k == 0 ? ": " : "; ") + r.claims[k].text();
  for (std::size_t k = 0; k < r.attempts.size(); ++k)
    text += fmt::format("{}{}: {}", k == 0 ? "tried " : "; ", r.attempts[k].what, number_text(r.attempts[k].value));
  return text;
}

// Notes of rows that do not pass, each text once, with the quantities it is about.
std::vector<std::string> notes_of(const Outcome& o) {
  std::vector<std::pair<std::string, std::string>> notes;  // text, quantities
  for (const Row& r : o.sheet.rows) {
    const std::string note = note_of(r);
    if (note.empty() || r.verdict == Verdict::pass) continue;
    const auto same = std::find_if(notes.begin(), notes.end(), [&](const auto& n) { return n.first == note; });
    if (same == notes.end()) notes.emplace_back(note, r.quantity);
    else same->second += "; " + r.quantity;
  }
  std::vector<std::string> lines;
  for (const auto& [text, quantities] : notes) lines.push_back(quantities + ": " + text);
  return lines;
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

constexpr const char* kVerdicts =
    "Verdicts: `pass`, within the tolerance; `explained`, a printed value that cannot be met, for a reason shown by "
    "numbers that the program checks; `not reproduced`, a value that another program printed and this one does not "
    "give, "
    "with what was tried; `FAIL`, a defect.";

std::string markdown(const std::vector<Outcome>& outcomes, const ReportHead& head) {
  std::string out = "# Verification\n\n";
  for (const std::string& line : head_lines(outcomes, head)) out += "* " + line + "\n";
  out += fmt::format("\n{} [Sources](#sources) are at the end.\n", kVerdicts);
  out += "\n| example | title | values | s |\n|---|---|---|---|\n";
  for (const Outcome& o : outcomes)
    out += fmt::format("| [{0}](#{0}) | {1} | {2} | {3:.1f} |\n", o.entry->name, escaped(o.entry->title, false),
                       Counts(o.sheet.rows).text(), o.seconds);
  for (const Outcome& o : outcomes) {
    out += fmt::format(
        "\n<a id=\"{0}\"></a>\n\n## {0}: {1}\n\n![sketch]({4})\n\nSource: {2}. Time: {3:.1f} "
        "s.\n\n",
        o.entry->name, o.entry->title, source_text(o.entry->source), o.seconds, sketch_file(o));
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
  out += "\n<a id=\"sources\"></a>\n\n## Sources\n\n";
  for (const Work* w : works_of(outcomes))
    out += fmt::format("* **{}**: {}{}.\n", w->name, w->citation,
                       w->doi.empty() ? "" : fmt::format(", [doi:{0}](https://doi.org/{0})", w->doi));
  return out;
}

std::string html(const std::vector<Outcome>& outcomes, const ReportHead& head) {
  std::string out = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Areia: verification</title><style>
body { font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff; }
table { border-collapse: collapse; margin: 1em 0; } th, td { border-bottom: 1px solid #ccc; padding: 0.2em 0.7em; }
td.n { text-align: right; font-variant-numeric: tabular-nums; } .pass { color: #217a3c; } .explained { color: #8a6100; }
.FAIL { color: #b00020; font-weight: bold; } .not { color: #a33a00; } img { max-width: 100%; } h2 { margin-top: 2.5em; }
</style></head><body><h1>Verification</h1><ul>
)";
  for (const std::string& line : head_lines(outcomes, head)) out += "<li>" + escaped(line, true) + "</li>\n";
  out += fmt::format("</ul><p>{} <a href=\"#sources\">Sources</a> are at the end.</p>\n", kVerdicts);
  out += "<table><tr><th>example</th><th>title</th><th>values</th><th>s</th></tr>\n";
  for (const Outcome& o : outcomes)
    out += fmt::format(
        "<tr><td><a href=\"#{0}\">{0}</a></td><td>{1}</td><td class=\"{2}\">{3}</td><td "
        "class=\"n\">{4:.1f}</td></tr>\n",
        o.entry->name, escaped(o.entry->title, true), verdict_word(o.verdict()), Counts(o.sheet.rows).text(),
        o.seconds);
  out += "</table>\n";
  for (const Outcome& o : outcomes) {
    out += fmt::format(
        "<h2 id=\"{0}\">{0}: {1}</h2><p><img src=\"{4}\" alt=\"sketch\"></p><p>Source: {2}. Time: {3:.1f} s.</p>\n",
        o.entry->name, escaped(o.entry->title, true), escaped(source_text(o.entry->source), true), o.seconds,
        sketch_file(o));
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
  out += "<h2 id=\"sources\">Sources</h2><ul>\n";
  for (const Work* w : works_of(outcomes))
    out += fmt::format("<li><b>{}</b>: {}{}.</li>\n", escaped(w->name, true), escaped(w->citation, true),
                       w->doi.empty() ? "" : fmt::format(", <a href=\"https://doi.org/{0}\">doi:{0}</a>", w->doi));
  return out + "</ul></body></html>\n";
}

}  // namespace

std::string outcome_text(const Outcome& o) {
  std::array<std::size_t, 6> width{};
  for (std::size_t k = 0; k < 6; ++k) width[k] = std::string_view(kHeads[k]).size();
  for (const Row& r : o.sheet.rows) {
    const auto all = cells(r);
    for (std::size_t k = 0; k < 6; ++k) width[k] = std::max(width[k], all[k].size());
  }
  std::string out =
      fmt::format("{}: {} ({}), {:.1f} s\n", o.entry->name, o.entry->title, source_text(o.entry->source), o.seconds);
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
  for (const Row& r : o.sheet.rows) {
    nlohmann::json claims = nlohmann::json::array(), tried = nlohmann::json::array();
    for (const Claim& c : r.claims)
      claims.push_back(
          {{"claim", c.text()}, {"value", number(c.value)}, {"other", number(c.other)}, {"holds", c.holds()}});
    for (const Attempt& a : r.attempts) tried.push_back({{"what", a.what}, {"value", number(a.value)}});
    rows.push_back({{"quantity", r.quantity},
                    {"source", number(r.source)},
                    {"ours", number(r.ours)},
                    {"difference", number(r.ours - r.source)},
                    {"tolerance", r.tolerance},
                    {"verdict", r.verdict == Verdict::fail ? "fail" : verdict_word(r.verdict)},
                    {"note", r.note},
                    {"claims", claims},
                    {"tried", tried}});
  }
  return {{"name", o.entry->name},
          {"title", o.entry->title},
          {"source", source_text(o.entry->source)},
          {"cases", o.entry->cases},
          {"seconds", o.seconds},
          {"rows", rows},
          {"remarks", o.sheet.remarks},
          {"verdict", o.verdict() == Verdict::fail ? "fail" : verdict_word(o.verdict())}};
}

void refuse_other_files(const fs::path& folder, const std::vector<const Entry*>& entries) {
  Manifest(folder, kOption, kReportKind).refuse_others([&](const std::string& name) {
    return name == "index.md" || name == "index.html" || name == kReportData ||
           std::any_of(entries.begin(), entries.end(), [&](const Entry* e) {
             return name.starts_with(std::string(e->name) + "-") && name.ends_with(".svg");
           });
  });
}

void write_report(const fs::path& folder, const std::vector<Outcome>& outcomes, const ReportHead& head) {
  NamedTexts files;
  for (const Outcome& o : outcomes) {
    files.emplace_back(sketch_file(o), o.sheet.picture.empty() ? Sketch().svg() : o.sheet.picture);
    for (std::size_t k = 0; k < o.sheet.plots.size(); ++k)
      files.emplace_back(plot_file(o, k), svg_plot(o.sheet.plots[k]));
  }
  files.emplace_back("index.md", markdown(outcomes, head));
  files.emplace_back("index.html", html(outcomes, head));
  files.emplace_back(kReportData,
                     report_json(outcomes, head).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  Manifest manifest(folder, kOption, kReportKind);
  write_owned(manifest, files);
}

}  // namespace areia::verify

#include "verify/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "render/plot.h"
#include "verify/sources.h"

namespace areia::verify {

namespace fs = std::filesystem;

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

std::string verdict_key(Verdict v) { return v == Verdict::fail ? "fail" : verdict_word(v); }

namespace {

constexpr std::array kVerdictsInOrder{Verdict::pass, Verdict::explained, Verdict::not_reproduced, Verdict::fail};

// Numbers that are not finite are null.
double number_of(const Json& j) { return j.is_null() ? std::nan("") : j.get<double>(); }
std::string text_of(const Json& j) { return j.get<std::string>(); }

}  // namespace

Verdict verdict_of(const Json& word) {
  const auto at = std::find_if(kVerdictsInOrder.begin(), kVerdictsInOrder.end(),
                               [&](Verdict v) { return verdict_key(v) == text_of(word); });
  return at == kVerdictsInOrder.end() ? Verdict::fail : *at;
}

Counts::Counts(const Json& rows) {
  for (const Json& r : rows) ++of[static_cast<std::size_t>(verdict_of(r.at("verdict")))];
}
Counts& Counts::operator+=(const Counts& other) {
  for (std::size_t k = 0; k < of.size(); ++k) of[k] += other.of[k];
  return *this;
}
int Counts::all() const { return std::accumulate(of.begin(), of.end(), 0); }

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

constexpr std::array kHeads{"quantity", "source", "ours", "difference", "tolerance", "verdict"};

std::array<std::string, 6> cells(const Json& row) {
  const double difference = number_of(row.at("difference"));
  return {text_of(row.at("quantity")),
          number_text(number_of(row.at("source"))),
          number_text(number_of(row.at("ours"))),
          std::isnan(difference) ? "-" : fmt::format("{:.2g}", difference),
          fmt::format("{:.2g}", number_of(row.at("tolerance"))),
          verdict_word(verdict_of(row.at("verdict")))};
}

std::string plot_file(const Json& example, std::size_t k) {
  return fmt::format("{}-{}.svg", text_of(example.at("name")), k + 1);
}

std::string sketch_file(const Json& example) { return text_of(example.at("name")) + "-sketch.svg"; }

// Why a row does not agree: the reason with its numbers, or what was tried with what came of it.
std::string note_of(const Json& row) {
  std::string text = text_of(row.at("note"));
  const Json &claims = row.at("claims"), &tried = row.at("tried");
  for (std::size_t k = 0; k < claims.size(); ++k) text += (k == 0 ? ": " : "; ") + text_of(claims[k].at("claim"));
  for (std::size_t k = 0; k < tried.size(); ++k)
    text += fmt::format("{}{}: {}", k == 0 ? "tried " : "; ", text_of(tried[k].at("what")),
                        number_text(number_of(tried[k].at("value"))));
  return text;
}

// Notes of rows that do not pass, each text once, with the quantities it is about.
std::vector<std::string> notes_of(const Json& example) {
  std::vector<std::pair<std::string, std::string>> notes;  // text, quantities
  for (const Json& r : example.at("rows")) {
    const std::string note = note_of(r), quantity = text_of(r.at("quantity"));
    if (note.empty() || verdict_of(r.at("verdict")) == Verdict::pass) continue;
    const auto same = std::find_if(notes.begin(), notes.end(), [&](const auto& n) { return n.first == note; });
    if (same == notes.end()) notes.emplace_back(note, quantity);
    else same->second += "; " + quantity;
  }
  std::vector<std::string> lines;
  for (const auto& [text, quantities] : notes) lines.push_back(quantities + ": " + text);
  return lines;
}

Plot plot_of(const Json& plot) {
  Plot p{text_of(plot.at("title")), text_of(plot.at("x_label")), text_of(plot.at("y_label")), {}, plot.at("log_x")};
  for (const Json& c : plot.at("curves")) {
    Curve& curve = p.curves.emplace_back();
    curve.label = text_of(c.at("label"));
    curve.look = c.at("look") == "points" ? Curve::Look::points : Curve::Look::line;
    for (const Json& x : c.at("x")) curve.x.push_back(number_of(x));
    for (const Json& y : c.at("y")) curve.y.push_back(number_of(y));
  }
  return p;
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

// Who computed an example: command, version, date, machine.
std::string part_text(const Json& part) {
  return fmt::format("{}; Areia {}, {}; {}", text_of(part.at("command")), text_of(part.at("version")),
                     text_of(part.at("date")), text_of(part.at("machine")));
}

std::vector<std::string> head_lines(const Json& report) {
  Counts counts;
  for (const Json& e : report.at("examples")) counts += Counts(e.at("rows"));
  std::vector<std::string> lines{"Command: " + text_of(report.at("command")),
                                 fmt::format("Areia {}, {}", text_of(report.at("version")), text_of(report.at("date"))),
                                 "Machine: " + text_of(report.at("machine")),
                                 fmt::format("{} examples, {} values: {}; {:.0f} s", report.at("examples").size(),
                                             counts.all(), counts.text(), number_of(report.at("seconds")))};
  const Json& parts = report.at("parts");
  for (std::size_t k = 0; parts.size() > 1 && k < parts.size(); ++k) {
    std::string names;
    for (const Json& e : report.at("examples"))
      if (e.at("part") == k) names += (names.empty() ? "" : ", ") + text_of(e.at("name"));
    lines.push_back(fmt::format("Part {}: {}; {}", k + 1, part_text(parts[k]), names));
  }
  return lines;
}

constexpr const char* kVerdicts =
    "Verdicts: \"pass\", within the tolerance; \"explained\", a printed value that cannot be met, for a reason shown "
    "by numbers that the program checks; \"not reproduced\", a value that another program printed and this one does "
    "not give, with what was tried; \"FAIL\", a defect.";

std::string markdown(const Json& report) {
  std::string out = "# Verification\n\n";
  for (const std::string& line : head_lines(report)) out += "* " + line + "\n";
  out += fmt::format("\n{} [Sources](#sources) are at the end.\n", kVerdicts);
  out += "\n| example | title | values | s |\n|---|---|---|---|\n";
  for (const Json& e : report.at("examples"))
    out += fmt::format("| [{0}](#{0}) | {1} | {2} | {3:.1f} |\n", text_of(e.at("name")),
                       escaped(text_of(e.at("title")), false), Counts(e.at("rows")).text(), number_of(e.at("seconds")));
  for (const Json& e : report.at("examples")) {
    out += fmt::format(
        "\n<a id=\"{0}\"></a>\n\n## {0}: {1}\n\n![sketch]({4})\n\nSource: {2}. Time: {3:.1f} "
        "s.\n\n",
        text_of(e.at("name")), text_of(e.at("title")), text_of(e.at("source")), number_of(e.at("seconds")),
        sketch_file(e));
    for (const Json& r : e.at("remarks")) out += text_of(r) + "\n\n";
    for (const char* h : kHeads) out += fmt::format("| {} ", h);
    out += "|\n|---|---:|---:|---:|---:|---|\n";
    for (const Json& r : e.at("rows")) {
      for (const std::string& c : cells(r)) out += "| " + escaped(c, false) + " ";
      out += "|\n";
    }
    if (!notes_of(e).empty()) out += "\n";
    for (const std::string& n : notes_of(e)) out += "* " + n + "\n";
    for (std::size_t k = 0; k < e.at("plots").size(); ++k)
      out += fmt::format("\n![{}]({})\n", text_of(e.at("plots")[k].at("title")), plot_file(e, k));
  }
  out += "\n<a id=\"sources\"></a>\n\n## Sources\n\n";
  for (const Work* w : works_of(report))
    out += fmt::format("* **{}**: {}{}.\n", w->name, w->citation,
                       w->doi.empty() ? "" : fmt::format(", [doi:{0}](https://doi.org/{0})", w->doi));
  return out;
}

std::string html(const Json& report) {
  std::string out = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Areia: verification</title><style>
body { font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff; }
table { border-collapse: collapse; margin: 1em 0; } th, td { border-bottom: 1px solid #ccc; padding: 0.2em 0.7em; }
td.n { text-align: right; font-variant-numeric: tabular-nums; } .pass { color: #217a3c; } .explained { color: #8a6100; }
.FAIL { color: #b00020; font-weight: bold; } .not { color: #a33a00; } img { max-width: 100%; } h2 { margin-top: 2.5em; }
</style></head><body><h1>Verification</h1><ul>
)";
  for (const std::string& line : head_lines(report)) out += "<li>" + escaped(line, true) + "</li>\n";
  out += fmt::format("</ul><p>{} <a href=\"#sources\">Sources</a> are at the end.</p>\n", kVerdicts);
  out += "<table><tr><th>example</th><th>title</th><th>values</th><th>s</th></tr>\n";
  for (const Json& e : report.at("examples"))
    out += fmt::format(
        "<tr><td><a href=\"#{0}\">{0}</a></td><td>{1}</td><td class=\"{2}\">{3}</td><td "
        "class=\"n\">{4:.1f}</td></tr>\n",
        text_of(e.at("name")), escaped(text_of(e.at("title")), true), verdict_word(verdict_of(e.at("verdict"))),
        Counts(e.at("rows")).text(), number_of(e.at("seconds")));
  out += "</table>\n";
  for (const Json& e : report.at("examples")) {
    out += fmt::format(
        "<h2 id=\"{0}\">{0}: {1}</h2><p><img src=\"{4}\" alt=\"sketch\"></p><p>Source: {2}. Time: {3:.1f} s.</p>\n",
        text_of(e.at("name")), escaped(text_of(e.at("title")), true), escaped(text_of(e.at("source")), true),
        number_of(e.at("seconds")), sketch_file(e));
    for (const Json& r : e.at("remarks")) out += "<p>" + escaped(text_of(r), true) + "</p>\n";
    out += "<table><tr>";
    for (const char* h : kHeads) out += fmt::format("<th>{}</th>", h);
    out += "</tr>\n";
    for (const Json& r : e.at("rows")) {
      out += "<tr>";
      const auto all = cells(r);
      for (std::size_t k = 0; k < all.size(); ++k)
        out += fmt::format("<td class=\"{}\">{}</td>", k == 0 ? "" : k == 5 ? all[k] : "n", escaped(all[k], true));
      out += "</tr>\n";
    }
    out += "</table>\n<ul>";
    for (const std::string& n : notes_of(e)) out += "<li>" + escaped(n, true) + "</li>\n";
    out += "</ul>\n";
    for (std::size_t k = 0; k < e.at("plots").size(); ++k)
      out += fmt::format("<p><img src=\"{}\" alt=\"{}\"></p>\n", plot_file(e, k),
                         escaped(text_of(e.at("plots")[k].at("title")), true));
  }
  out += "<h2 id=\"sources\">Sources</h2><ul>\n";
  for (const Work* w : works_of(report))
    out += fmt::format("<li><b>{}</b>: {}{}.</li>\n", escaped(w->name, true), escaped(w->citation, true),
                       w->doi.empty() ? "" : fmt::format(", <a href=\"https://doi.org/{0}\">doi:{0}</a>", w->doi));
  return out + "</ul></body></html>\n";
}

}  // namespace

std::string outcome_text(const Outcome& o) {
  const Json e = outcome_json(o);
  std::array<std::size_t, 6> width{};
  for (std::size_t k = 0; k < 6; ++k) width[k] = std::string_view(kHeads[k]).size();
  for (const Json& r : e.at("rows")) {
    const auto all = cells(r);
    for (std::size_t k = 0; k < 6; ++k) width[k] = std::max(width[k], all[k].size());
  }
  std::string out =
      fmt::format("{}: {} ({}), {:.1f} s\n", o.entry->name, o.entry->title, text_of(e.at("source")), o.seconds);
  const auto line = [&](const auto& all) {
    out += fmt::format("  {:<{}}  {:>{}}  {:>{}}  {:>{}}  {:>{}}  {}\n", all[0], width[0], all[1], width[1], all[2],
                       width[2], all[3], width[3], all[4], width[4], all[5]);
  };
  line(kHeads);
  for (const Json& r : e.at("rows")) line(cells(r));
  for (const std::string& n : notes_of(e)) out += "  * " + n + "\n";
  for (const std::string& r : o.sheet.remarks) out += "  " + r + "\n";
  return out;
}

void refuse_other_files(const fs::path& folder, const std::vector<const Entry*>& entries) {
  Manifest(folder, kOption, kReportKind).refuse_others([&](const std::string& name) {
    return name == "index.md" || name == "index.html" || name == kReportData ||
           std::any_of(entries.begin(), entries.end(), [&](const Entry* e) {
             return name.starts_with(std::string(e->name) + "-") && name.ends_with(".svg");
           });
  });
}

NamedTexts report_files(const Json& report) {
  NamedTexts files;
  for (const Json& e : report.at("examples")) {
    files.emplace_back(sketch_file(e), text_of(e.at("sketch")));
    for (std::size_t k = 0; k < e.at("plots").size(); ++k)
      files.emplace_back(plot_file(e, k), svg_plot(plot_of(e.at("plots")[k])));
  }
  files.emplace_back("index.md", markdown(report));
  files.emplace_back("index.html", html(report));
  files.emplace_back(kReportData, report.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  return files;
}

void write_report(const fs::path& folder, const Json& report) {
  Manifest manifest(folder, kOption, kReportKind);
  write_owned(manifest, report_files(report));
}

}  // namespace areia::verify

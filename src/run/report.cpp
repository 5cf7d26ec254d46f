#include "run/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "areia/error.h"
#include "areia/version.h"
#include "io/files/atomic_file.h"
#include "io/frames/vtk_frames.h"
#include "render/run_plots.h"
#include "run/results_folder.h"

namespace areia {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

using plot::escaped;

constexpr const char* kStyle =
    "body{font:15px/1.5 system-ui,'DejaVu Sans',sans-serif;color:#1c2330;margin:2rem auto;max-width:72rem;padding:0 "
    "1rem}"
    "h1{font-size:1.5rem;margin:0}h2{font-size:1.15rem;margin:2rem 0 .5rem;border-bottom:1px solid #dfe3e8}"
    "table{border-collapse:collapse}td,th{text-align:left;padding:.15rem 1rem .15rem 0;vertical-align:top}"
    "td.number{text-align:right;font-variant-numeric:tabular-nums}th{font-weight:600;color:#5c6675}"
    "img{max-width:100%;height:auto}figure{margin:0}figcaption{color:#5c6675}"
    ".three{display:grid;grid-template-columns:repeat(auto-fit,minmax(20rem,1fr));gap:1rem}"
    "pre{background:#f4f5f7;padding:1rem;overflow:auto;font-size:.85rem}.warning{color:#a8342a}"
    "footer{margin-top:2rem;color:#5c6675}";

std::string base64(std::string_view bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve(bytes.size() / 3 * 4 + 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const auto at = [&](std::size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u; };
    const unsigned three = at(k) << 16 | at(k + 1) << 8 | at(k + 2);
    for (int c = 0; c < 4; ++c)
      text += k + static_cast<std::size_t>(c) > bytes.size() ? '=' : kDigits[three >> (18 - 6 * c) & 63];
  }
  return text;
}

std::string image(const char* kind, std::string_view bytes, const std::string& words) {
  return fmt::format("<img src=\"data:image/{};base64,{}\" alt=\"{}\">", kind, base64(bytes), escaped(words));
}

std::string row(const std::string& what, const std::string& value) {
  return fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", escaped(what), escaped(value));
}

std::string number(const json& j, const char* key) {
  return j.contains(key) && j[key].is_number() ? fmt::format("{:.9g}", j[key].get<double>()) : "";
}

struct Log {
  std::vector<std::string> choices, warnings;  // without dates
  std::string last;
};

// A log begins with what the run is and what was chosen, up to the first stage.
Log read_log(const fs::path& path) {
  Log log;
  if (!fs::is_regular_file(fs::symlink_status(path))) return log;
  const std::string text = read_file(path);
  bool before_stages = true;
  constexpr std::size_t kDate = 20;
  for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    const std::string line = text.substr(std::min(end, at + kDate), end - std::min(end, at + kDate));
    if (line.starts_with("stage ")) before_stages = false;
    if (line.find("warning") != std::string::npos) log.warnings.push_back(line);
    else if (before_stages && line.find(": ") != std::string::npos) log.choices.push_back(line);
    log.last = line;
  }
  return log;
}

// One view and one scale of colours for the three.
std::string pictures(const fs::path& results, RenderOptions options) {
  const std::vector<FrameEntry> entries = list_frames(results);
  if (entries.empty()) return "<p>The run has written no frames.</p>\n";
  std::vector<std::size_t> chosen{0};
  for (const std::size_t k : {entries.size() / 2, entries.size() - 1})
    if (k > chosen.back()) chosen.push_back(k);
  std::vector<Frame> frames;
  for (const std::size_t k : chosen) frames.push_back(read_frame(results, entries[k]));
  options.duration = entries.back().time - entries.front().time;
  ColourScale scale = colour_scale(frames[0], options);
  for (const Frame& frame : frames) scale = joined(scale, colour_scale(frame, options));
  if (scale.low < scale.high) options.colour_min = scale.low, options.colour_max = scale.high;
  std::string html = "<div class=\"three\">\n";
  for (const Frame& frame : frames) {
    const std::string words = fmt::format("t = {:.6g} s", frame.time);
    html += fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n",
                        image("png", encode_png(render(frame, options)), words), words);
  }
  return html + "</div>\n";
}

std::string ledger_table(const json& summary) {
  if (!summary.contains("energy") || !summary["energy"].is_object()) return "";
  std::string html = "<table>\n";
  for (const auto& [name, value] : summary["energy"].items()) {
    if (!value.is_number() || value.get<double>() == 0) continue;
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    html +=
        fmt::format("<tr><th>{}</th><td class=\"number\">{:.6g} J</td></tr>\n", escaped(words), value.get<double>());
  }
  return html + "</table>\n";
}

}  // namespace

std::string run_report(const fs::path& results, const RenderOptions& options) {
  const fs::path case_file = results / kCaseFile;
  if (!fs::is_regular_file(fs::symlink_status(case_file)))
    throw FileError(
        fmt::format("{}: no {} there; give the folder that `areia run` wrote", results.string(), kCaseFile));
  json summary = json::object();
  if (const fs::path file = results / kSummaryFile; fs::is_regular_file(fs::symlink_status(file))) {
    summary = json::parse(read_file(file), nullptr, false);
    if (!summary.is_object()) throw FileError(fmt::format("{}: is damaged", file.string()));
  }
  const auto word = [&](const char* key) {
    return summary.contains(key) && summary[key].is_string() ? summary[key].get<std::string>() : std::string();
  };
  const Log log = read_log(results / kLogFile);
  std::string title = word("title");
  if (title.empty()) title = fs::absolute(results).lexically_normal().filename().string();

  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
      "'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n"
      "<style>{1}</style></head><body>\n<h1>{0}</h1>\n<table>\n",
      escaped(title), kStyle);
  html += row("state", summary.empty() ? "not finished: " + log.last : word("ending"));
  if (!summary.empty()) {
    html += row("time", number(summary, "time") + " s");
    html += row("particles", number(summary, "particles"));
    for (const char* key : {"lost", "removed", "inserted"})
      if (summary.contains(key) && summary[key] != 0) html += row(key, number(summary, key));
    html += row("steps", fmt::format("{} of {} s", number(summary, "steps"), number(summary, "dt")));
    html += row("engine", word("engine") + ", threads: " + number(summary, "threads"));
    html += row("wall time", number(summary, "wall_s") + " s");
    html += row("residual of the ledger", number(summary, "energy_residual_relative") + " of the energy turned over");
    html += row("state hash", word("state_hash"));
    html += row("version", word("version"));
  }
  html += "</table>\n<h2>Warnings</h2>\n";
  if (log.warnings.empty()) html += "<p>None.</p>\n";
  for (const std::string& line : log.warnings) html += fmt::format("<p class=\"warning\">{}</p>\n", escaped(line));
  html += "<h2>What the program chose</h2>\n<table>\n";
  for (const std::string& line : log.choices) {
    const std::size_t colon = line.find(": ");
    html += row(line.substr(0, colon), line.substr(colon + 2));
  }
  html += "</table>\n<h2>Pictures</h2>\n" + pictures(results, options);
  const std::vector<RunPlot> plots = run_plots(results);
  for (const RunPlot& p : plots) {
    html += fmt::format("<h2>{}</h2>\n", p.name == "ledger" ? "Energy ledger" : escaped("Series: " + p.name));
    html += image("svg+xml", plot::svg_page(p.panels, p.columns(), "", 540, 320), p.name) + "\n";
    if (p.name == "ledger") html += ledger_table(summary);
  }
  html += fmt::format("<h2>Case</h2>\n<pre>{}</pre>\n<footer>Made by areia {} report.</footer>\n</body></html>\n",
                      escaped(read_file(case_file)), kVersion);
  return html;
}

}  // namespace areia

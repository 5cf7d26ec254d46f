// What a verification shows: lines for the terminal, JSON for programs, and a folder with pages and plots.
#pragma once
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "verify/entry.h"
#include "verify/sources.h"

namespace areia::verify {

std::string verdict_word(Verdict v);

// How many rows have each verdict.
struct Counts {
  std::array<int, 4> of{};
  explicit Counts(const std::vector<Row>& rows);
  int operator[](Verdict v) const { return of[static_cast<std::size_t>(v)]; }
  std::string text() const;  // "12 pass, 1 explained": those that occur
};

// The table of one example as plain text.
std::string outcome_text(const Outcome& o);
nlohmann::json outcome_json(const Outcome& o);

std::string svg_plot(const Plot& plot);

// The works that the examples name, in the order of the list.
std::vector<const Work*> works_of(const std::vector<Outcome>& outcomes);

struct ReportHead {
  std::string command, machine, date;
  double seconds = 0;
};
// All of it for a page of one's own: what outcome_json has, and sources, sketches, curves, and the cases that ran.
nlohmann::ordered_json report_json(const std::vector<Outcome>& outcomes, const ReportHead& head);

// The file with report_json in a report.
inline constexpr const char* kReportData = "verification.json";
inline constexpr const char* kReportKind = "verify";  // of the manifest of a report

// index.md, index.html, verification.json, the sketches as NAME-sketch.svg and the plots as NAME-K.svg. Throws
// InputError where something else of such a name is there, which `refuse_other_files` tells before the examples run.
void refuse_other_files(const std::filesystem::path& folder, const std::vector<const Entry*>& entries);
void write_report(const std::filesystem::path& folder, const std::vector<Outcome>& outcomes, const ReportHead& head);

}  // namespace areia::verify

// What a verification shows: lines for the terminal, JSON for programs, and a folder with pages and plots.
#pragma once
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/files/manifest.h"
#include "verify/entry.h"
#include "verify/sources.h"

namespace areia::verify {

using Json = nlohmann::ordered_json;

std::string verdict_word(Verdict v);
std::string verdict_key(Verdict v);  // in JSON
Verdict verdict_of(const Json& key);

// How many rows have each verdict.
struct Counts {
  std::array<int, 4> of{};
  Counts() = default;
  explicit Counts(const Json& rows);
  Counts& operator+=(const Counts& other);
  int operator[](Verdict v) const { return of[static_cast<std::size_t>(v)]; }
  int all() const;
  std::string text() const;  // "12 pass, 1 explained": those that occur
};

// The table of one example as plain text, and as JSON.
std::string outcome_text(const Outcome& o);
Json outcome_json(const Outcome& o);

std::string svg_plot(const Plot& plot);

struct ReportHead {
  std::string command, machine, date;
  double seconds = 0;
};
// A report: what outcome_json has of each example, and sources, sketches, curves, and the cases that ran. The pages are
// made of it. An example's `part` is a number in `parts`: the command, version, machine and date that computed it.
Json report_json(const std::vector<Outcome>& outcomes, const ReportHead& head);
// One report of several; of an example that more than one has, the last one's counts. Seconds are added.
Json joined(const std::vector<Json>& reports, const ReportHead& head);
// From the folder of a report. Throws InputError where that is none, or where it has examples that are not known here.
Json read_report(const std::filesystem::path& folder);

// The works that the examples of a report name, in the order of the list.
std::vector<const Work*> works_of(const Json& report);

// The file with report_json in a report.
inline constexpr const char* kReportData = "verification.json";
inline constexpr const char* kReportKind = "verify";  // of the manifest of a report

// All files of a report. Throws what nlohmann::json does where something is missing that the pages show.
NamedTexts report_files(const Json& report);

// index.md, index.html, verification.json, the sketches as NAME-sketch.svg and the plots as NAME-K.svg. Throws
// InputError where something else of such a name is there, which `refuse_other_files` tells before the examples run.
void refuse_other_files(const std::filesystem::path& folder, const std::vector<const Entry*>& entries);
void write_report(const std::filesystem::path& folder, const Json& report);

}  // namespace areia::verify

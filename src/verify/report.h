// What a verification shows: lines for the terminal, JSON for programs, and a folder with pages and plots.
#pragma once
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "verify/entry.h"

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

struct ReportHead {
  std::string command, machine, date;
  double seconds = 0;
};
// index.md, index.html, the sketches as NAME-sketch.svg and the plots as NAME-K.svg. Throws InputError where something
// else of such a name is there, which `refuse_other_files` tells before the examples run.
void refuse_other_files(const std::filesystem::path& folder, const std::vector<const Entry*>& entries);
void write_report(const std::filesystem::path& folder, const std::vector<Outcome>& outcomes, const ReportHead& head);

}  // namespace areia::verify

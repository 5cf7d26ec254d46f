// What a verification shows: lines for the terminal, JSON for programs, and a folder with pages and plots.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "verify/entry.h"

namespace areia::verify {

std::string verdict_word(Verdict v);
std::string number_text(double v);

// The table of one example as plain text.
std::string outcome_text(const Outcome& o);
nlohmann::json outcome_json(const Outcome& o);

std::string svg_plot(const Plot& plot);

struct ReportHead {
  std::string command, machine, date;
  double seconds = 0;
};
// index.md, index.html and the plots as NAME-K.svg.
void write_report(const std::filesystem::path& folder, const std::vector<Outcome>& outcomes, const ReportHead& head);

}  // namespace areia::verify

// Verified examples: one entry each, one small function. A file of entries gives its list; registry.cpp joins them.
#pragma once
#include <string>
#include <vector>

#include "verify/sheet.h"

namespace areia::verify {

struct Entry {
  std::string name;
  std::string title;
  std::string source;              // where its values are printed or derived
  std::vector<std::string> cases;  // reference cases that it covers
  bool quick = true;               // part of a quick verification
  void (*run)(Sheet&) = nullptr;
};

std::vector<Entry> impact_entries();
std::vector<Entry> sliding_entries();
std::vector<Entry> formula_entries();
std::vector<Entry> segregation_entries();
std::vector<Entry> pile_entries();
std::vector<Entry> field_entries();
std::vector<Entry> bond_entries();
std::vector<Entry> law_entries();
std::vector<Entry> wall_entries();
std::vector<Entry> implicit_entries();
std::vector<Entry> bucket_entries();
std::vector<Entry> chute_entries();
std::vector<Entry> jet_entries();
std::vector<Entry> collision_entries();
std::vector<Entry> lab_entries();
std::vector<Entry> event_entries();
std::vector<Entry> chung_ooi_entries();

// All of them, in the order of the report.
const std::vector<Entry>& entries();

struct Outcome {
  const Entry* entry = nullptr;
  Sheet sheet;
  double seconds = 0;
  Verdict verdict() const;  // the worst of its rows
};

// Never throws for what the example does: a run that stops is a row that fails.
Outcome run_entry(const Entry& entry, const Options& options);

}  // namespace areia::verify

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>

#include "verify/entry.h"

namespace areia::verify {

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = [] {
    std::vector<Entry> joined;
    for (const auto part :
         {impact_entries, sliding_entries, formula_entries, law_entries, bond_entries, field_entries, wall_entries,
          implicit_entries, segregation_entries, pile_entries, bucket_entries, chute_entries, jet_entries,
          collision_entries, lab_entries, event_entries, chung_ooi_entries})
      for (Entry& e : part()) joined.push_back(std::move(e));
    return joined;
  }();
  return all;
}

Verdict Outcome::verdict() const {
  Verdict worst = sheet.rows.empty() ? Verdict::fail : Verdict::pass;
  for (const Row& r : sheet.rows) worst = std::max(worst, r.verdict);
  return worst;
}

Outcome run_entry(const Entry& entry, const Options& options) {
  Outcome o{&entry, Sheet(options)};
  const auto start = std::chrono::steady_clock::now();
  try {
    entry.run(o.sheet);
  } catch (const std::exception& e) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    o.sheet.rows.push_back({"the run", kNone, kNone, 0, Verdict::fail, e.what(), {}, {}});
  }
  o.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return o;
}

}  // namespace areia::verify

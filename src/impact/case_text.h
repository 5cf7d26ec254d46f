// One case of a file of collisions: what its text says, and where in the text its results go.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "areia/error.h"
#include "impact/json_scan.h"
#include "impact/models.h"

namespace areia::impact {

// A place of the text that gives way to a result, or (without result) is dropped.
struct Edit {
  const char* from = nullptr;
  const char* to = nullptr;
  int run = kDrop;  // which run's result; kCase: that of the case itself
  std::string_view indent;

  static constexpr int kDrop = -2, kCase = -1;
};

// A coefficient as written: number or word.
struct WrittenParam {
  std::string_view name, word;
  double number = 0;
  bool is_word = false;
  const char* at = nullptr;
};

struct RunText {
  std::string_view model;
  const char* at = nullptr;
  std::array<WrittenParam, 12> params{};
  int params_size = 0;
  Model resolved;
};

enum class CaseKind { unknown, impact, general, multi, pendulum, diagram, passed_on };

struct CaseText {
  CaseKind kind = CaseKind::unknown;
  const char* at = nullptr;
  LocalMass mass;
  Pre pre;
  bool has_local = false, has_pre = false, rotates = false;
  std::vector<std::vector<double>> M, WN, WT, Wth, w;  // one contact: one row
  std::vector<double> qdotA;
  bool one_contact = true;                             // WN was a list of numbers
  double m = 0, L = 0, theta0 = 0, omegaA = 0, v = 0;  // the pendulum
  bool has_system = false, has_runs = false;
  RunText own;  // model and params of the case itself
  std::vector<RunText> runs;
  std::vector<Edit> edits;

  void clear();
};

// Reads case after case; problems are collected with file, line and key.
class CaseReader {
 public:
  CaseReader(JsonScan& scan, std::vector<Problem>& problems);

  // The scan stands at a case; goes through it. False: it has problems.
  bool read(std::size_t index, CaseText& c);

  void problem(const char* at, std::string key, std::string_view value, std::string rule);
  std::string key(std::string_view part = "", std::string_view item = "") const;

 private:
  template <class Member>
  void members(CaseText& c, int run, Member&& member);
  template <std::size_t N>
  unsigned numbers(std::string_view part, const std::array<std::string_view, N>& names, std::array<double, N>& values,
                   unsigned required);
  void rows(std::string_view part, std::vector<std::vector<double>>& out, bool& flat);
  void read_run(CaseText& c, RunText& run, int index);
  void read_params(RunText& run);
  void resolve(RunText& run, std::string_view fallback_model);
  void check(CaseText& c, std::string_view kind);

  JsonScan& scan_;
  std::vector<Problem>& problems_;
  std::size_t case_ = 0;
  int run_ = -1;
  std::string_view part_, item_;
};

}  // namespace areia::impact

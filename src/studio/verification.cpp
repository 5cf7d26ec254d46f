#include "studio/verification.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>

#include "areia/error.h"
#include "io/files/atomic_file.h"
#include "studio/plain_file.h"
#include "studio/run_list.h"
#include "verify/report.h"

namespace areia::studio {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

constexpr std::uintmax_t kLongestReport = 64 << 20;
constexpr int kNice = 10;  // runs come first

}  // namespace

Answer Verification::list() const {
  ordered_json reports = ordered_json::array();
  for (const std::string& path : folders_of(folder_, verify::kReportKind)) {
    const fs::path file = (path == "." ? folder_ : folder_ / path) / verify::kReportData;
    reports.push_back({{"path", path}, {"data", is_plain_file(file)}});  // without: of an older version
  }
  const std::lock_guard lock(guard_);
  return ordered_answer(
      {{"reports", reports},
       {"quick", {{"running", running_}, {"done", done_}, {"of", of_}, {"there", !report_.empty()}}}});
}

Answer Verification::report(const std::optional<std::string>& path) const {
  if (!path) {
    const std::lock_guard lock(guard_);
    return report_.empty() ? refusal(404, "the quick examples were not run here yet")
                           : Answer{200, "application/json", report_};
  }
  const std::optional<fs::path> folder = find_folder_of(folder_, *path, verify::kReportKind);
  if (!folder || !is_plain_file(*folder / verify::kReportData)) return refusal(404, "there is no such report");
  const PlainFile file(*folder / verify::kReportData);
  if (file.size() > kLongestReport) return refusal(422, "this report is too long");
  return {200, "application/json", file.part(file.size(), false)};
}

Answer Verification::start() {
  const std::lock_guard lock(guard_);
  if (!running_) {
    if (worker_.joinable()) worker_.join();  // it is over
    running_ = true;
    done_ = of_ = 0;
    worker_ = std::thread([this] { run(); });
  }
  return ordered_answer({{"running", true}});
}

void Verification::end() {
  ending_ = true;
  if (worker_.joinable()) worker_.join();
}

void Verification::run() {
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNice);
  const auto begin = std::chrono::steady_clock::now();
  std::vector<const verify::Entry*> quick;
  for (const verify::Entry& e : verify::entries())
    if (e.quick) quick.push_back(&e);
  {
    const std::lock_guard lock(guard_);
    of_ = quick.size();
  }
  std::vector<verify::Outcome> outcomes;
  for (const verify::Entry* e : quick) {
    if (ending_) return;
    outcomes.push_back(verify::run_entry(*e, verify::Options{}));
    const std::lock_guard lock(guard_);
    ++done_;
  }
  verify::ReportHead head;
  head.command = "areia verify --quick --threads 1";
  head.date = fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(std::time(nullptr)));
  head.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::string data = verify::report_json(outcomes, head).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  const std::lock_guard lock(guard_);
  report_ = std::move(data);
  running_ = false;
}

}  // namespace areia::studio

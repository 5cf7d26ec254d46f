// Reports of `areia verify --report` for the page, and the quick examples run here.
//
//   GET  /api/verification                      reports below the folder, and how far the quick examples are, JSON
//   GET  /api/verification/report?report=PATH   the data of one, as the file has them; without a path those of the
//   quick
//                                               examples that were run here
//   POST /api/verification/quick                runs them, on a thread of its own, with low priority
#pragma once
#include <atomic>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "studio/routes.h"

namespace areia::studio {

inline constexpr const char* kVerification = "/api/verification";
inline constexpr const char* kVerificationReport = "/api/verification/report";
inline constexpr const char* kVerificationQuick = "/api/verification/quick";

class Verification {
 public:
  explicit Verification(std::filesystem::path folder) : folder_(std::move(folder)) {}
  ~Verification() { end(); }
  Verification(const Verification&) = delete;
  Verification& operator=(const Verification&) = delete;

  Answer list() const;
  Answer report(const std::optional<std::string>& path) const;
  Answer start();
  void end();  // waits for the example that runs

 private:
  void run();

  std::filesystem::path folder_;
  std::thread worker_;
  std::atomic<bool> ending_ = false;
  mutable std::mutex guard_;  // of what follows
  bool running_ = false;
  std::size_t done_ = 0, of_ = 0;
  std::string report_;  // of the last time; empty: none yet
};

}  // namespace areia::studio

// Who waits for a picture. A page that asks anew, because its camera moved, no longer wants what it asked for before:
// of each client only the last request is drawn, and one that is being drawn is given up for the next.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace areia::studio {

class Turns {
 public:
  // The turn of a request that has just come.
  std::uint64_t enter(const std::string& client) {
    const std::lock_guard lock(mutex_);
    if (latest_.size() >= kMostClients && !latest_.contains(client))
      latest_.erase(std::min_element(latest_.begin(), latest_.end(),
                                     [](const auto& a, const auto& b) -> bool { return a.second < b.second; }));
    return latest_[client] = ++last_;
  }
  bool is_latest(const std::string& client, std::uint64_t turn) {
    const std::lock_guard lock(mutex_);
    const auto found = latest_.find(client);
    return found != latest_.end() && found->second == turn;
  }

 private:
  static constexpr std::size_t kMostClients = 64;
  std::mutex mutex_;
  std::map<std::string, std::uint64_t> latest_;
  std::uint64_t last_ = 0;
};

}  // namespace areia::studio

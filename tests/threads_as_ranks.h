// Ranks that are threads of one process, so that tests need no MPI and sanitizers see all of them.
#pragma once
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "areia/error.h"
#include "engine/ranks/rank_backend.h"

namespace areia::test {

class ThreadRanks {
 public:
  explicit ThreadRanks(int size) : size_(size), mail_(static_cast<std::size_t>(size * size)) {
    for (int r = 0; r < size; ++r) links_.emplace_back(*this, r);
    for (int r = 1; r < size; ++r)
      threads_.emplace_back([this, r] {
        try {
          ranks::serve(links_[static_cast<std::size_t>(r)]);
        } catch (const StoppedError&) {  // another one has failed
        }
      });
  }
  ~ThreadRanks() {
    if (link().is_given_up()) fail("rank 0 gave up");
    else ranks::dismiss(link());
    for (std::thread& t : threads_) t.join();
  }
  ranks::Link& link() { return links_[0]; }  // of rank 0

  struct Sent {
    std::int64_t messages = 0, words = 0;
  };
  Sent sent() {
    const std::lock_guard lock(mutex_);
    return sent_;
  }
  // From now on this rank fails when it sends something.
  void break_rank(int rank) {
    const std::lock_guard lock(mutex_);
    broken_ = rank;
  }

 private:
  class Link final : public ranks::Link {
   public:
    Link(ThreadRanks& all, int rank) : all_(all), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return all_.size_; }
    int here() const override { return 1; }  // tests say how many threads
    void send(int to, const ranks::Message& message) override { all_.post(rank_, to, message); }
    void receive(int from, ranks::Message& message) override { message = all_.fetch(from, rank_); }
    void finish_sends() override {}
    void take_largest(std::span<double> numbers) override { all_.take_largest(numbers); }
    void tell_failure(const std::string& why) override { all_.fail("rank " + std::to_string(rank_) + ": " + why); }

   private:
    ThreadRanks& all_;
    int rank_;
  };

  void post(int from, int to, const ranks::Message& message) {
    const std::lock_guard lock(mutex_);
    if (from == broken_) throw std::runtime_error("out of order");
    ++sent_.messages;
    sent_.words += static_cast<std::int64_t>(message.size());
    box(from, to).push_back(message);
    changed_.notify_all();
  }
  ranks::Message fetch(int from, int to) {
    std::unique_lock lock(mutex_);
    wait(lock, [&] { return !box(from, to).empty(); });
    ranks::Message message = std::move(box(from, to).front());
    box(from, to).pop_front();
    return message;
  }
  void take_largest(std::span<double> numbers) {
    std::unique_lock lock(mutex_);
    if (there_ == 0) largest_.assign(numbers.begin(), numbers.end());
    for (std::size_t k = 0; k < numbers.size(); ++k) largest_[k] = std::max(largest_[k], numbers[k]);
    const std::uint64_t round = round_;
    if (++there_ == size_) {
      result_ = largest_;
      there_ = 0;
      ++round_;
      changed_.notify_all();
    }
    wait(lock, [&] { return round_ != round; });
    std::copy(result_.begin(), result_.end(), numbers.begin());
  }
  void fail(const std::string& why) {
    const std::lock_guard lock(mutex_);
    if (failure_.empty()) failure_ = why;
    changed_.notify_all();
  }
  template <class Condition>
  void wait(std::unique_lock<std::mutex>& lock, Condition&& is_true) {
    changed_.wait(lock, [&] { return is_true() || !failure_.empty(); });
    if (!is_true()) throw StoppedError(failure_);
  }
  std::deque<ranks::Message>& box(int from, int to) { return mail_[static_cast<std::size_t>(from * size_ + to)]; }

  int size_;
  std::deque<Link> links_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::deque<ranks::Message>> mail_;
  Sent sent_;
  int broken_ = -1;
  int there_ = 0;
  std::uint64_t round_ = 0;
  std::vector<double> largest_, result_;
  std::string failure_;
};

}  // namespace areia::test

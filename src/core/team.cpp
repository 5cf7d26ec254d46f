#include "core/team.h"

#include <time.h>

#include <algorithm>
#include <utility>

namespace areia {

namespace {

// About what it takes to put a thread to sleep and to wake it again.
constexpr std::chrono::microseconds kPatience{30};

// Jobs are judged after this time together; whoever is sent to rest comes back after the first, or after twice the
// last, of these times.
constexpr double kJudged = 0.02;  // s
constexpr std::chrono::milliseconds kFirstRest{200}, kLongestRest{3200};

double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

template <class Done>
void wait_until(const std::atomic<std::uint32_t>& word, Done&& done) {
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  do {
    for (int k = 0; k < 32; ++k) {
      if (done(word.load(std::memory_order_acquire))) return;
      pause();
    }
  } while (std::chrono::steady_clock::now() < give_up);
  for (std::uint32_t seen = word.load(std::memory_order_acquire); !done(seen);
       seen = word.load(std::memory_order_acquire))
    word.wait(seen, std::memory_order_acquire);
}

}  // namespace

Team::Team(int threads) : invited_(std::max(1, threads)), account_(invited_) {
  threads_.reserve(invited_ - 1);
  for (int member = 1; member < invited_; ++member) threads_.emplace_back([this, member] { serve(member); });
}

Team::~Team() {
  over_.store(true, std::memory_order_relaxed);
  job_.fetch_add(1, std::memory_order_release);
  job_.notify_all();
  for (std::thread& t : threads_) t.join();
}

void Team::run(std::int64_t count, Call call, void* function) {
  const auto begun = std::chrono::steady_clock::now();
  if (invited_ < size() && rested()) invited_ = std::min(size(), 2 * invited_);
  for (Account& a : account_) a.processor = 0;
  call_ = call;
  function_ = function;
  count_ = count;
  next_.store(0, std::memory_order_relaxed);
  gate_.store(1, std::memory_order_release);
  job_.fetch_add(1, std::memory_order_release);
  job_.notify_all();
  take_pieces(0);
  gate_.fetch_sub(1, std::memory_order_acq_rel);
  wait_until(gate_, [](std::uint32_t gate) { return gate == 0; });
  judge(std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

bool Team::rested() { return std::chrono::steady_clock::now() >= rest_ends_; }

void Team::judge(double elapsed) {
  elapsed_ += elapsed;
  for (const Account& a : account_) processor_ += a.processor;
  if (elapsed_ < kJudged) return;
  if (2 * processor_ < invited_ * elapsed_) {
    invited_ = std::max(1, invited_ / 2);
    rest_ = std::clamp(2 * rest_, kFirstRest, kLongestRest);
    rest_ends_ = std::chrono::steady_clock::now() + rest_;
  } else if (invited_ == size()) {
    rest_ = {};
  }
  elapsed_ = processor_ = 0;
}

void Team::take_pieces(int member) {
  const double begun = processor_time();
  try {
    for (std::int64_t k; (k = next_.fetch_add(1, std::memory_order_relaxed)) < count_;) call_(function_, k, member);
  } catch (...) {
    const std::scoped_lock lock(throwing_);
    if (!thrown_) thrown_ = std::current_exception();
    next_.store(count_, std::memory_order_relaxed);
  }
  account_[member].processor = processor_time() - begun;
}

void Team::serve(int member) {
  for (std::uint32_t seen = 0;;) {
    wait_until(job_, [&](std::uint32_t job) { return job != seen; });
    seen = job_.load(std::memory_order_acquire);
    if (over_.load(std::memory_order_relaxed)) return;
    std::uint32_t gate = gate_.load(std::memory_order_relaxed);
    while (gate & 1 && !gate_.compare_exchange_weak(gate, gate + 2, std::memory_order_acquire)) {}
    if (!(gate & 1)) continue;
    if (member < invited_) take_pieces(member);
    if (gate_.fetch_sub(2, std::memory_order_acq_rel) == 2) gate_.notify_one();
  }
}

}  // namespace areia

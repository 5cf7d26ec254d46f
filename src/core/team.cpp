#include "core/team.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <system_error>
#include <utility>

#include "areia/error.h"

namespace areia {

namespace {

// About what it takes to put a thread to sleep and to wake it again.
constexpr std::chrono::microseconds kPatience{30};

constexpr std::int64_t kFewJobs = 3;  // of a kind, too few to tell its rate
constexpr double kNoMoreOfThem = 20;  // windows without enough jobs of the kind that a trial goes by

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

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

void dismiss(std::atomic<bool>& over, std::atomic<std::uint32_t>& job, std::vector<std::thread>& threads) {
  over.store(true, std::memory_order_relaxed);
  job.fetch_add(1, std::memory_order_release);
  job.notify_all();
  for (std::thread& t : threads) t.join();
}

}  // namespace

Team::Team(int threads) : choice_(threads), invited_(choice_.now()), account_(invited_) {
  begun_ = now();
  try {
    threads_.reserve(invited_ - 1);
    for (int member = 1; member < invited_; ++member) threads_.emplace_back([this, member] { serve(member); });
  } catch (const std::system_error& e) {
    const std::size_t there = threads_.size();
    dismiss(over_, job_, threads_);
    throw StoppedError(fmt::format("the system gives no more threads than {} of {} ({}); --threads {} may do", there,
                                   invited_ - 1, e.what(), 1 + there));
  } catch (...) {
    dismiss(over_, job_, threads_);
    throw;
  }
}

Team::~Team() { dismiss(over_, job_, threads_); }

void Team::run(std::int64_t count, Call call, void* function) {
  const double begun = now();
  call_ = call;
  function_ = function;
  count_ = count;
  if (choice_.now() == 1) {
    for (std::int64_t k = 0; k < count; ++k) call(function, k, 0);
    const double elapsed = now() - begun;
    return account_for(elapsed, elapsed);
  }
  invited_ = choice_.now();
  for (Account& a : account_) a.processor = 0;
  next_.store(0, std::memory_order_relaxed);
  gate_.store(1, std::memory_order_release);
  job_.fetch_add(1, std::memory_order_release);
  job_.notify_all();
  take_pieces(0);
  gate_.fetch_sub(1, std::memory_order_acq_rel);
  wait_until(gate_, [](std::uint32_t gate) { return gate == 0; });
  double processor = 0;
  for (const Account& a : account_) processor += a.processor;
  account_for(now() - begun, processor);
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void Team::account_for(double elapsed, double processor) {
  elapsed_ += elapsed;
  processor_ += processor;
  auto kind = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& k) { return k.call == call_; });
  if (kind == kinds_.end()) kind = kinds_.insert(kind, Kind{call_});
  ++kind->jobs;
  kind->pieces += static_cast<double>(count_);
  kind->elapsed += elapsed;
  if (elapsed_ < ThreadChoice::kWindow) return;
  if (!choice_.tries()) {
    kind = std::max_element(kinds_.begin(), kinds_.end(),
                            [](const Kind& a, const Kind& b) { return a.elapsed < b.elapsed; });
    judged_ = kind->call;
  }
  const bool enough = kind->call == judged_ && kind->jobs >= kFewJobs && kind->elapsed >= 0.5 * ThreadChoice::kWindow;
  const double at = now() - begun_;
  if (enough) choice_.judge(kind->pieces, processor_ / elapsed_ * kind->elapsed, kind->elapsed, at);
  else if (elapsed_ > kNoMoreOfThem * ThreadChoice::kWindow && choice_.tries()) choice_.give_up(at);
  else return;
  kinds_.clear();
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

// Threads that work through numbered pieces together, again and again.
//
// Between two jobs, and at the end of one, somebody waits. Waiting in a loop answers within a fraction of a
// microsecond, but where the machine has other work to do, the one who waits takes the processor from the one it waits
// for: a step then takes as long as the system's time slices, not as long as its work. So a wait is a short loop, and
// after that a sleep from which the other wakes it. And a job is not kept waiting for threads that have not come: who
// comes before its last piece is taken joins in, who comes later finds the gate closed.
//
// That is not enough where a thread is taken off the processor in the middle of a piece and the others wait for it. So
// the team keeps an account of what its jobs do, the time that they took and the processor time that went into them,
// and chooses by it how many threads it invites (thread_choice.h). Jobs of different kinds cannot be compared: rates
// are those of the kind that takes most of the time. Nothing that is computed depends on who takes which piece, and
// when.
#pragma once
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

#include "core/thread_choice.h"

namespace areia {

class Team {
 public:
  // The calling thread is one of them.
  explicit Team(int threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int size() const { return 1 + static_cast<int>(threads_.size()); }
  int settled() const { return choice_.settled(); }  // that share the work, but for trials

  // f(k, member) for k = 0 .. count - 1, handed out in this order; member < size() tells threads apart. Returns when
  // all are done; an exception of any piece comes out here, and pieces that nobody has begun by then are left.
  template <class F>
  void for_each(std::int64_t count, F&& f) {
    if (count <= 1 || threads_.empty()) {
      for (std::int64_t k = 0; k < count; ++k) f(k, 0);
      return;
    }
    using Function = std::remove_reference_t<F>;
    run(
        count, [](void* g, std::int64_t k, int member) { (*static_cast<Function*>(g))(k, member); },
        const_cast<void*>(static_cast<const void*>(&f)));
  }
  // The same for pieces of so many consecutive numbers: f(begin, end, member).
  template <class F>
  void for_each_piece(std::int64_t count, std::int64_t length, F&& f) {
    for_each((count + length - 1) / length, [&](std::int64_t piece, int member) {
      f(piece * length, piece * length + length < count ? piece * length + length : count, member);
    });
  }

 private:
  using Call = void (*)(void*, std::int64_t, int);
  void run(std::int64_t count, Call call, void* function);
  void take_pieces(int member);
  void serve(int member);
  void account_for(double elapsed, double processor);

  std::vector<std::thread> threads_;
  // the present job
  Call call_ = nullptr;
  void* function_ = nullptr;
  std::int64_t count_ = 0;
  std::exception_ptr thrown_;
  std::mutex throwing_;
  alignas(64) std::atomic<std::uint32_t> job_{0};   // its number; threads wait for the next one
  alignas(64) std::atomic<std::int64_t> next_{0};   // piece
  alignas(64) std::atomic<std::uint32_t> gate_{0};  // 1: open; and 2 for each thread that has joined in
  std::atomic<bool> over_{false};

  // the account
  ThreadChoice choice_;
  int invited_ = 1;  // to the present job
  struct alignas(64) Account {
    double processor = 0;  // s, of the present job
  };
  std::vector<Account> account_;
  struct Kind {
    Call call;
    std::int64_t jobs = 0;
    double pieces = 0, elapsed = 0;  // s
  };
  std::vector<Kind> kinds_;             // since it was judged
  double elapsed_ = 0, processor_ = 0;  // s, of all kinds
  Call judged_ = nullptr;               // the kind that a trial goes by
  double begun_ = 0;                    // s, when the team was made
};

}  // namespace areia

// Pieces of a picture on all cores: f(begin, end) for stretches of `length` numbers below `count`. Within a piece the
// work is done by its thread alone, so that several pictures at once take a core each.
#pragma once
#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>

#include "core/cores.h"
#include "core/team.h"

namespace areia {

// A picture may take longer than somebody waits for it. While one of these lives, the loops of its thread ask before
// each piece whether the picture is still wanted, and end with GivenUp where it is not.
struct GivenUp : std::exception {
  const char* what() const noexcept override { return "nobody waits for this picture any more"; }
};
class WhileWanted {
 public:
  explicit WhileWanted(std::function<bool()> wanted) : wanted_(std::move(wanted)), before_(now_) { now_ = this; }
  ~WhileWanted() { now_ = before_; }
  WhileWanted(const WhileWanted&) = delete;
  WhileWanted& operator=(const WhileWanted&) = delete;

  static const WhileWanted* now() { return now_; }
  void ask() const {
    if (!wanted_()) throw GivenUp();
  }

 private:
  std::function<bool()> wanted_;
  const WhileWanted* before_;
  inline static thread_local const WhileWanted* now_ = nullptr;
};

inline thread_local bool within_parallel = false;

template <class F>
void in_parallel(std::int64_t count, std::int64_t length, F&& f) {
  const WhileWanted* wanted = WhileWanted::now();
  const auto piece = [&](std::int64_t begin, std::int64_t end) {
    if (wanted) wanted->ask();
    f(begin, end);
  };
  if (within_parallel || count <= length) {
    for (std::int64_t begin = 0; begin < count; begin += length) piece(begin, std::min(count, begin + length));
    return;
  }
  Team team(usable_cores().count);
  team.for_each_piece(count, length, [&](std::int64_t begin, std::int64_t end, int) {
    struct Within {
      Within() { within_parallel = true; }
      ~Within() { within_parallel = false; }
    } within;
    piece(begin, end);
  });
}

}  // namespace areia

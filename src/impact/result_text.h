// Results of collisions as JSON text, with the field names of the reference cases. Numbers are the shortest that read
// back to the same bits.
#pragma once
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>
#include <string_view>
#include <vector>

#include "impact/diagram.h"
#include "impact/many_contacts.h"

namespace areia::impact {

// A buffer before a sink.
class TextOut {
 public:
  explicit TextOut(const std::function<void(std::string_view)>& write) : write_(write), buffer_(kSize) {}
  void text(std::string_view s) {
    if (s.size() > kSize - used_) {
      flush();
      if (s.size() > kSize) {
        write_(s);
        return;
      }
    }
    std::memcpy(buffer_.data() + used_, s.data(), s.size());
    used_ += s.size();
  }
  void number(double x) {
    if (!std::isfinite(x)) {  // JSON has no word for it
      text(x > 0 ? "\"inf\"" : "\"-inf\"");
      return;
    }
    if (kSize - used_ < 32) flush();
    char* at = buffer_.data() + used_;
    used_ += std::to_chars(at, at + 32, x).ptr - at;
  }
  void flush() {
    if (used_ > 0) write_({buffer_.data(), used_});
    used_ = 0;
  }

 private:
  static constexpr std::size_t kSize = 1 << 18;
  const std::function<void(std::string_view)>& write_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
};

// {"status":"ok","mode":...}; `more` is set for results that carry velocities of the coordinates.
struct ResultExtras {
  const std::vector<double>* qdotE = nullptr;
  const double* omegaE = nullptr;
  bool inertial = false;
};
void write_result(TextOut& out, const Impact& r, Law law, bool rotates, const ResultExtras& extras = {});
void write_result(TextOut& out, const ManyImpact& r);
void write_result(TextOut& out, const Diagram& d);

}  // namespace areia::impact

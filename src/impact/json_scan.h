// Goes through JSON text once, without building anything: for files of a million collisions. What a reader does not ask
// for is skipped, and checked to be JSON all the same.
#pragma once
#include <charconv>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

#include "areia/error.h"

namespace areia::impact {

class JsonScan {
 public:
  JsonScan(std::string_view text, std::string file)
      : begin_(text.data()), p_(text.data()), end_(text.data() + text.size()), file_(std::move(file)) {}

  const char* at() const { return p_; }
  int line(const char* at) const {
    int n = 1;
    for (const char* c = begin_; c < at && (c = static_cast<const char*>(std::memchr(c, '\n', at - c))); ++c) ++n;
    return n;
  }
  const std::string& file() const { return file_; }

  [[noreturn, gnu::noinline, gnu::cold]] void fail(const std::string& rule) const {
    const char* stop = p_;
    while (stop < end_ && stop - p_ < 24 && *stop != '\n') ++stop;
    throw InputError({Problem{file_, line(p_), where(), p_ == end_ ? "(end)" : std::string(p_, stop), rule}});
  }

  char peek() {
    while (p_ < end_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\t' || *p_ == '\r')) ++p_;
    return p_ < end_ ? *p_ : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++p_;
    return true;
  }
  void need(char c) {
    if (!take(c)) [[unlikely]]
      expected(c);
  }
  bool done() { return peek() == '\0' && p_ >= end_; }

  // Without its quotes; escapes as written.
  std::string_view string() {
    need('"');
    const char* from = p_;
    for (;; ++p_) {
      if (p_ >= end_) fail("is not JSON: a string does not end");
      const unsigned char c = static_cast<unsigned char>(*p_);
      if (c == '"') break;
      if (c < 0x20) fail("is not JSON: a line or control character within a string");
      if (c == '\\' && ++p_ >= end_) fail("is not JSON: a string does not end");
    }
    return {from, static_cast<std::size_t>(p_++ - from)};
  }

  double number() {
    const char first = peek();
    const char* digit = first == '-' ? p_ + 1 : p_;
    if (digit >= end_ || *digit < '0' || *digit > '9') fail("must be a number");
    if (*digit == '0' && digit + 1 < end_ && digit[1] >= '0' && digit[1] <= '9') fail("is not JSON: a leading zero");
    double x = 0;
    const auto r = std::from_chars(p_, end_, x);
    if (r.ec != std::errc() || r.ptr[-1] < '0' || r.ptr[-1] > '9') fail("must be a number that fits in 64 bits");
    p_ = r.ptr;
    return x;
  }

  // {"key": value, ...}: f(key) must go through the value.
  template <class F>
  void object(F&& f) {
    need('{');
    if (take('}')) return;
    do {
      const std::string_view key = string();
      need(':');
      peek();
      f(key);
    } while (take(','));
    need('}');
  }
  template <class F>
  void array(F&& f) {
    need('[');
    if (take(']')) return;
    do {
      peek();
      f();
    } while (take(','));
    need(']');
  }

  void skip(int depth = 0) {
    if (depth > 200) fail("is nested too deeply");
    switch (peek()) {
      case '{':
        object([&](std::string_view) { skip(depth + 1); });
        return;
      case '[':
        array([&] { skip(depth + 1); });
        return;
      case '"':
        string();
        return;
      case 't':
        word("true");
        return;
      case 'f':
        word("false");
        return;
      case 'n':
        word("null");
        return;
      default:
        number();
    }
  }

  std::function<std::string()> where = [] { return std::string(); };  // what is being read, for messages

 private:
  [[noreturn, gnu::noinline, gnu::cold]] void expected(char c) const {
    fail(std::string("is not JSON: expected `") + c + "`");
  }
  void word(std::string_view w) {
    if (static_cast<std::size_t>(end_ - p_) < w.size() || std::string_view(p_, w.size()) != w) fail("is not JSON");
    p_ += w.size();
  }

  const char *begin_, *p_, *end_;
  std::string file_;
};

}  // namespace areia::impact

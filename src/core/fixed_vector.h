// A vector of at most so many plain elements that lie in the object itself: for code that runs on an accelerator, where
// nothing can be allocated. What goes beyond its end is left out, and `overflowed` says so from then on: whoever uses a
// result looks there first.
#pragma once
#include <cstddef>
#include <type_traits>

#include "areia/portable.h"

namespace areia {

template <class T, std::size_t most>
class FixedVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  static constexpr std::size_t kMost = most;
  bool overflowed = false;

  // Of one place at most, the compiler is told so: then it lies in registers.
  AREIA_PORTABLE std::size_t size() const { return most == 1 ? static_cast<std::size_t>(size_ > 0) : size_; }
  AREIA_PORTABLE bool empty() const { return size_ == 0; }
  AREIA_PORTABLE T* data() { return at_.items; }
  AREIA_PORTABLE const T* data() const { return at_.items; }
  AREIA_PORTABLE T* begin() { return at_.items; }
  AREIA_PORTABLE const T* begin() const { return at_.items; }
  AREIA_PORTABLE T* end() { return at_.items + size_; }
  AREIA_PORTABLE const T* end() const { return at_.items + size_; }
  AREIA_PORTABLE T& operator[](std::size_t k) { return at_.items[most == 1 ? 0 : k]; }
  AREIA_PORTABLE const T& operator[](std::size_t k) const { return at_.items[most == 1 ? 0 : k]; }

  AREIA_PORTABLE void clear() { size_ = 0; }
  AREIA_PORTABLE void push_back(const T& item) {
    if (size_ == most) overflowed = true;
    else (*this)[size_++] = item;
  }
  AREIA_PORTABLE void resize(std::size_t size, const T& item = {}) {
    if (size > most) overflowed = true;
    const std::size_t before = size_;
    size_ = size < most ? size : most;
    for (std::size_t k = before; k < size_; ++k) at_.items[k] = item;
  }
  AREIA_PORTABLE void assign(std::size_t size, const T& item) {
    clear();
    resize(size, item);
  }
  // Those from `first` up to `last` go; the rest moves up.
  AREIA_PORTABLE T* erase(T* first, const T* last) {
    T* to = first;
    for (const T* from = last; from != end(); ++from) *to++ = *from;
    size_ = to - begin();
    return first;
  }

 private:
  // Elements are written before they are read: many of them, none of which may ever be used, are not made at the start.
  union Place {
    AREIA_PORTABLE Place() {}  // NOLINT(modernize-use-equals-default): that is deleted where T has one
    T items[most];
  };
  Place at_;
  std::size_t size_ = 0;
};

}  // namespace areia

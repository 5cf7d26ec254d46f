// What a particle adds up, and in which order: the rule of sums.
//
// A sum of doubles depends on the order of its terms, and the lists that bring the terms follow from skins, chunks and
// memory order, which must not enter a result. So a contact adds nothing anywhere: it writes a letter to each of its two
// particles, and each particle then adds its letters by ascending id of the partner, from zero. Walls follow, by wall and
// patch, then bonds in the order in which they were made. Nothing else decides on the bits of a force.
//
// The letters of pairs within a chunk live as long as the chunk is at work; those across chunks have places of their own,
// each with one writer and one reader. Letters of pairs that do not touch are not written. Their places in the order are
// known all the same, since pairs come to touch at any step, and refer to an empty letter until they do.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/vec4.h"

namespace areia::cpu {

struct alignas(64) Letter {  // force with 1 for the contact in w, and torque
  Vec4 force, torque;
};

// Where a letter lies: its number among those of the chunk, or, with kShared, among those across chunks.
using LetterPlace = std::uint32_t;
inline constexpr LetterPlace kShared = 1u << 31;
inline constexpr LetterPlace kMostLetters = 1u << 28;
inline constexpr LetterPlace kFirstLetter = 2;  // of a chunk's own: the first two are empty

// A letter that a particle may get, as one number to sort by: the id of its writer, then its place, with kTouching while
// the two touch.
using Delivery = std::uint64_t;
inline constexpr LetterPlace kTouching = 1u << 30;
constexpr Delivery delivery(std::uint32_t from_id, LetterPlace place, bool touching) {
  return std::uint64_t{from_id} << 32 | place | (touching ? kTouching : 0);
}

// The order of letters for the particles of one chunk. Particles with the same number of letters stand together, so that
// the loop over the letters of one has the same length again and again.
class Inbox {
 public:
  // Of the slots begin .. begin + count. each(f) calls f(slot, delivery) for every letter; it is called twice.
  template <class Each>
  void make(std::uint32_t begin, std::uint32_t count, Each&& each) {
    static thread_local std::vector<std::uint32_t> number, next;
    static thread_local std::vector<Delivery> unsorted;
    begin_ = begin;
    number.assign(count, 0);
    each([&](std::uint32_t slot, Delivery) { ++number[slot - begin]; });
    arrange(number);
    next.assign(first_.begin(), first_.end());
    unsorted.resize(place_.size() + kBehind);
    each([&](std::uint32_t slot, Delivery d) { unsorted[next[slot - begin]++] = d; });
    sort(number, unsorted);
  }
  // A pair has come to touch, or does so no longer.
  void set(std::uint32_t slot, LetterPlace place, bool touching);
  // to[k], k from the first slot of the chunk, becomes the sum of its letters.
  void sum(const Letter* own, const Letter* shared, Twin* to) const;
  void sum_plain(const Letter* own, const Letter* shared, Twin* to) const;

  // Which letters are read at present.
  const std::vector<std::uint32_t>& now() const { return now_; }
  void set_now(const std::vector<std::uint32_t>& now) { now_ = now; }
  std::size_t bytes() const {
    return 4 * (particle_.capacity() + group_.capacity() + first_.capacity() + place_.capacity() + now_.capacity());
  }

 private:
  static constexpr std::size_t kBehind = 8;  // so that vectors may be read from any place
  void arrange(const std::vector<std::uint32_t>& number);
  void sort(const std::vector<std::uint32_t>& number, const std::vector<Delivery>& unsorted);

  std::uint32_t begin_ = 0;
  std::vector<std::uint32_t> particle_;  // k of those with 0, 1, 2, ... letters
  std::vector<std::uint32_t> group_;     // particle_[group_[n]] .. particle_[group_[n + 1]] get n letters
  std::vector<std::uint32_t> first_;     // by k: its first place; places follow each other as in particle_
  std::vector<std::uint32_t> place_;     // of letters by ascending id of their writers, in units of 8 bytes, + kShared
  std::vector<std::uint32_t> now_;       // the same, or that of the empty letter where nothing touches
};

}  // namespace areia::cpu

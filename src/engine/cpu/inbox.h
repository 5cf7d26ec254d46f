// What a particle adds up, and in which order: the rule of sums.
//
// A sum of doubles depends on the order of its terms, and the lists that bring the terms follow from skins, chunks and
// memory order, which must not enter a result. So a contact adds nothing anywhere: it writes a letter to each of its
// two particles, and each particle then adds its letters by ascending id of the partner, from zero. Walls follow, by
// wall and patch, then bonds in the order in which they were made. Nothing else decides on the bits of a force.
//
// The letters of pairs within a chunk live as long as the chunk is at work; those across chunks have places of their
// own, each with one writer and one reader. Letters of pairs that do not touch are not written. Their places in the
// order are known all the same, since pairs come to touch at any step, and refer to an empty letter until they do.
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

// The order of letters for the particles of one chunk. Particles with the same number of letters stand together, so
// that the loop over the letters of one has the same length again and again.
class Inbox {
 public:
  // Of the slots begin .. begin + count, with `letters` of their own. each(f) calls f(slot, id of the writer, place,
  // whether they touch) for every letter that may come; it is called twice. shared_at[n] becomes the entry that reads
  // letter n of those across chunks.
  template <class Each>
  void make(std::uint32_t begin, std::uint32_t count, std::uint32_t letters, std::vector<std::uint32_t>& shared_at,
            Each&& each) {
    static thread_local std::vector<std::uint32_t> number, next;
    static thread_local Unsorted unsorted;
    number.assign(count, 0);
    each([&](std::uint32_t slot, std::uint32_t, LetterPlace, bool) { ++number[slot - begin]; });
    arrange(number, next);
    unsorted.id.resize(now_.size() + kBehind);
    unsorted.place.resize(now_.size());
    own_at_.resize(letters);
    each([&](std::uint32_t slot, std::uint32_t id, LetterPlace place, bool touching) {
      const std::uint32_t at = next[slot - begin]++;
      unsorted.id[at] = static_cast<std::int32_t>(id ^ 1u << 31);  // so that signed numbers have the order of ids
      unsorted.place[at] = touching ? place | kTouching : place;
    });
    sort(unsorted, shared_at);
  }
  // A pair has come to touch, or does so no longer.
  void set(LetterPlace place, bool touching, const std::vector<std::uint32_t>& shared_at);
  // to[k], k from the first slot of the chunk, becomes the sum of its letters.
  void sum(const Letter* own, const Letter* shared, Twin* to) const;
  void sum_plain(const Letter* own, const Letter* shared, Twin* to) const;

  // Which letters are read at present.
  const std::vector<std::uint32_t>& now() const { return now_; }
  void set_now(const std::vector<std::uint32_t>& now) { now_ = now; }
  std::size_t bytes() const {
    return 4 * (particle_.capacity() + group_.capacity() + now_.capacity() + own_at_.capacity());
  }

 private:
  static constexpr std::size_t kBehind = 16;  // so that vectors may be read from any place
  static constexpr LetterPlace kTouching = 1u << 30;
  struct Unsorted {
    std::vector<std::int32_t> id;
    std::vector<LetterPlace> place;  // + kTouching
  };
  void arrange(const std::vector<std::uint32_t>& number, std::vector<std::uint32_t>& first);
  void sort(const Unsorted& unsorted, std::vector<std::uint32_t>& shared_at);

  std::vector<std::uint32_t> particle_;  // k, from the first slot on, of those with 0, 1, 2, ... letters
  std::vector<std::uint32_t> group_;     // particle_[group_[n]] .. particle_[group_[n + 1]] get n letters
  // Entries of the particles as they stand in particle_: where the letters lie, by ascending id of their writers, in
  // units of 8 bytes and + kShared; or the empty letter where nothing touches.
  std::vector<std::uint32_t> now_;
  std::vector<std::uint32_t> own_at_;  // by own letter: the entry that reads it
};

}  // namespace areia::cpu

// Which of the spheres near one will meet it: the part of a prediction that looks at every pair.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/events/flight.h"
#include "search/size_class_grid.h"

namespace areia::events {

// One line per candidate: the quadratic equation of time_to_touch, and a bit that tells whether they will meet if
// nothing comes between.
struct Meetings {
  std::vector<std::uint32_t> id;
  std::vector<double> b, c, d;
  std::vector<std::uint64_t> meet;

  std::size_t room() const { return id.size(); }
  void make_room(std::size_t n) {  // and for three more, which fill a vector
    if (n + 3 <= room()) return;
    n = (n + 3 + 63) / 64 * 64;
    id.resize(n);
    b.resize(n);
    c.resize(n);
    d.resize(n);
    meet.resize(n / 64);
  }
};

struct MeetingSearch {
  const Flight* all;
  std::size_t count;  // of the candidates in Meetings::id
  std::uint32_t self;
  Vec3d gravity;
  const Periodicity* images;  // nullptr: none
};

// Fills b, c, d and meet for the candidates of `self`. A particle and itself have b = 0 and do not meet. Both versions
// give the same bits.
using FindMeetings = void (*)(const MeetingSearch& search, Meetings& m);
void find_meetings_plain(const MeetingSearch& search, Meetings& m);
FindMeetings fastest_find_meetings();

}  // namespace areia::events

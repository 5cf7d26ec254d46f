// Event by event: fly to the first contact, solve the impact, go on; chatter is summed to its limit and becomes rest
// (docs/impact-lab.md, What happens in a run).
#pragma once
#include <functional>
#include <string>

#include "impact/collision.h"
#include "impact/many_contacts.h"
#include "impact/rest.h"
#include "impact/system.h"

namespace areia::impact {

// What one contact did in an event.
struct Hit {
  std::size_t contact = 0;
  LocalMass mass;
  Pre pre;
  Impact impact;     // of simultaneous contacts: impulses, velocities, stages; no path
  std::string mode;  // as impact.mode; "open" where a simultaneous contact took no part
};

struct Event {
  enum class Kind {
    impact,   // velocities jump
    chatter,  // the limit of infinitely many impacts: t is the accumulation time, velocities by a plastic impact
    rest,     // a contact stays closed from here on without an impact
    detach,   // a resting contact opens
    stick,    // a slipping contact sticks or reverses
    slip,     // a sticking contact slips
  };
  Kind kind = Kind::impact;
  double t = 0;
  std::vector<Hit> hits;                // impact, chatter
  std::vector<RestingContact> resting;  // after the event
  State before, after;
  double energy_before = 0, energy_after = 0;
  bool substituted = false;        // simultaneous contacts: the model was replaced by gp1
  bool moment_suppressed = false;  // cs: repeated without moment impulse
  double ratio = 0;                // chatter: last ratio of two intervals
};
const char* name(Event::Kind kind);

struct Sample {
  State state;
  double energy = 0;
  int after_event = -1;  // index of the event at this instant whose state after it this is
};

struct Options {
  Model model;
  double t_end = 1;
  double sample_step = 0;  // 0: a four hundredth of the interval
  std::size_t most_impacts = 100000;
  // Asked again and again while it works; yes ends the run with `out_of_time` (a server that has others to answer).
  std::function<bool()> enough;
};

struct Trajectory {
  std::vector<Sample> samples;  // each event instant twice, before and after
  std::vector<Event> events;
  Status status = Status::ok;
  std::string reason;                 // why it ended before its time
  bool limit_reached = false;         // too many impacts
  bool out_of_time = false;           // Options::enough
  double largest_friction_ratio = 0;  // |R_T|/R_N of resting contacts, at samples and events

  bool complete() const { return status == Status::ok && !limit_reached && !out_of_time; }
};

// Throws InputError where the start is not possible: wrong sizes, not finite, bodies overlap.
Trajectory simulate(const System&, const State& start, const Options&);

}  // namespace areia::impact

// Keys of hard spheres, numerics.events.
#include "io/schema/parts.h"

namespace areia::io {

const Table<Events>& events_table() {
  using E = Events;
  static const Table<E> table{
      "Settings of `engine = \"events\"`.",
      {number("contact_time", &E::contact_time,
              {.unit = "s",
               .range = kPositive,
               .word = "off",
               .text = "A body that collided less than this ago collides elastically, which keeps a collapse from "
                       "happening (TC model)."}),
       number("collapse_time", &E::collapse_time,
              {.unit = "s",
               .range = kPositive,
               .word = "auto",
               .text = "The run stops when a particle collides 100 times within this; auto: 1e-10 of the run."})}};
  return table;
}

}  // namespace areia::io

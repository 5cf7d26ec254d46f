// The impact lab for the page: what there is to choose, and one run of a case. Computed for whoever asks, nothing is
// kept or written; work and sizes are bounded, so that no case can hold the server up.
//
//   GET  /api/lab       systems, models with their coefficients, examples with their keys, JSON
//   POST /api/lab/run   {"case": {...}, "plane": 0} -> a Message: series and places as arrays, the rest in its head,
//   with
//                       the impulse plane of event 0; the case may also be the text of a file
#pragma once
#include <functional>
#include <string_view>

#include "studio/routes.h"

namespace areia::studio {

inline constexpr const char* kLab = "/api/lab";
inline constexpr const char* kLabRun = "/api/lab/run";

Answer lab_choices();
// `enough` as impact::Options has it.
Answer lab_run(std::string_view body, const std::function<bool()>& enough);

}  // namespace areia::studio

// Columns and values of the series that every run writes: functions of a frame. The first column is time_s.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "areia/case.h"
#include "areia/frame.h"
#include "areia/simulation.h"

namespace areia {

std::vector<std::string> energy_columns();
std::vector<double> energy_values(const Frame& frame);

// Force, torque and place of each named wall; NaN while the wall is not there.
std::vector<std::string> wall_columns(const std::vector<std::string>& wall_names);
std::vector<double> wall_values(const Frame& frame, const std::vector<std::string>& wall_names);

// Position, velocity, spin of each tracked id; NaN for a particle that is not in the frame.
std::vector<std::string> track_columns(const std::vector<std::int64_t>& ids);
std::vector<double> track_values(const Frame& frame, const std::vector<std::int64_t>& ids);

// particles, contacts, mean coordination of the free particles, largest overlap over the smaller radius, lost, removed,
// inserted where the case has streams, the solid fraction of each region, and the numbers of bonds and of broken ones
// where it has bond sets.
std::vector<std::string> state_columns(const std::vector<SolidFractionRegion>& regions, bool bonds = false,
                                       bool streams = false);
std::vector<double> state_values(const Frame& frame, const std::vector<SolidFractionRegion>& regions,
                                 bool bonds = false, bool streams = false);

// A cell that deforms: lengths, logarithmic strains since the start (shortening positive), volume and volumetric
// strain, normal stresses of contacts and motion (compression positive), pressure, deviator, solid fraction, void
// ratio, strain rates. In two dimensions areas take the place of volumes, and the third axis is left out.
std::vector<std::string> cell_columns(const Domain& domain);
std::vector<double> cell_values(const Frame& frame, const Domain& domain);

// The implicit scheme: counts since the start, size and errors of the last step.
std::vector<std::string> implicit_columns();
std::vector<double> implicit_values(double time, const ImplicitStatistics& statistics);

// One line per bond that broke: time, ids (j = -1 at a wall), index of the wall (-1: none), index of the bond set,
// point, force and its parts along and across the line of centres, and as a word what broke it.
std::vector<std::string> break_columns();
std::vector<double> break_values(const FrameBreak& b);  // all but the word
std::string_view break_word(BreakMode mode);

}  // namespace areia

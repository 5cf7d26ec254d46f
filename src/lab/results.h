// The results folder of a lab run: what was simulated as tables and JSON, and read back for plots.
//
//   run.json        system, model, interval, how it ended
//   case.toml       the case as it was read
//   series.csv      one row per sample: time, coordinates, velocities, what the system shows, energies
//   events.csv      one row per contact and event; events.json has all of it
//   animation.json  shapes at the samples
//   diagrams/       the impulse plane of each collision at one contact, as JSON and SVG
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "impact/diagram.h"
#include "lab/lab_case.h"

namespace areia::lab {

// --- what the files hold, for those who show it elsewhere
// -------------------------------------------------------------
nlohmann::ordered_json to_json(const impact::Impact&, const impact::LocalMass&, const impact::Pre&);
nlohmann::ordered_json to_json(const impact::Diagram&);
nlohmann::ordered_json run_json(const LabCase&, const impact::Trajectory&);
nlohmann::ordered_json events_json(const LabCase&, const impact::Trajectory&);

// The impulse plane of an event, with the end points of the case's other models; nothing where it was no impact at one
// contact.
std::optional<impact::Diagram> plane_of(const LabCase&, const impact::Event&);

// Columns by name.
struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;
  const std::vector<double>* find(const std::string& name) const;
  const std::vector<double>& operator[](const std::string& name) const;  // throws FileError
};
Table series_of(const LabCase&, const impact::Trajectory&);

// Where the shapes are at each sample.
struct Animation {
  struct Moving {
    impact::Shape first;
    std::vector<double> places;  // per time: x and y of both ends, of a disc x, y and angle; of a wall none
    int components() const { return first.kind == impact::Shape::Kind::disc ? 3 : 4; }
  };
  std::vector<double> t;
  std::vector<Moving> shapes;
};
Animation animation_of(const LabCase&, const impact::Trajectory&);
const char* name(impact::Shape::Kind kind);

// --- the folder ------------------------------------------------------------------------------------------------------
// Writes all files in place of those of an earlier run there. run.json goes first and comes last, so that where it
// stands all others are of the same run. Throws InputError for a folder that holds other things.
inline constexpr const char* kKind = "impact";  // of the manifests of the lab
void write_results(const std::filesystem::path& folder, const LabCase&, const impact::Trajectory&);

struct Results {
  nlohmann::json run, events, animation;
  Table series;
};
Results read_results(const std::filesystem::path& folder);

}  // namespace areia::lab

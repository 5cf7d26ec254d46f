// The impulse plane of a collision as plain data: I_T to the right, I_N upwards (docs/impact.md, Impulse plane).
#pragma once
#include <string>
#include <vector>

#include "impact/collision.h"

namespace areia::impact {

struct PlanePoint {
  double IT = 0, IN = 0;
};

// n I_N + t I_T + c = 0
struct PlaneLine {
  double n = 0, t = 0, c = 0;
};

enum class Conic { ellipse, parabola, parallel_lines };

// Where the energy is what it was before: A I_N^2 + C I_T^2 - 2 B I_N I_T + 2 D_NA I_N + 2 D_TA I_T = 0.
struct EnergyConic {
  Conic kind = Conic::ellipse;
  PlanePoint centre;                // ellipse: where maximum compression and sticking meet
  double semi_axes[2] = {0, 0};     // larger first
  PlanePoint directions[2];         // unit vectors
  std::vector<PlanePoint> outline;  // closed for an ellipse; for the others the part near the process
};

// The path of one model to its end point.
struct DiagramRun {
  std::string model;
  Status status = Status::ok;
  std::string mode;
  std::vector<PlanePoint> path;  // from the origin
  int compression = -1;          // which vertex is the end of compression
  PlanePoint end;
  double dT = 0;
  bool energy_gain = false;
};

struct SlipPoint {
  int slip = 0;  // sign of D_T: on the friction line I_T = -slip mu I_N
  PlanePoint at;
};

struct Diagram {
  LocalMass mass;
  Pre pre;
  double mu = 0, e = 1;
  double mu_s = 0, local_energy = 0;
  PlaneLine compression;                // A I_N - B I_T + D_NA = 0
  PlaneLine termination;                // Newton: A I_N - B I_T + (1+e) D_NA = 0
  PlaneLine sticking;                   // -B I_N + C I_T + D_TA = 0
  PlaneLine friction[2];                // I_T = -s mu I_N for s = +1, -1
  bool reverse_slip = false;            // the slip ends in a reversed slip
  PlanePoint reverse_from, reverse_to;  // from the sticking line with dI_T/dI_N = s mu
  EnergyConic energy;
  std::vector<PlanePoint> admissible;  // outline: energy lost, within friction, on or above compression
  std::vector<SlipPoint> friction_with_compression, friction_with_termination;
  std::vector<DiagramRun> runs;
};

// Lines for the friction and restitution of the first model, the paths of all of them.
Diagram diagram(const LocalMass& m, const Pre& a, const std::vector<Model>& models);

}  // namespace areia::impact

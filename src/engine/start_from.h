// A case that starts from the state of another run (Case::start): what of that state goes on here, and what does not.
//
// Names join the two. Particles belong to the set of the same name, whose material and group they take; two materials
// with the same laws go on with what their contacts remember; so do walls of the same name and shape that are where
// they were, and bonds of a set of the same name. Ids stay, and new particles follow them. Time, counters and the
// ledger begin anew.
//
//   const StartPlan plan(c);                       before anything is placed
//   Scene scene = make_scene(c, plan.bodies());
//   const Takeover t = plan.take(scene);           the state in the numbers of the scene, for an engine to load
#pragma once
#include <map>
#include <string>
#include <vector>

#include "areia/archive.h"
#include "areia/frame.h"
#include "engine/backend.h"
#include "engine/snapshot.h"
#include "scene/scene.h"

namespace areia {

// The names that the numbers of a state stand for, as texts of an archive: "names/walls" and so on, one to a line.
void save_names(const Scene& scene, Archive& archive);

struct Takeover {
  Snapshot state;                   // ledger and gravity are those of the case; without walls that `change` brings in
  Change change;                    // what has to be done once it is loaded
  std::vector<FrameContact> shown;  // contacts of the last evaluation, where the state tells them
  std::vector<std::string> notes;   // what goes on and what does not, in words
};

class StartPlan {
 public:
  // Throws InputError where the state cannot be read, or nobody has read it.
  explicit StartPlan(const Case& c);

  const CarriedBodies& bodies() const { return bodies_; }
  Takeover take(const Scene& scene) const;

 private:
  struct Names {
    std::vector<std::string> materials, groups, sets, walls, shapes, bonds, laws;
  };
  enum class WallFate { goes_on, moved, other_shape, absent };  // the last: it is not in the state, or was not there
  struct WallPlan {
    WallFate fate = WallFate::absent;
    std::size_t there = 0;  // its number in the state
    bool servo = false;     // its shift goes on as that of the servo
  };
  struct Count;  // contacts and bonds that do not go on, by their reasons

  void plan_walls(const Case& c);
  void plan_bodies(const Case& c);
  void take_particles(const Scene& scene, SnapshotParticles& to) const;
  void take_contacts(const Scene& scene, Takeover& t, Count& count) const;
  void take_bonds(const Scene& scene, Takeover& t, Count& count) const;
  void take_walls(const Scene& scene, Takeover& t) const;
  void take_shown(Takeover& t) const;

  std::string origin_;
  std::vector<std::string> notes_;
  bool remembers_ = true;  // a frame knows nothing of contacts
  Names names_;
  Snapshot from_;
  std::vector<FrameContact> shown_;
  std::vector<std::size_t> set_of_;      // number of each set of the state in the case
  std::vector<WallPlan> walls_;          // per wall of the case
  std::vector<std::int32_t> wall_here_;  // per wall of the state: its number here where it goes on, or -1
  CarriedBodies bodies_;
};

// The scene of a case, whatever it starts from.
Scene scene_of(Case c);

}  // namespace areia

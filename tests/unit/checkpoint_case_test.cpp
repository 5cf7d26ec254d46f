// A checkpoint belongs to one case: another one, or the same with other physics, is refused with the name of the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

#include "areia/case_file.h"
#include "areia/error.h"
#include "areia/simulation.h"
#include "io/checkpoints/checkpoint.h"
#include "io/files/atomic_file.h"
#include "io/temporary_folder.h"
#include "run/run.h"

using namespace areia;
using namespace areia::testing_support;
using testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

// Two grains fall on a floor: cases that have the same particles, walls and steps, and so checkpoints of one form.
const char* const kCase = R"(
[materials.grain]
density = 2500
young = 1e7
poisson = 0.3
[contacts.grain-grain]
normal = { law = "hertz", xi = 0.1 }
tangential = { law = "coulomb_history", mu = 0.5 }
[contacts.grain-floor]
normal = { law = "hertz", xi = 0.1 }
tangential = { law = "coulomb_history", mu = 0.5 }
[particles.grains]
material = "grain"
radius = 0.01
list = [{ x = [0, 0, 0.0101] }, { x = [0.03, 0, 0.02], v = [0.1, 0, 0] }]
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.g]
acceleration = [0, 0, -9.81]
[numerics]
dt = 1e-5
[[stages]]
name = "fall"
duration = 0.01
[[stages]]
name = "rest"
duration = 0.01
)";

// Each differs from all others in what its grains do.
const std::vector<std::vector<std::string>> kOthers{
    {},
    {"materials.grain.density=2600"},
    {"materials.grain.young=2e7"},
    {"materials.grain.poisson=0.25"},
    {"contacts.grain-grain.normal.xi=0.2"},
    {"contacts.grain-floor.normal.xi=0.2"},
    {"contacts.grain-grain.tangential.mu=0.3"},
    {"contacts.grain-floor.tangential.mu=0.3"},
    {"particles.grains.velocity=[0,0,-0.1]"},
    {"particles.grains.radius=0.009"},
    {"particles.grains.list=[{x=[0,0,0.0101]},{x=[0.03,0,0.02],v=[0.2,0,0]}]"},
    {"particles.grains.list=[{x=[0,0,0.0101]},{x=[0.03,0,0.02000000000000001],v=[0.1,0,0]}]"},
    {"particles.grains.charge=1e-9"},
    {"particles.grains.inhibit_rotation=true"},
    {"walls.floor.plane.point=[0,0,-1e-6]"},
    {"walls.floor.motion={constant={velocity=[0,0,1e-3]}}"},
    {"fields.g.acceleration=[0,0,-1.62]"},
    {"fields.g.acceleration=[0.1,0,-9.81]"},
    {"domain={box=[[-1,-1,-1],[1,1,1]],rule=\"delete\"}"},
    {"fluid={density=1.2,viscosity=1.8e-5,drag=\"stokes\"}"},
    {"numerics.scheme=\"kick_drift\""},
    {"numerics.rotation_increment=\"source\""},
    {"numerics.lever=\"deformed\""},
    {"stages.fall.duration=0.011"}};

// A run that is interrupted before its first step is through: a folder with one checkpoint.
fs::path interrupted_run(const Case& c, const fs::path& folder) {
  const std::atomic<int> stop{1};
  RunOptions options;
  options.out = folder;
  options.interrupt = &stop;
  options.threads = 1;
  EXPECT_EQ(run_case(c, options).ending, Ending::interrupted);
  return find_checkpoints(folder).at(0);
}

// Goes on in the folder, and says why not.
std::string why_not_resumed(const fs::path& folder) {
  RunOptions options;
  options.out = folder;
  options.resume = true;
  options.threads = 1;
  try {
    run_case({}, options);
  } catch (const FileError& e) { return e.what(); }
  return "";
}

}  // namespace

TEST(CheckpointCase, FiveHundredSwapsAreRefused) {
  const TemporaryFolder all;
  std::vector<fs::path> folders, checkpoints;
  std::vector<std::string> bytes;
  for (const auto& overrides : kOthers) {
    folders.push_back(all.path() / std::to_string(folders.size()));
    checkpoints.push_back(interrupted_run(parse_case(kCase, "case.toml", overrides), folders.back()));
    bytes.push_back(read_file(checkpoints.back()));
  }
  int refused = 0;
  for (std::size_t to = 0; to < folders.size(); ++to) {
    for (std::size_t from = 0; from < folders.size(); ++from) {
      if (from == to) continue;
      std::ofstream(checkpoints[to], std::ios::binary | std::ios::trunc) << bytes[from];
      const std::string why = why_not_resumed(folders[to]);
      EXPECT_THAT(why, HasSubstr(checkpoints[to].string() + ": checkpoint belongs to another case: "))
          << "from " << from << " to " << to;
      refused += !why.empty();
    }
    std::ofstream(checkpoints[to], std::ios::binary | std::ios::trunc) << bytes[to];
    EXPECT_EQ(why_not_resumed(folders[to]), "") << to;
  }
  EXPECT_EQ(refused, 24 * 23);
}

TEST(CheckpointCase, TellsWhatDiffers) {
  Simulation s(parse_case(kCase, "case.toml"));
  s.advance(3);
  const Archive archive = s.save();
  const auto why = [&](const std::vector<std::string>& overrides) -> std::string {
    Simulation other(parse_case(kCase, "case.toml", overrides));
    try {
      other.load(archive);
    } catch (const FileError& e) { return e.what(); }
    return "";
  };
  EXPECT_THAT(why({"contacts.grain-grain.tangential.mu=0.3"}),
              testing::AllOf(HasSubstr("[contacts.grain-grain]"), HasSubstr("mu = 0.5"), HasSubstr("mu = 0.3")));
  EXPECT_THAT(why({"particles.grains.list=[{x=[0,0,0.0101]},{x=[0.03,0,0.02],v=[0.2,0,0]}]"}),
              HasSubstr("particles.grains.list: 2 particles"));
  // What no bit depends on, and stages to come, may be other ones.
  for (const std::vector<std::string>& overrides : std::vector<std::vector<std::string>>{
           {"title=\"other\""},
           {"output.frames=1e-3", "output.series=1e-4", "output.track=[0]"},
           {"numerics.threads=2"},
           {"numerics.skin=0.001"},
           {"numerics.max_overlap=0.6", "numerics.start_overlap=0.1"},
           {"stages.rest.duration=0.5"},
           {"stages=[{name=\"fall\",duration=0.01}]"},
           {"stages=[{name=\"fall\",duration=0.01},{name=\"rest\",duration=0.01},{name=\"more\",duration=1}]"}})
    EXPECT_EQ(why(overrides), "") << overrides[0];
}

TEST(CheckpointCase, StagesMayBeAddedBeforeARunGoesOn) {
  Simulation whole(parse_case(kCase, "case.toml"));
  while (!whole.finished()) whole.advance(1000);
  Simulation first(parse_case(kCase, "case.toml", {"stages=[{name=\"fall\",duration=0.01}]"}));
  first.advance(700);
  Simulation longer(parse_case(kCase, "case.toml"));
  longer.load(first.save());
  while (!longer.finished()) longer.advance(1000);
  EXPECT_EQ(state_hash(longer.frame()), state_hash(whole.frame()));
  // Those that have begun are what they were.
  Simulation late(parse_case(kCase, "case.toml"));
  late.advance(1100);
  Simulation other(parse_case(kCase, "case.toml", {"stages.rest.duration=0.5"}));
  EXPECT_THROW(other.load(late.save()), FileError);
}

TEST(CheckpointCase, OneWithoutASealFallsBack) {
  const TemporaryFolder folder;
  Archive archive;
  archive.real["x"] = {1, 2, 3};
  write_checkpoint(folder.path(), archive, 1, 10);
  write_checkpoint(folder.path(), archive, 2, 20);
  const fs::path newest = find_checkpoints(folder.path()).at(0);
  const std::string sound = read_file(newest);
  // Zeros from some place on, as after a loss of power: HDF5 must not see them.
  for (std::size_t from = 0; from < sound.size(); from += 97) {
    std::ofstream(newest, std::ios::binary | std::ios::trunc)
        << sound.substr(0, from) << std::string(sound.size() - from, '\0');
    const Checkpoint checkpoint = read_newest_checkpoint(folder.path());
    ASSERT_EQ(checkpoint.step, 10) << from;
    EXPECT_THAT(checkpoint.warnings.at(0), HasSubstr(newest.string()));
  }
}

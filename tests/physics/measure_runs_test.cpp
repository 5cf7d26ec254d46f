// Measures of whole runs: the same files whatever threads, engine and interruptions, and every file in the manifest.
#include <gtest/gtest.h>

#include <atomic>
#include <map>

#include "io/files/atomic_file.h"
#include "io/files/manifest.h"
#include "io/temporary_folder.h"
#include "run/run.h"
#include "support.h"

using namespace areia;
using namespace areia::test;
using testing_support::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

// Grains of two sizes fall through a box that is periodic along x onto a floor of triangles.
Case falling() {
  Case c = parse_case(R"(
[materials.a]
density = 2500
young = 1e6
[contacts.default]
normal = { law = "hertz", restitution = 0.3 }
tangential = { law = "coulomb_history", mu = 0.5 }
[particles.a]
material = "a"
radius = 0.02
fill = { region = { box = [[-0.1, -0.1, 0.05], [0.1, 0.1, 0.5]] }, count = 60 }
[particles.b]
material = "a"
radius = 0.015
velocity = [0.5, 0, 0]
fill = { region = { box = [[-0.1, -0.1, 0.05], [0.1, 0.1, 0.5]] }, count = 60 }
[walls.sides]
box = { min = [-0.2, -0.1, -0.1], max = [0.2, 0.1, 1], open = ["+z", "-z", "-x", "+x"] }
[walls.floor]
plane = { point = [0, 0, 0], normal = [0, 0, 1] }
[fields.g]
acceleration = [0, 0, -9.81]
[domain]
box = [[-0.1, -0.2, -0.2], [0.1, 0.2, 1]]
periodic = ["x"]
[[stages]]
name = "fall"
duration = 0.2
[numerics]
dt = 1e-4
[output]
series = 0.013
[output.measure.continuum]
kind = "field"
region = { box = [[-0.1, -0.15, -0.05], [0.1, 0.15, 0.3]] }
width = 0.03
cell = 0.03
every = 0.05
[output.measure.smooth]
kind = "field"
region = { box = [[-0.1, -0.15, -0.05], [0.1, 0.15, 0.3]] }
width = 0.03
cell = 0.03
every = 0.004
average = 0.03
[output.measure.height]
kind = "profile"
region = { box = [[-0.1, -0.1, 0], [0.1, 0.1, 0.4]] }
bins = 8
[output.measure.mean_height]
kind = "profile"
region = { box = [[-0.1, -0.1, 0], [0.1, 0.1, 0.4]] }
bins = 8
average = 0.05
[output.measure.stay]
kind = "residence"
region = { box = [[-0.1, -0.1, 0.1], [0.1, 0.1, 0.2]] }
every = 0.002
[output.measure.forces]
kind = "force_distribution"
bins = 5
[output.measure.pairs]
kind = "radial_distribution"
region = { box = [[-0.1, -0.1, 0], [0.1, 0.1, 0.2]] }
radius = 0.12
bins = 12
[output.measure.worn]
kind = "wear"
walls = ["walls.floor"]
every = 0.05
[output.measure.mix]
kind = "mixing"
group = "a"
other_group = "b"
weight = "mass"
[output.measure.middle]
kind = "center_of_mass"
average = 0.031
)",
                      "test");
  MeshShape floor;
  for (int k = 0; k <= 4; ++k)
    for (int j = 0; j <= 4; ++j) floor.vertices.push_back({-0.1 + 0.05 * k, -0.12 + 0.06 * j, 0});
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 4; ++j) {
      const std::int32_t n = 5 * k + j;
      floor.triangles.push_back({n, n + 5, n + 6});
      floor.triangles.push_back({n, n + 6, n + 1});
    }
  c.walls[1].shape = floor;
  return c;
}

// All that measures wrote, by name.
std::map<std::string, std::string> files_of(const fs::path& out, const Case& c) {
  std::map<std::string, std::string> all;
  for (const Measure& m : c.output.measure) all[m.name + ".csv"] = read_file(out / (m.name + ".csv"));
  for (const char* name : {"continuum", "smooth", "worn"})
    all[std::string(name) + ".pvd"] = read_file(out / (std::string(name) + ".pvd"));
  for (const auto& file : fs::directory_iterator(out / "fields"))
    all["fields/" + file.path().filename().string()] = read_file(file.path());
  return all;
}

void expect_same(const std::map<std::string, std::string>& got, const std::map<std::string, std::string>& wanted) {
  for (const auto& [name, text] : wanted) {
    ASSERT_TRUE(got.contains(name)) << name;
    EXPECT_TRUE(got.at(name) == text) << name;
  }
  EXPECT_EQ(got.size(), wanted.size());
}

}  // namespace

TEST(MeasureRuns, AreTheSameWhateverThreadsEngineAndInterruptions) {
  const Case c = falling();
  const TemporaryFolder folder;
  RunOptions options;
  options.out = folder.path() / "one";
  options.threads = 1;
  run_case(c, options);
  const auto wanted = files_of(folder.path() / "one", c);
  EXPECT_EQ(std::count_if(wanted.begin(), wanted.end(), [](const auto& f) { return f.first.ends_with(".vti"); }),
            5 + 7);  // at 0, 0.05, ..., 0.2; at the ends of six windows, and of the one that the run cuts short
  EXPECT_EQ(std::count_if(wanted.begin(), wanted.end(), [](const auto& f) { return f.first.ends_with(".vtp"); }), 5);
  const std::string& heights = wanted.at("height.csv");
  EXPECT_EQ(std::count(heights.begin(), heights.end(), '\n'), 1 + 8 * 17);
  const std::string& means = wanted.at("mean_height.csv");
  EXPECT_EQ(std::count(means.begin(), means.end(), '\n'), 1 + 8 * 4);

  options.out = folder.path() / "two";
  options.threads = 2;
  run_case(c, options);
  expect_same(files_of(options.out, c), wanted);

  options.out = folder.path() / "reference";
  options.engine = Engine::reference;
  run_case(c, options);
  expect_same(files_of(options.out, c), wanted);

  options.out = folder.path() / "parts";
  options.engine = Engine::cpu;
  std::atomic<int> stop{1};  // after the first steps
  options.interrupt = &stop;
  EXPECT_EQ(run_case(c, options).ending, Ending::interrupted);
  stop = 0;
  options.resume = true;
  options.max_wall = 0.1;  // and then wherever that is; longer and longer, so that a slow machine comes to the end
  for (int round = 0; run_case(c, options).ending != Ending::finished; ++round, options.max_wall *= 1.4)
    options.engine = round % 3 == 1 ? Engine::reference : Engine::cpu;
  expect_same(files_of(options.out, c), wanted);
}

// A run that was killed after its checkpoint has files of later times; they go, and come again.
TEST(MeasureRuns, DropPicturesLaterThanTheCheckpoint) {
  const Case c = falling();
  const TemporaryFolder folder;
  RunOptions options;
  options.out = folder.path() / "out";
  options.threads = 1;
  std::atomic<int> stop{1};
  options.interrupt = &stop;
  EXPECT_EQ(run_case(c, options).ending, Ending::interrupted);
  const fs::path late = options.out / "fields" / "continuum_000005.vti";
  EXPECT_FALSE(fs::exists(late));
  {
    Manifest manifest(options.out, "--out", "run");
    manifest.open();
    manifest.add("fields/continuum_000005.vti");
    write_file_atomically(late, "of a time that is not reached yet");
  }
  options.resume = true;
  stop = 0;
  run_case(c, options);
  EXPECT_FALSE(fs::exists(late));
  const std::string pvd = read_file(options.out / "continuum.pvd");
  EXPECT_EQ(pvd.find("000005"), std::string::npos);
  EXPECT_NE(pvd.find("000004"), std::string::npos);
}

// A measure that the checkpoint does not know, added to the case in the folder, begins where the run goes on.
TEST(MeasureRuns, MayBeAddedBeforeARunGoesOn) {
  const Case c = falling();
  const TemporaryFolder folder;
  RunOptions options;
  options.out = folder.path() / "out";
  std::atomic<int> stop{1};
  options.interrupt = &stop;
  EXPECT_EQ(run_case(c, options).ending, Ending::interrupted);
  Case longer = parse_case(read_file(options.out / "case.toml"), "case.toml");
  for (const char* name : {"stay", "smooth", "worn"})
    for (Measure m : c.output.measure) {
      if (m.name != name) continue;
      m.name = std::string("late_") + name;
      m.walls.clear();
      longer.output.measure.push_back(m);
    }
  write_file_atomically(options.out / "case.toml", to_toml(longer));
  options.resume = true;
  stop = 0;
  std::string log;
  options.log = [&](const std::string& line) { log += line + "\n"; };
  EXPECT_EQ(run_case(c, options).ending, Ending::finished);
  for (const char* name : {"late_stay", "late_smooth", "late_worn"})
    EXPECT_NE(log.find(std::string("output.measure.") + name + " is not in the checkpoint"), std::string::npos) << log;
  EXPECT_EQ(log.find("output.measure.stay"), std::string::npos);
  const auto lines = [&](const char* name) {
    const std::string all = read_file(options.out / name);
    return std::count(all.begin(), all.end(), '\n');
  };
  EXPECT_EQ(lines("late_stay.csv"), lines("stay.csv") - 1);  // all but the one of t = 0
  EXPECT_EQ(lines("late_smooth.csv"), lines("smooth.csv"));
  EXPECT_EQ(lines("late_worn.csv"), lines("worn.csv") - 1);
  EXPECT_TRUE(fs::exists(options.out / "fields" / "late_smooth_000006.vti"));
}

TEST(MeasureRuns, EnterEveryFileIntoTheManifest) {
  Case c = falling();
  c.stages[0].duration = 0.06;
  const TemporaryFolder folder;
  RunOptions options;
  options.out = folder.path() / "out";
  run_case(c, options);
  {
    const Manifest manifest(options.out, "--out", "run");
    for (const auto& [name, text] : files_of(options.out, c)) EXPECT_TRUE(manifest.owns(name)) << name;
  }
  EXPECT_TRUE(fs::exists(options.out / "fields" / "continuum_000001.vti"));
  c.output.measure.clear();
  options.overwrite = true;
  run_case(c, options);
  EXPECT_FALSE(fs::exists(options.out / "continuum.pvd"));
  EXPECT_FALSE(fs::exists(options.out / "fields" / "continuum_000001.vti"));
}

// Bonds in files: frames, the log of breakages, whole runs that are stopped and resumed.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <limits>

#include "areia/case_file.h"
#include "io/files/atomic_file.h"
#include "io/frames/vtk_frames.h"
#include "io/sample_frame.h"
#include "io/series/series.h"
#include "io/temporary_folder.h"
#include "run/run.h"

namespace areia {
namespace {

using testing_support::sample_frame;
using testing_support::TemporaryFolder;

Frame bonded_frame(double time) {
  Frame f = sample_frame(10, time);
  f.bond_sets = {"beam", "glue"};
  f.bonds = {{1, 4, -1, 0, {0, 0, 0}, {0, 0.1, 0}, {1, 2, 3}}, {4, -1, 1, 1, {1, 0, 0}, {1, 0, 0.5}, {0, 0, -7}}};
  f.breaks = {{0.125, 7, 10, -1, 0, {0.5, 0.25, 2}, 12.5, 7.5, 10, BreakMode::shear},
              {0.2, 7, -1, 2, 1, {1, 2, 3}, 4, -4, 0, BreakMode::compression}};
  return f;
}

TEST(BondFiles, FramesKeepBonds) {
  const TemporaryFolder folder;
  Output what;
  what.double_precision = true;
  FrameWriter writer(folder.path(), {}, what);
  writer.write(bonded_frame(0.25));
  const Frame f = read_frame(folder.path(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(f.bond_sets, (std::vector<std::string>{"beam", "glue"}));
  ASSERT_EQ(f.bonds.size(), 2u);
  EXPECT_EQ(f.bonds[0].j, 4);
  EXPECT_EQ(f.bonds[0].at_j, (Vec3d{0, 0.1, 0}));
  EXPECT_EQ(f.bonds[1].wall, 1);
  EXPECT_EQ(f.bonds[1].set, 1);
  EXPECT_EQ(f.bonds[1].force, (Vec3d{0, 0, -7}));
  EXPECT_NE(read_file(folder.path() / "all.pvd").find("frames/bonds_000000.vtp"), std::string::npos);
  EXPECT_NE(read_file(folder.path() / "bonds.pvd").find("frames/bonds_000000.vtp"), std::string::npos);
  writer.write(bonded_frame(0.25));  // a frame of the same instant takes the old one's place, bonds and all
  EXPECT_FALSE(std::filesystem::exists(bonds_file(folder.path(), 0)));
  EXPECT_TRUE(std::filesystem::exists(bonds_file(folder.path(), 1)));
}

TEST(BondFiles, CasesWithoutBondsHaveNoFilesOfThem) {
  const TemporaryFolder folder;
  FrameWriter writer(folder.path());
  writer.write(sample_frame(10, 0.25));
  SeriesSet series(folder.path(), {}, Output{});
  series.append(sample_frame(10, 0.25));
  EXPECT_FALSE(std::filesystem::exists(bonds_file(folder.path(), 0)));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "bonds.pvd"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "breaks.csv"));
  EXPECT_EQ(read_file(folder.path() / "state.csv").find("bonds"), std::string::npos);
}

TEST(BondFiles, EachBreakageHasOneLine) {
  const TemporaryFolder folder;
  Frame f = bonded_frame(0.25);
  const std::string head = "time_s,i,j,wall,set,x_m,y_m,z_m,force_N,normal_N,shear_N,mode\n";
  const std::string first = "0.125,7,10,-1,0,0.5,0.25,2,12.5,7.5,10,shear\n",
                    second = "0.2,7,-1,2,1,1,2,3,4,-4,0,compression\n";
  {
    SeriesSet series(folder.path(), {}, Output{}, {}, true);
    series.append(f);
    series.append(f);
    f.time = 0.5;
    series.append(f);
  }
  EXPECT_EQ(read_file(folder.path() / "breaks.csv"), head + first + second);
  EXPECT_NE(read_file(folder.path() / "state.csv").find(",bonds,broken\n0.25,"), std::string::npos);
  {  // resumed from before the second one, which comes again
    SeriesSet series(folder.path(), {}, Output{}, 0.15, true);
    EXPECT_EQ(read_file(folder.path() / "breaks.csv"), head + first);
    series.append(f);
  }
  EXPECT_EQ(read_file(folder.path() / "breaks.csv"), head + first + second);
}

TEST(BondFiles, ResumedRunWritesTheSameLog) {
  const Case c = parse_case(R"(
[materials.ball]
density = 2500
young = "50 MPa"
[contacts.default]
normal = { law = "hertz", xi = 0.1 }
[particles.row]
material = "ball"
radius = 0.01
velocity = [0, 0, -3]
lattice = { region = { box = [[0, 0, 0.01], [0.08, 0.06, 0.05]] } }
[bonds.grain]
stiffness = 2e5
strength = 20
[walls.floor]
plane = { point = [0, 0, 0], normal = [0.2, 0, 1] }
[[stages]]
duration = 0.02
[numerics]
dt = 1e-5
threads = 1
[output]
series = 0.003
)",
                            "test");
  const TemporaryFolder whole, parts;
  RunOptions options;
  options.out = whole.path() / "out";
  const RunResult one = run_case(c, options);
  EXPECT_GT(one.summary["broken"].get<int>(), 5);
  EXPECT_EQ(one.summary["broken"].get<std::int64_t>() + 1, [&] {
    const std::string text = read_file(options.out / "breaks.csv");
    return static_cast<std::int64_t>(std::count(text.begin(), text.end(), '\n'));
  }());

  const std::string log = read_file(options.out / "breaks.csv"), hash = one.summary["state_hash"];
  options.out = parts.path() / "out";
  options.max_wall = 1e-6;  // stops after the first batch of steps, with a checkpoint; again and again
  RunResult part = run_case(c, options);
  options.resume = true;
  for (int k = 0; k < 12 && part.ending != Ending::finished; ++k) part = run_case(c, options);
  options.max_wall = 0;
  if (part.ending != Ending::finished) part = run_case(c, options);
  EXPECT_EQ(part.summary["state_hash"].get<std::string>(), hash);
  EXPECT_EQ(read_file(options.out / "breaks.csv"), log);
}

}  // namespace
}  // namespace areia

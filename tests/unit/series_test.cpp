#include "io/series/series.h"

#include <gtest/gtest.h>

#include <cmath>

#include <fstream>
#include <numbers>

#include "areia/error.h"
#include "io/files/atomic_file.h"
#include "io/sample_frame.h"
#include "io/series/series_table.h"
#include "io/temporary_folder.h"
#include "observe/solid_fraction.h"

using namespace areia;
using namespace areia::testing_support;

TEST(Series, ResumeCutsLaterAndTornLines) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "s.csv";
  {
    SeriesWriter series(path, {"time_s", "kinetic_J"});
    for (const double time : {0.0, 0.1, 0.2, 0.3}) series.append(std::vector{time, 1.5 * time});
  }
  std::ofstream(path, std::ios::app) << "0.4,0.";
  {
    SeriesWriter series(path, {"time_s", "kinetic_J"}, 0.1);
    series.append_if_later(std::vector{0.1, 9.0});  // stands there already
    series.append_if_later(std::vector{0.15, 9.0});
  }
  EXPECT_EQ(read_file(path), "time_s,kinetic_J\n0,0\n0.1,0.15000000000000002\n0.15,9\n");
  EXPECT_THROW(SeriesWriter(path, {"time_s", "other_J"}, 0.1), FileError);
  EXPECT_EQ(read_file(path), "time_s,kinetic_J\n0,0\n0.1,0.15000000000000002\n0.15,9\n");
  { SeriesWriter fresh(path, {"time_s", "other_J"}); }
  EXPECT_EQ(read_file(path), "time_s,other_J\n");
}

TEST(Series, IsReadAsColumns) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "s.csv";
  const std::vector<std::string> names{"time_s", "a \"lid\", new.force_N", "mode"};
  {
    SeriesWriter series(path, names);
    series.append(std::vector{0.0, std::nan("")}, "shear");
    series.append(std::vector{0.1, 0.30000000000000004}, "tension");
  }
  std::ofstream(path, std::ios::app) << "0.2,0.";  // being written
  const SeriesTable table = read_series(path);
  EXPECT_EQ(table.names, names);
  ASSERT_EQ(table.columns.size(), 3U);
  EXPECT_EQ(table.columns[0], (std::vector{0.0, 0.1}));
  EXPECT_TRUE(std::isnan(table.columns[1][0]));
  EXPECT_EQ(table.columns[1][1], 0.30000000000000004);
  EXPECT_TRUE(std::isnan(table.columns[2][1]));  // a word
  std::ofstream(path, std::ios::app) << "\n";
  EXPECT_THROW(read_series(path), FileError);  // a line with too few fields
}

TEST(Series, TornHeaderIsRepaired) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "s.csv";
  std::ofstream(path) << "time";
  SeriesWriter series(path, {"time_s", "a"}, 1.0);
  EXPECT_EQ(read_file(path), "time_s,a\n");
}

// A wall that stages remove stays in the frames, but feels nothing and has no place.
TEST(Series, WallsThatAreNotThereAreNotNumbers) {
  Frame frame = sample_frame(10, 0.25);
  EXPECT_EQ(wall_values(frame, {"floor"})[3], -7);
  for (FrameWall& wall : frame.walls) wall.present = wall.name != "floor";
  const std::vector<double> values = wall_values(frame, {"floor"});
  ASSERT_EQ(values.size(), wall_columns({"floor"}).size());
  EXPECT_EQ(values[0], 0.25);
  for (std::size_t k = 1; k < values.size(); ++k) EXPECT_TRUE(std::isnan(values[k])) << k;
}

TEST(Series, StandardSetHasUnitsAndKeepsRemovedWalls) {
  const TemporaryFolder folder;
  Output output;
  output.track = {4, 5};
  output.solid_fraction.push_back({"middle", Region{}});
  output.solid_fraction[0].region.box = {{0, 0, 0}, {1, 1, 1}};
  SeriesSet series(folder.path(), {"floor", "gone"}, output);
  series.append(sample_frame(10, 0.25));
  series.append(sample_frame(10, 0.25));  // the same instant: one line
  const std::string walls = read_file(folder.path() / "walls.csv");
  EXPECT_NE(walls.find("floor.force_z_N"), std::string::npos);
  EXPECT_NE(walls.find("\n0.25,1,2,-7,0.1,0.2,0.3,0.5,0.5,0,nan,nan,nan,nan,nan,nan,nan,nan,nan\n"), std::string::npos);
  const std::string energy = read_file(folder.path() / "energy.csv");
  EXPECT_EQ(energy.rfind("time_s,kinetic_J,rotational_J,potential_J", 0), 0u);
  EXPECT_EQ(std::count(energy.begin(), energy.end(), '\n'), 2);
  const std::string particles = read_file(folder.path() / "particles.csv");
  EXPECT_EQ(particles.rfind("time_s,p4.x_m,p4.y_m,p4.z_m,p4.vx_m/s", 0), 0u);
  const std::string state = read_file(folder.path() / "state.csv");
  EXPECT_EQ(state.rfind("time_s,particles,contacts,mean_coordination,max_overlap_over_radius,lost,removed,"
                        "solid_fraction.middle\n0.25,10,2,",
                        0),
            0u)
      << state;
}

// Volumes with closed forms: half, quarter and eighth of a sphere, a cap, a lens, a cylinder through the centre
// (napkin ring: V = 4/3 pi (r^3 - (r^2 - s^2)^(3/2))), and a small box inside.
TEST(SolidFraction, PartsOfASphereWithClosedForms) {
  const double r = 0.7, whole = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  Region region;
  const auto in_box = [&](Vec3d min, Vec3d max) {
    region.kind = Region::Kind::box;
    region.box = {min, max};
    return volume_inside({1, 2, 3}, r, region);
  };
  EXPECT_NEAR(in_box({-9, -9, -9}, {9, 9, 9}), whole, 1e-14);
  EXPECT_NEAR(in_box({1, -9, -9}, {9, 9, 9}), whole / 2, 1e-9 * whole);
  EXPECT_NEAR(in_box({1, 2, -9}, {9, 9, 9}), whole / 4, 1e-9 * whole);
  EXPECT_NEAR(in_box({1, 2, 3}, {9, 9, 9}), whole / 8, 1e-9 * whole);
  const double h = 0.2;
  const double cap = std::numbers::pi * h * h * (3 * r - h) / 3;
  EXPECT_NEAR(in_box({1 + r - h, -9, -9}, {9, 9, 9}), cap, 1e-9 * whole);
  EXPECT_NEAR(in_box({-9, 2 + r - h, -9}, {9, 9, 9}), cap, 1e-9 * whole);
  EXPECT_NEAR(in_box({-9, -9, 3 + r - h}, {9, 9, 9}), cap, 1e-9 * whole);
  EXPECT_NEAR(in_box({0.9, 1.9, 2.9}, {1.1, 2.2, 3.1}), 0.2 * 0.3 * 0.2, 1e-9 * whole);
  EXPECT_EQ(in_box({5, 5, 5}, {9, 9, 9}), 0.0);
  // Any partition of space gives the whole sphere.
  double sum = 0;
  const double x[] = {-9, 0.61, 1.13, 9}, y[] = {-9, 1.8, 2.55, 9}, z[] = {-9, 2.9, 3.4, 9};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) sum += in_box({x[i], y[j], z[k]}, {x[i + 1], y[j + 1], z[k + 1]});
  EXPECT_NEAR(sum, whole, 1e-8 * whole);

  region.kind = Region::Kind::sphere;
  region.center = {1, 2, 3 + r};
  region.radius = r;  // two equal spheres through each other's centres share 5/16 of one
  EXPECT_NEAR(volume_inside({1, 2, 3}, r, region), whole * 5 / 16, 1e-14);

  region.kind = Region::Kind::cylinder;
  region.from = {1, 2, -9};
  region.to = {1, 2, 9};
  region.radius = 0.4;
  const double ring = 4.0 / 3.0 * std::numbers::pi * (r * r * r - std::pow(r * r - 0.16, 1.5));
  EXPECT_NEAR(volume_inside({1, 2, 3}, r, region), ring, 1e-3 * whole);
  region.radius = 5;
  EXPECT_NEAR(volume_inside({1, 2, 3}, r, region), whole, 1e-14);
}

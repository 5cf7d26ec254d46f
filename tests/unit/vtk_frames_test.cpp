#include "io/frames/vtk_frames.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "areia/error.h"
#include "io/checkpoints/checkpoint.h"
#include "io/files/atomic_file.h"
#include "io/frames/frame_files.h"
#include "io/sample_frame.h"
#include "io/series/energy_columns.h"
#include "io/temporary_folder.h"
#include "run/results_folder.h"

using namespace areia;
using namespace areia::testing_support;
namespace fs = std::filesystem;

namespace {

void expect_same(const Frame& a, const Frame& b) {
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.stage, b.stage);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.dt, b.dt);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.materials, b.materials);
  EXPECT_EQ(a.groups, b.groups);
  EXPECT_EQ(a.lost, b.lost);
  EXPECT_EQ(a.removed, b.removed);
  for (const EnergyColumn& field : kEnergyColumns) EXPECT_EQ(a.energy.*field.member, b.energy.*field.member);
  const FrameParticles &p = a.particles, &q = b.particles;
  EXPECT_TRUE(p.id == q.id && p.x == q.x && p.v == q.v && p.w == q.w && p.q == q.q && p.force == q.force &&
              p.torque == q.torque && p.radius == q.radius && p.mass == q.mass && p.material == q.material &&
              p.group == q.group && p.coordination == q.coordination && p.prescribed == q.prescribed);
  ASSERT_EQ(a.contacts.size(), b.contacts.size());
  for (std::size_t k = 0; k < a.contacts.size(); ++k) {
    const FrameContact &c = a.contacts[k], &d = b.contacts[k];
    EXPECT_TRUE(c.i == d.i && c.j == d.j && c.wall == d.wall && c.patch == d.patch && c.point == d.point &&
                c.n == d.n && c.overlap == d.overlap && c.force == d.force && c.normal == d.normal &&
                c.tangential == d.tangential && c.elongation == d.elongation);
  }
  ASSERT_EQ(a.walls.size(), b.walls.size());
  for (std::size_t k = 0; k < a.walls.size(); ++k) {
    const FrameWall &u = a.walls[k], &v = b.walls[k];
    EXPECT_TRUE(u.name == v.name && u.force == v.force && u.torque == v.torque && u.origin == v.origin &&
                u.velocity == v.velocity && u.vertices == v.vertices && u.polygons == v.polygons);
  }
}

std::vector<std::string> listing(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST(VtkFrames, ReadingReturnsWhatWasWritten) {
  const TemporaryFolder folder;
  FrameWriter writer(folder.path());
  writer.write(sample_frame(10, 0.25));
  writer.write(sample_frame(0, 0.5));
  expect_same(read_frame(folder.path(), 0.25), sample_frame(10, 0.25));
  expect_same(read_frame(folder.path(), std::numeric_limits<double>::infinity()), sample_frame(0, 0.5));
}

TEST(VtkFrames, VtkReadsThem) {
  const TemporaryFolder folder;
  FrameWriter writer(folder.path());
  writer.write(sample_frame(10, 0.25));
  writer.write(sample_frame(0, 0.5));
  const int result = run_script("check_vtk.py", folder.path().string());
  if (result == 77) GTEST_SKIP() << "no VTK for /usr/bin/python3";
  EXPECT_EQ(result, 0);
}

TEST(VtkFrames, ResumeDropsLaterFramesAndHalfWrittenFiles) {
  const TemporaryFolder folder;
  const fs::path frames = folder.path() / "frames";
  {
    FrameWriter writer(folder.path());
    for (const double time : {0.0, 0.1, 0.2, 0.3}) writer.write(sample_frame(5, time));
  }
  // What a killed run may leave: a temporary, and a frame without its particle file.
  std::ofstream(frames / ".particles_000005.vtp.areia-part") << "half";
  std::ofstream(frames / "walls_000004.vtp") << "orphan";
  EXPECT_THROW(FrameWriter(folder.path()), FileError);

  FrameWriter writer(folder.path(), 0.1);
  EXPECT_EQ(writer.frames().size(), 2u);
  EXPECT_EQ(listing(frames),
            (std::vector<std::string>{"contacts_000000.vtp", "contacts_000001.vtp", "particles_000000.vtp",
                                      "particles_000001.vtp", "walls_000000.vtp", "walls_000001.vtp"}));
  const std::string collection = read_file(folder.path() / "all.pvd");
  EXPECT_EQ(collection.find("000002"), std::string::npos);
  writer.write(sample_frame(6, 0.2));
  EXPECT_EQ(read_frame(folder.path(), 0.2).particles.id.size(), 6u);
  EXPECT_NE(read_file(folder.path() / "particles.pvd").find("particles_000002.vtp"), std::string::npos);
}

TEST(VtkFrames, FrameOfTheSameInstantReplacesTheLast) {
  const TemporaryFolder folder;
  FrameWriter writer(folder.path());
  writer.write(sample_frame(5, 0.1));
  writer.write(sample_frame(7, 0.1));
  EXPECT_EQ(list_frames(folder.path()).size(), 1u);
  EXPECT_EQ(read_frame(folder.path(), 0).particles.id.size(), 7u);
  EXPECT_EQ(listing(folder.path() / "frames").size(), 3u);
  EXPECT_THROW(writer.write(sample_frame(5, 0.05)), Error);
}

TEST(VtkFrames, WithoutContactsNoneAreReferenced) {
  const TemporaryFolder folder;
  FrameWriter writer(folder.path(), {}, false);
  writer.write(sample_frame(5, 0.1));
  EXPECT_FALSE(fs::exists(folder.path() / "contacts.pvd"));
  EXPECT_EQ(read_file(folder.path() / "all.pvd").find("contacts"), std::string::npos);
  EXPECT_TRUE(read_frame(folder.path(), 0.1).contacts.empty());
}

TEST(VtkFrames, CutShortFileIsRefused) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "p.vtp";
  write_particles_vtp(path, sample_frame(50));
  const auto size = fs::file_size(path);
  for (const auto part : {size / 8, size / 2, size - size / 8}) {
    write_particles_vtp(path, sample_frame(50));
    fs::resize_file(path, part);
    EXPECT_THROW(read_particles_vtp(path), FileError);
  }
}

TEST(VtkFrames, KilledWhileReplacingKeepsTheNewFrame) {
  const TemporaryFolder folder;
  { FrameWriter(folder.path()).write(sample_frame(5, 0.1)); }
  // The new frame is complete, the old one not yet removed.
  write_walls_vtp(walls_file(folder.path(), 1), sample_frame(7, 0.1));
  write_contacts_vtp(contacts_file(folder.path(), 1), sample_frame(7, 0.1));
  write_particles_vtp(particles_file(folder.path(), 1), sample_frame(7, 0.1));
  EXPECT_EQ(read_frame(folder.path(), 0.1).particles.id.size(), 7u);
  const FrameWriter writer(folder.path(), 0.1);
  EXPECT_EQ(writer.frames().size(), 1u);
  EXPECT_EQ(listing(folder.path() / "frames").size(), 3u);
}

TEST(ResultsFolder, OnlyResultsAreRemoved) {
  const TemporaryFolder folder;
  EXPECT_FALSE(holds_results(folder.path()));
  { FrameWriter(folder.path()).write(sample_frame(5, 0.1)); }
  write_checkpoint(folder.path(), {}, 0.1, 1);
  std::ofstream(folder.path() / "notes.txt") << "mine";
  EXPECT_TRUE(holds_results(folder.path()));
  remove_results(folder.path());
  EXPECT_FALSE(holds_results(folder.path()));
  EXPECT_TRUE(fs::exists(folder.path() / "notes.txt"));
  EXPECT_NO_THROW(FrameWriter(folder.path()));
}

#include "io/frames/vtk_frames.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "areia/error.h"
#include "io/checkpoints/checkpoint.h"
#include "io/files/atomic_file.h"
#include "io/frames/frame_files.h"
#include "io/sample_frame.h"
#include "io/temporary_folder.h"
#include "observe/energy_columns.h"
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

// All that a frame holds.
Output everything() {
  Output what;
  what.double_precision = true;
  what.arrays = particle_array_names();
  what.contact_arrays = contact_array_names();
  return what;
}

// A bed of grains of two sizes on a jittered lattice, with velocities and forces of every size.
Frame large_frame(int count) {
  Frame f = sample_frame(count, 0.25);
  f.contacts.clear();
  const int side = static_cast<int>(std::cbrt(count)) + 1;
  for (int k = 0; k < count; ++k) {
    const Vec3d noise = f.particles.x[k];
    f.particles.id[k] = k;
    f.particles.x[k] = 0.1 * (Vec3d{double(k % side), double(k / side % side), double(k / side / side)} + 0.1 * noise);
  }
  for (int k = 0; k + 1 < count; ++k) {
    FrameContact c;
    c.i = k;
    c.j = k + 1;
    c.n = unit(f.particles.x[k + 1] - f.particles.x[k]);
    c.overlap = 1e-3 * f.particles.radius[k];
    c.point = f.particles.x[k] + (f.particles.radius[k] - 0.5 * c.overlap) * c.n;
    c.force = f.particles.force[k];
    c.normal = norm(c.force);
    c.tangential = f.particles.v[k].x;
    f.contacts.push_back(c);
  }
  return f;
}

std::vector<std::string> listing(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST(VtkFrames, ACellThatDeformsIsReadBack) {
  const TemporaryFolder folder;
  Frame f = sample_frame(3, 0.25);
  const fs::path path = folder.path() / "particles.vtp";
  write_particles_vtp(path, f, everything());
  EXPECT_FALSE(read_particles_vtp(path).cell.deforms);
  f.cell = {true, {1, 2, 3}, {0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}, 0.006, {-1, 0, 2}, {7, 8, 9}, {0.7, 0.8, 0.9}};
  write_particles_vtp(path, f, everything());
  const FrameCell cell = read_particles_vtp(path).cell;
  EXPECT_TRUE(cell.deforms && cell.low == f.cell.low && cell.length == f.cell.length &&
              cell.first_length == f.cell.first_length && cell.volume == f.cell.volume &&
              cell.strain_rate == f.cell.strain_rate && cell.contact_stress == f.cell.contact_stress &&
              cell.kinetic_stress == f.cell.kinetic_stress);
}

TEST(VtkFrames, ReadingReturnsWhatWasWritten) {
  const TemporaryFolder folder;
  FrameWriter writer(folder.path(), {}, everything());
  writer.write(sample_frame(10, 0.25));
  writer.write(sample_frame(0, 0.5));
  expect_same(read_frame(folder.path(), 0.25), sample_frame(10, 0.25));
  expect_same(read_frame(folder.path(), std::numeric_limits<double>::infinity()), sample_frame(0, 0.5));
}

TEST(VtkFrames, VtkReadsThem) {
  for (const bool all : {true, false}) {
    const TemporaryFolder folder;
    FrameWriter writer(folder.path(), {}, all ? everything() : Output{});
    writer.write(sample_frame(10, 0.25));
    writer.write(sample_frame(0, 0.5));
    Frame large = large_frame(30000);  // several blocks of each array
    large.time = 0.75;
    writer.write(large);
    const int result = run_script("check_vtk.py", folder.path().string() + (all ? " all" : " few"));
    if (result == 77) GTEST_SKIP() << "no VTK for /usr/bin/python3";
    EXPECT_EQ(result, 0);
  }
}

TEST(VtkFrames, FloatsServeWhereTheyAreEnough) {
  const TemporaryFolder folder;
  Frame f = large_frame(1000);
  FrameWriter writer(folder.path());
  writer.write(f);
  const Frame read = read_frame(folder.path(), 0.25);
  ASSERT_EQ(read.particles.id, f.particles.id);
  EXPECT_EQ(read.particles.material, f.particles.material);
  EXPECT_EQ(read.particles.prescribed, f.particles.prescribed);
  EXPECT_TRUE(read.particles.q.empty() && read.particles.torque.empty());  // not chosen
  const auto rounded = [](const Vec3d& v) { return Vec3d{float(v.x), float(v.y), float(v.z)}; };
  for (std::size_t k = 0; k < f.particles.id.size(); ++k) {
    EXPECT_EQ(read.particles.x[k], rounded(f.particles.x[k]));
    EXPECT_EQ(read.particles.v[k], rounded(f.particles.v[k]));
    EXPECT_EQ(read.particles.radius[k], float(f.particles.radius[k]));
    EXPECT_EQ(read.particles.mass[k], float(f.particles.mass[k]));
  }
  ASSERT_EQ(read.contacts.size(), f.contacts.size());
  for (std::size_t k = 0; k < f.contacts.size(); ++k) {  // direction and point from the line
    EXPECT_NEAR(norm(read.contacts[k].n - f.contacts[k].n), 0, 1e-5);
    EXPECT_NEAR(norm(read.contacts[k].point - f.contacts[k].point), 0, 1e-6);
    EXPECT_EQ(read.contacts[k].overlap, float(f.contacts[k].overlap));
  }
  // Far from the origin a float would move centres by more than 1e-4 of a radius: positions stay exact.
  f.time = 0.5;
  for (Vec3d& x : f.particles.x) x.x += 1e3;
  writer.write(f);
  EXPECT_EQ(read_frame(folder.path(), 0.5).particles.x, f.particles.x);
  EXPECT_EQ(read_frame(folder.path(), 0.5).particles.v[7], rounded(f.particles.v[7]));
}

TEST(VtkFrames, TakeLessThan60BytesPerGrain) {
  const TemporaryFolder folder;
  const int count = 20000;
  const Frame f = large_frame(count);
  FrameWriter writer(folder.path());
  writer.write(f);
  EXPECT_LT(fs::file_size(particles_file(folder.path(), 0)) / double(count), 60);
  EXPECT_LT(fs::file_size(contacts_file(folder.path(), 0)) / double(f.contacts.size()), 60);
  const std::string once = read_file(particles_file(folder.path(), 0));
  writer.write(f);  // replaces the first one, with the same bytes
  EXPECT_EQ(read_file(particles_file(folder.path(), 1)), once);
}

TEST(VtkFrames, ContactsHaveAnIntervalOfTheirOwn) {
  const TemporaryFolder folder;
  Output what;
  what.frames = 0.1;
  what.contact_frames = 0.25;
  const auto with_contacts = [&] {
    std::vector<double> times;
    for (const FrameEntry& e : list_frames(folder.path()))
      if (e.has_contacts) times.push_back(e.time);
    return times;
  };
  {
    FrameWriter writer(folder.path(), {}, what);
    for (const double time : {0.0, 0.1, 0.2}) writer.write(sample_frame(5, time));
  }
  {  // resumed after a multiple of the interval has passed, and before the frame that is due for it
    FrameWriter writer(folder.path(), 0.26, what);
    for (const double time : {0.3, 0.4, 0.5 - 4e-6, 0.6}) writer.write(sample_frame(5, time));  // at the nearest step
    writer.write(sample_frame(5, 0.7), true);
  }
  EXPECT_EQ(with_contacts(), (std::vector<double>{0.0, 0.3, 0.5 - 4e-6, 0.7}));
  EXPECT_EQ(read_file(folder.path() / "contacts.pvd").find("contacts_000001"), std::string::npos);
  EXPECT_TRUE(read_frame(folder.path(), 0.4).contacts.empty());
}

TEST(VtkFrames, FilesWithoutCompressionAreRead) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "w.vtp";
  const auto block = [](const auto& values) {
    const std::uint64_t size = sizeof(values[0]) * values.size();
    return std::string(reinterpret_cast<const char*>(&size), 8) +
           std::string(reinterpret_cast<const char*>(values.data()), size);
  };
  const std::vector<double> x{1, 2, 3}, radius{0.5};
  const std::vector<std::int64_t> id{7};
  std::ofstream(path, std::ios::binary)
      << "<VTKFile type=\"PolyData\" header_type=\"UInt64\"><PolyData><Piece NumberOfPoints=\"1\" "
         "NumberOfVerts=\"0\"><PointData><DataArray type=\"Int64\" Name=\"id\" format=\"appended\" offset=\"0\"/>"
         "<DataArray type=\"Float64\" Name=\"radius\" format=\"appended\" offset=\"16\"/></PointData><Points>"
         "<DataArray type=\"Float64\" Name=\"points\" format=\"appended\" offset=\"32\"/></Points></Piece>"
         "</PolyData><AppendedData encoding=\"raw\">_"
      << block(id) << block(radius) << block(x) << "</AppendedData></VTKFile>";
  const Frame f = read_particles_vtp(path);
  EXPECT_EQ(f.particles.id, id);
  EXPECT_EQ(f.particles.radius, radius);
  EXPECT_EQ(f.particles.x, (std::vector<Vec3d>{{1, 2, 3}}));
}

TEST(VtkFrames, ResumeDropsLaterFramesAndHalfWrittenFiles) {
  const TemporaryFolder folder;
  const fs::path frames = folder.path() / "frames";
  Manifest manifest(folder.path(), "--out", "run");
  manifest.open();
  {
    FrameWriter writer(folder.path(), {}, {}, &manifest);
    for (const double time : {0.0, 0.1, 0.2, 0.3}) writer.write(sample_frame(5, time));
    manifest.add_all({"frames/particles_000005.vtp", "frames/walls_000004.vtp"});
  }
  // What a killed run may leave: a temporary, and a frame without its particle file.
  std::ofstream(frames / ".particles_000005.vtp.areia-part") << "half";
  std::ofstream(frames / "walls_000004.vtp") << "orphan";
  EXPECT_THROW(FrameWriter(folder.path()), FileError);

  manifest.open();
  FrameWriter writer(folder.path(), 0.1, {}, &manifest);
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
  Output what;
  what.contacts = false;
  FrameWriter writer(folder.path(), {}, what);
  writer.write(sample_frame(5, 0.1));
  EXPECT_FALSE(fs::exists(folder.path() / "contacts.pvd"));
  EXPECT_EQ(read_file(folder.path() / "all.pvd").find("contacts"), std::string::npos);
  EXPECT_TRUE(read_frame(folder.path(), 0.1).contacts.empty());
}

TEST(VtkFrames, CutShortFileIsRefused) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "p.vtp";
  write_particles_vtp(path, sample_frame(50), {});
  const auto size = fs::file_size(path);
  for (const auto part : {size / 8, size / 2, size - size / 8}) {
    write_particles_vtp(path, sample_frame(50), {});
    fs::resize_file(path, part);
    EXPECT_THROW(read_particles_vtp(path), FileError);
  }
}

TEST(VtkFrames, DamagedFileIsRefused) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "p.vtp";
  write_particles_vtp(path, sample_frame(500), {});
  std::string bytes = read_file(path);
  const std::size_t data = bytes.find('_', bytes.find("<AppendedData"));
  for (std::size_t at = data + 60; at < data + 90; ++at) bytes[at] ^= 0x55;  // of the first array, `id`
  write_file_atomically(path, bytes);
  EXPECT_THROW(read_particles_vtp(path), FileError);
}

TEST(VtkFrames, KilledWhileReplacingKeepsTheNewFrame) {
  const TemporaryFolder folder;
  { FrameWriter(folder.path()).write(sample_frame(5, 0.1)); }
  // The new frame is complete, the old one not yet removed.
  write_walls_vtp(walls_file(folder.path(), 1), sample_frame(7, 0.1), {});
  write_contacts_vtp(contacts_file(folder.path(), 1), sample_frame(7, 0.1), {});
  write_particles_vtp(particles_file(folder.path(), 1), sample_frame(7, 0.1), {});
  EXPECT_EQ(read_frame(folder.path(), 0.1).particles.id.size(), 7u);
  const FrameWriter writer(folder.path(), 0.1);
  EXPECT_EQ(writer.frames().size(), 1u);
  EXPECT_EQ(listing(folder.path() / "frames").size(), 3u);
}

TEST(ResultsFolder, OnlyResultsAreRemoved) {
  const TemporaryFolder folder;
  Manifest manifest(folder.path(), "--out", "run");
  EXPECT_FALSE(manifest.exists());
  manifest.open();
  EXPECT_FALSE(manifest.holds_files());
  { FrameWriter(folder.path(), {}, {}, &manifest).write(sample_frame(5, 0.1)); }
  write_checkpoint(folder.path(), {}, 0.1, 1, &manifest);
  std::ofstream(folder.path() / "notes.txt") << "mine";
  EXPECT_TRUE(manifest.holds_files());
  remove_results(manifest);
  EXPECT_FALSE(manifest.holds_files());
  EXPECT_TRUE(fs::exists(folder.path() / "notes.txt"));
  EXPECT_NO_THROW(FrameWriter(folder.path()));
}

TEST(VtkFrames, ContactsOfAnotherFrameAreRefused) {
  const TemporaryFolder folder;
  const Frame frame = sample_frame(20, 0.5);
  ASSERT_FALSE(frame.contacts.empty());
  write_contacts_vtp(folder.path() / "contacts.vtp", frame, Output{});
  Frame same = frame, other = frame;
  EXPECT_NO_THROW(read_contacts_vtp(folder.path() / "contacts.vtp", same));
  for (std::int64_t& id : other.particles.id) id += 1000;
  EXPECT_THROW(read_contacts_vtp(folder.path() / "contacts.vtp", other), FileError);
}

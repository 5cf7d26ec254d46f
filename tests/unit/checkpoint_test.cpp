#include "io/checkpoints/checkpoint.h"

#include <gtest/gtest.h>

#include <fstream>

#include "areia/error.h"
#include "io/files/atomic_file.h"
#include "io/temporary_folder.h"

using namespace areia;
using namespace areia::testing_support;
namespace fs = std::filesystem;

namespace {

Archive sample_archive() {
  Archive archive;
  archive.real["particles/x"] = {0.1, -2.5, 1e300};
  archive.real["empty"] = {};
  archive.integer["id"] = {1, -5, std::int64_t{1} << 60};
  archive.text["title"] = "été";
  archive.text["empty"] = "";
  archive.text["with zeros"] = std::string("a\0b\0", 4);
  return archive;
}

void expect_same(const Archive& a, const Archive& b) {
  EXPECT_EQ(a.real, b.real);
  EXPECT_EQ(a.integer, b.integer);
  EXPECT_EQ(a.text, b.text);
}

void overwrite(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

}  // namespace

TEST(Checkpoint, ReadingReturnsWhatWasWritten) {
  const TemporaryFolder folder;
  write_checkpoint(folder.path(), sample_archive(), 0.125, 42);
  const Checkpoint checkpoint = read_newest_checkpoint(folder.path());
  expect_same(checkpoint.archive, sample_archive());
  EXPECT_EQ(checkpoint.time, 0.125);
  EXPECT_EQ(checkpoint.step, 42);
  EXPECT_TRUE(checkpoint.warnings.empty());
  const int result = run_script("check_hdf5.py", checkpoint.path.string());
  EXPECT_TRUE(result == 0 || result == 77);  // 77: no h5py
}

TEST(Checkpoint, SameStateGivesTheSameBytes) {
  const TemporaryFolder a, b;
  write_checkpoint(a.path(), sample_archive(), 0.125, 42);
  write_checkpoint(b.path(), sample_archive(), 0.125, 42);
  EXPECT_EQ(read_file(find_checkpoints(a.path()).at(0)), read_file(find_checkpoints(b.path()).at(0)));
}

TEST(Checkpoint, LastTwoAreKept) {
  const TemporaryFolder folder;
  for (const int step : {1, 20, 300}) write_checkpoint(folder.path(), sample_archive(), 0.1 * step, step);
  auto found = find_checkpoints(folder.path());
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].filename(), "ck_000000000300.h5");
  EXPECT_EQ(found[1].filename(), "ck_000000000020.h5");
  // Repeating from step 20: the old step 300 must not be taken for the newest.
  write_checkpoint(folder.path(), sample_archive(), 5, 50);
  found = find_checkpoints(folder.path());
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].filename(), "ck_000000000050.h5");
  EXPECT_EQ(found[1].filename(), "ck_000000000020.h5");
}

TEST(Checkpoint, EveryFlippedBitAndEveryCutIsNoticed) {
  const TemporaryFolder folder;
  write_checkpoint(folder.path(), sample_archive(), 0.125, 42);
  const fs::path path = find_checkpoints(folder.path()).at(0);
  const std::string sound = read_file(path);
  for (std::size_t at = 0; at < sound.size(); at += 37) {
    std::string damaged = sound;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
    overwrite(path, damaged);
    try {
      read_checkpoint(path);
      ADD_FAILURE() << "flipped bit in byte " << at << " of " << sound.size() << " not noticed";
    } catch (const FileError& error) { EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos); }
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{10}, sound.size() / 2}) {
    overwrite(path, sound.substr(0, length));
    EXPECT_THROW(read_checkpoint(path), FileError);
  }
}

TEST(Checkpoint, FallsBackToThePreviousOneWithAWarning) {
  const TemporaryFolder folder;
  write_checkpoint(folder.path(), sample_archive(), 1, 10);
  write_checkpoint(folder.path(), sample_archive(), 2, 20);
  const fs::path newest = find_checkpoints(folder.path()).at(0);
  std::string bytes = read_file(newest);
  bytes[bytes.size() / 2] ^= 4;
  overwrite(newest, bytes);
  const Checkpoint checkpoint = read_newest_checkpoint(folder.path());
  EXPECT_EQ(checkpoint.step, 10);
  ASSERT_EQ(checkpoint.warnings.size(), 1u);
  EXPECT_NE(checkpoint.warnings[0].find(newest.string()), std::string::npos);
  overwrite(checkpoint.path, "no");
  EXPECT_THROW(read_newest_checkpoint(folder.path()), FileError);
  EXPECT_THROW(read_newest_checkpoint(folder.path() / "nowhere"), FileError);
}

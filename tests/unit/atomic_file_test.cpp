#include "io/files/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include <fstream>

#include "areia/error.h"
#include "io/checkpoints/checkpoint.h"
#include "io/files/append_file.h"
#include "io/frames/vtk_frames.h"
#include "io/sample_frame.h"
#include "io/temporary_folder.h"

using namespace areia;
using namespace areia::testing_support;
namespace fs = std::filesystem;

namespace {

int files_in(const fs::path& folder) {
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) count += entry.is_regular_file();
  return count;
}

// A file system of a few pages; needs root.
class SmallDisk {
 public:
  explicit SmallDisk(const char* size) {
    mounted_ = ::mount("tmpfs", folder_.path().c_str(), "tmpfs", 0, (std::string("size=") + size).c_str()) == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(folder_.path().c_str(), MNT_DETACH);
  }
  bool mounted() const { return mounted_; }
  const fs::path& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  bool mounted_ = false;
};

}  // namespace

TEST(AtomicFile, AppearsCompleteOrNotAtAll) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.txt";
  {
    AtomicFile file(path);
    file.write("half");
  }
  EXPECT_EQ(files_in(folder.path()), 0);
  const std::string large(3 << 20, 'x');
  {
    AtomicFile file(path);
    file.write("head");
    file.write(large);
    EXPECT_FALSE(fs::exists(path));
    file.commit();
  }
  EXPECT_EQ(read_file(path), "head" + large);
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(AtomicFile, MissingFolderNamesThePathAndTheReason) {
  try {
    write_file_atomically("/nowhere/at/all.txt", "x");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_STREQ(error.what(), "cannot create /nowhere/at/all.txt: No such file or directory");
  }
}

TEST(AtomicFile, FullDeviceIsReported) {
  const int full = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  try {
    write_all(full, "x", "there");
    FAIL();
  } catch (const FileError& error) { EXPECT_STREQ(error.what(), "cannot write there: No space left on device"); }
  ::close(full);
}

TEST(AtomicFile, BytesAreRewrittenWhereverTheyAre) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.bin";
  std::string expected;
  {
    AtomicFile file(path);
    const auto add = [&](const std::string& bytes) {
      EXPECT_EQ(file.position(), expected.size());
      file.write(bytes);
      expected += bytes;
    };
    const auto replace = [&](std::size_t at, const std::string& bytes) {
      file.rewrite(at, bytes);
      expected.replace(at, bytes.size(), bytes);
    };
    add(std::string(100, 'a'));
    replace(10, "still in the buffer");
    add(std::string(3 << 20, 'b'));  // larger than the buffer: all of it is in the file
    replace(50, "in the file");
    add(std::string(1000, 'c'));
    replace((3 << 20) + 95, "across both");
    EXPECT_THROW(file.rewrite(expected.size() - 2, "xyz"), Error);
    file.commit();
  }
  EXPECT_EQ(read_file(path), expected);
}

TEST(AtomicFile, FullDiskLeavesTheOlderFilesAndNothingHalf) {
  const SmallDisk disk("64k");
  if (!disk.mounted()) GTEST_SKIP() << "mounting a small file system needs root";
  const fs::path path = disk.path() / "a.bin";
  write_file_atomically(path, std::string(8192, 'a'));
  EXPECT_THROW(write_file_atomically(path, std::string(100000, 'b')), FileError);
  EXPECT_EQ(read_file(path), std::string(8192, 'a'));
  EXPECT_EQ(files_in(disk.path()), 1);
}

TEST(AtomicFile, FullDiskDuringFramesAndCheckpointsKeepsTheGoodOnes) {
  const SmallDisk disk("128k");
  if (!disk.mounted()) GTEST_SKIP() << "mounting a small file system needs root";
  FrameWriter writer(disk.path());
  writer.write(sample_frame(50, 0.0));
  EXPECT_THROW(writer.write(sample_frame(5000, 0.1)), FileError);
  EXPECT_EQ(list_frames(disk.path()).size(), 1u);
  EXPECT_EQ(read_frame(disk.path(), 0.0).particles.id.size(), 50u);
  EXPECT_EQ(read_file(disk.path() / "all.pvd").find("000001"), std::string::npos);

  Archive archive;
  archive.real["x"].assign(100, 1.0);
  write_checkpoint(disk.path(), archive, 0.0, 1);
  archive.real["x"].assign(100000, 1.0);
  EXPECT_THROW(write_checkpoint(disk.path(), archive, 0.1, 2), FileError);
  EXPECT_EQ(read_newest_checkpoint(disk.path()).step, 1);
  for (const auto& entry : fs::recursive_directory_iterator(disk.path()))
    EXPECT_EQ(entry.path().string().find("areia-part"), std::string::npos) << entry.path();
}

TEST(AppendFile, FullDiskTakesBackTheTornLine) {
  const SmallDisk disk("16k");
  if (!disk.mounted()) GTEST_SKIP() << "mounting a small file system needs root";
  AppendFile file(disk.path() / "log.txt");
  const std::string line(999, 'x');
  EXPECT_THROW(
      {
        for (int k = 0; k < 1000; ++k) file.append(line);
      },
      FileError);
  EXPECT_EQ(fs::file_size(disk.path() / "log.txt") % 1000, 0u);
}

TEST(AtomicFile, WhatIsThereAlreadyIsNotTouched) {
  const TemporaryFolder folder;
  const fs::path mine = folder.path() / "mine.txt", half = folder.path() / ".a.txt.areia-part";
  std::ofstream(mine) << "mine";
  fs::create_symlink(mine, half);
  write_file_atomically(folder.path() / "a.txt", "ours");
  EXPECT_EQ(read_file(folder.path() / "a.txt"), "ours");
  EXPECT_EQ(read_file(mine), "mine");
  remove_half_written(folder.path() / "a.txt");
  EXPECT_TRUE(fs::is_symlink(half));
}

TEST(AppendFile, LeavesTheOtherNamesOfAFileAlone) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "log.txt", copy = folder.path() / "copy.txt";
  { AppendFile(path).append("one"); }
  fs::create_hard_link(path, copy);
  { AppendFile(path).append("two"); }
  EXPECT_EQ(read_file(path), "one\ntwo\n");
  EXPECT_EQ(read_file(copy), "one\n");
  fs::create_symlink(copy, folder.path() / "link.txt");
  EXPECT_THROW(AppendFile(folder.path() / "link.txt"), FileError);
  EXPECT_EQ(read_file(copy), "one\n");
}

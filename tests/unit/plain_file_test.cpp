// Files of the studio's folder: what lies behind a link, or is no file, is not opened.
#include "studio/plain_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

namespace fs = std::filesystem;
using areia::FileError;
using areia::studio::PlainFile;

namespace {

class PlainFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "areia-plain-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = fs::canonical(name);
    fs::create_directory(folder_ / "inner");
    std::ofstream(folder_ / "inner" / "file") << "0123456789";
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(PlainFiles, AreRead) {
  const PlainFile file(folder_ / "inner" / "file");
  EXPECT_EQ(file.size(), 10u);
  EXPECT_EQ(file.part(4, false), "0123");
  EXPECT_EQ(file.part(4, true), "6789");
  EXPECT_EQ(file.part(100, true), "0123456789");
  // whatever takes its place, the handle is that of the file
  fs::rename(folder_ / "inner" / "file", folder_ / "other");
  std::ifstream again(file.handle());
  std::string text;
  again >> text;
  EXPECT_EQ(text, "0123456789");
}

TEST_F(PlainFiles, NotBehindLinks) {
  fs::create_directory_symlink(folder_ / "inner", folder_ / "link");
  fs::create_symlink(folder_ / "inner" / "file", folder_ / "inner" / "alias");
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  for (const char* name : {"link/file", "inner/alias", "pipe", "inner", "nothing"})
    EXPECT_THROW(PlainFile{folder_ / name}, FileError) << name;
  EXPECT_THROW(PlainFile(folder_ / "link", PlainFile::Kind::folder), FileError);
  EXPECT_THROW(PlainFile(folder_ / "inner" / "file", PlainFile::Kind::folder), FileError);
  EXPECT_NO_THROW(PlainFile(folder_ / "inner", PlainFile::Kind::folder));
}

TEST_F(PlainFiles, ErrorsNameThePath) {
  const fs::path path = folder_ / "inner" / "file";
  try {
    areia::studio::through_handle(path, [](const fs::path& handle) { throw FileError(handle.string() + ": damaged"); });
    FAIL();
  } catch (const FileError& e) { EXPECT_EQ(std::string(e.what()), path.string() + ": damaged"); }
}

}  // namespace

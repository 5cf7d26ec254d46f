#include "io/files/manifest.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "areia/error.h"
#include "io/files/atomic_file.h"
#include "io/temporary_folder.h"

using namespace areia;
using namespace areia::testing_support;
namespace fs = std::filesystem;

namespace {

void put(const fs::path& path, const char* text = "mine") { std::ofstream(path) << text; }

Manifest::Names any() {
  return [](const std::string& name) { return name != Manifest::kFile; };
}

std::string refusal(const Manifest& manifest, const std::vector<std::string>& folders = {}) {
  try {
    manifest.refuse_others(any(), folders);
  } catch (const InputError& e) { return e.what(); }
  return "";
}

}  // namespace

TEST(Manifest, OwnsWhatWasWrittenAndNothingElse) {
  const TemporaryFolder folder;
  {
    Manifest manifest(folder.path(), "--out", "run");
    EXPECT_FALSE(fs::exists(folder.path() / Manifest::kFile));
    manifest.open();
    manifest.add_all({"a.csv", "in/b.csv", "gone.csv"});
    put(folder.path() / "a.csv");
    fs::create_directory(folder.path() / "in");
    put(folder.path() / "in/b.csv");
    put(folder.path() / "gone.csv");
    manifest.remove({"gone.csv"});
    EXPECT_FALSE(fs::exists(folder.path() / "gone.csv"));
  }
  put(folder.path() / "gone.csv");
  put(folder.path() / "other.csv");
  Manifest manifest(folder.path(), "--out", "run");
  EXPECT_TRUE(manifest.owns("a.csv"));
  EXPECT_TRUE(manifest.owns("in/b.csv"));
  EXPECT_FALSE(manifest.owns("gone.csv"));
  EXPECT_FALSE(manifest.owns("other.csv"));
  EXPECT_THROW(manifest.remove({"other.csv"}), FileError);
  EXPECT_NE(refusal(manifest).find("other.csv"), std::string::npos);
  EXPECT_NE(refusal(manifest).find("gone.csv"), std::string::npos);
  EXPECT_EQ(refusal(manifest).find("a.csv: "), std::string::npos);
}

TEST(Manifest, NothingIsDoneThroughLinks) {
  const TemporaryFolder folder, elsewhere;
  {
    Manifest manifest(folder.path(), "--out", "run");
    manifest.open();
    manifest.add_all({"a.csv", "in/b.csv"});
  }
  put(elsewhere.path() / "a.csv");
  put(elsewhere.path() / "b.csv");
  fs::create_symlink(elsewhere.path() / "a.csv", folder.path() / "a.csv");
  fs::create_symlink(elsewhere.path(), folder.path() / "in");
  Manifest manifest(folder.path(), "--out", "run");
  EXPECT_FALSE(manifest.owns("a.csv"));
  EXPECT_FALSE(manifest.owns("in/b.csv"));
  EXPECT_THROW(manifest.remove({"a.csv"}), FileError);
  EXPECT_THROW(manifest.remove({"in/b.csv"}), FileError);
  const std::string told = refusal(manifest, {"in"});
  EXPECT_NE(told.find("/in: "), std::string::npos) << told;
  EXPECT_NE(told.find("/a.csv: "), std::string::npos) << told;
  EXPECT_TRUE(fs::exists(elsewhere.path() / "a.csv"));
  EXPECT_TRUE(fs::exists(elsewhere.path() / "b.csv"));
}

TEST(Manifest, AFileThatWasEditedIsNoLongerOurs) {
  const TemporaryFolder folder;
  {
    Manifest manifest(folder.path(), "--out", "run");
    manifest.open();
    manifest.add("case.toml", "ours");
    put(folder.path() / "case.toml", "ours");
    EXPECT_TRUE(manifest.owns("case.toml"));
    manifest.add("case.toml", "new");  // killed before it was replaced: both are ours
    EXPECT_TRUE(manifest.owns("case.toml"));
  }
  put(folder.path() / "case.toml", "edited");
  const Manifest manifest(folder.path(), "--out", "run");
  EXPECT_FALSE(manifest.owns("case.toml"));
  EXPECT_NE(refusal(manifest).find("has been changed"), std::string::npos);
}

TEST(Manifest, TornLinesAreRepairedAndForeignOnesRefused) {
  for (const char* text : {"areia mani", "", "areia manifest: run\n+ a.csv\n+ b.c"}) {
    const TemporaryFolder folder;
    put(folder.path() / Manifest::kFile, text);
    Manifest manifest(folder.path(), "--out", "run");
    manifest.open();
    manifest.add("c.csv");
    const std::string now = read_file(folder.path() / Manifest::kFile);
    EXPECT_EQ(now, std::string(text).size() > 15 ? "areia manifest: run\n+ a.csv\n+ c.csv\n"
                                                 : "areia manifest: run\n+ c.csv\n");
  }
  for (const char* text : {"graft src", "areia manifest: impact\n", "areia manifest: run\n+ ../a.csv\n",
                           "areia manifest: run\n+ /etc/a.csv\n", "areia manifest: run\na.csv\n"}) {
    const TemporaryFolder folder;
    put(folder.path() / Manifest::kFile, text);
    EXPECT_THROW(Manifest(folder.path(), "--out", "run"), InputError) << text;
    EXPECT_EQ(read_file(folder.path() / Manifest::kFile), text);
  }
}

TEST(Manifest, WhatAKilledProcessLeftHalfWrittenGoes) {
  const TemporaryFolder folder;
  {
    Manifest manifest(folder.path(), "--out", "run");
    manifest.open();
    manifest.add("a.csv");
  }
  put(folder.path() / ".a.csv.areia-part");
  put(folder.path() / ".mine.areia-part");
  Manifest(folder.path(), "--out", "run").open();
  EXPECT_FALSE(fs::exists(folder.path() / ".a.csv.areia-part"));
  EXPECT_TRUE(fs::exists(folder.path() / ".mine.areia-part"));
}

TEST(Manifest, OneProcessAtATime) {
  const TemporaryFolder folder;
  Manifest(folder.path(), "--out", "run").open();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Manifest manifest(folder.path(), "--out", "run");
    ::raise(SIGSTOP);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, WUNTRACED);
  ASSERT_TRUE(WIFSTOPPED(status));
  EXPECT_THROW(Manifest(folder.path(), "--out", "run"), InputError);
  EXPECT_TRUE(Manifest::is_at_work(folder.path()));
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
  EXPECT_FALSE(Manifest::is_at_work(folder.path()));
  EXPECT_FALSE(Manifest::is_at_work(folder.path() / "none"));
  EXPECT_NO_THROW(Manifest(folder.path(), "--out", "run"));  // a lock does not outlive its process
}

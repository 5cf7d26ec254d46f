// A run killed at any instant leaves only complete files, and can be resumed.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <regex>

#include "areia/error.h"
#include "io/checkpoints/checkpoint.h"
#include "io/files/atomic_file.h"
#include "io/files/manifest.h"
#include "io/frames/vtk_frames.h"
#include "io/sample_frame.h"
#include "io/series/series.h"
#include "io/temporary_folder.h"

using namespace areia;
using namespace areia::testing_support;
namespace fs = std::filesystem;

namespace {

// Writes frames, series and checkpoints as fast as it can until it is killed.
void write_until_killed(const fs::path& folder, std::optional<double> resume) {
  Manifest manifest(folder, "--out", "run");
  manifest.open();
  FrameWriter frames(folder, resume, {}, &manifest);
  SeriesSet series(folder, {"floor"}, Output{}, resume, false, false, &manifest);
  const double start = resume ? *resume : -0.1;
  for (int k = 1;; ++k) {
    const Frame frame = sample_frame(200, start + 0.1 * k);
    series.append(frame);
    frames.write(frame);
    series.sync();
    Archive archive;
    archive.real["x"].assign(3000, frame.time);
    write_checkpoint(folder, archive, frame.time, frame.step, &manifest);
  }
}

void expect_whole(const fs::path& folder) {
  for (const char* name : {"particles.pvd", "contacts.pvd", "walls.pvd", "all.pvd"}) {
    if (!fs::exists(folder / name)) continue;
    const std::string text = read_file(folder / name);
    ASSERT_NE(text.find("</VTKFile>"), std::string::npos);
    static const std::regex file("file=\"([^\"]*)\"");
    for (std::sregex_iterator at(text.begin(), text.end(), file), end; at != end; ++at)
      ASSERT_TRUE(fs::exists(folder / (*at)[1].str())) << name << " names " << (*at)[1];
  }
  for (const FrameEntry& entry : list_frames(folder)) ASSERT_EQ(read_frame(folder, entry).particles.id.size(), 200u);
  for (const fs::path& path : find_checkpoints(folder)) ASSERT_NO_THROW(read_checkpoint(path));
}

}  // namespace

TEST(KilledRun, LeavesOnlyCompleteFilesAndResumes) {
  const TemporaryFolder folder;
  std::optional<double> resume;
  for (int round = 0; round < 12; ++round) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      try {
        write_until_killed(folder.path(), resume);
      } catch (...) { ::_exit(1); }
    }
    ::usleep(static_cast<useconds_t>(20000 + 3700 * round));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the run failed by itself in round " << round;
    expect_whole(folder.path());
    if (find_checkpoints(folder.path()).empty()) {
      fs::remove_all(folder.path());
      fs::create_directory(folder.path());
      resume.reset();
      continue;
    }
    const Checkpoint checkpoint = read_newest_checkpoint(folder.path());
    EXPECT_TRUE(checkpoint.warnings.empty());
    resume = checkpoint.time;
    // Every frame and every line up to the checkpoint is there.
    Manifest manifest(folder.path(), "--out", "run");
    const auto whole = [](const std::string& name) {
      return name != Manifest::kFile && name != "frames" && name != "checkpoints" &&
             name.find("areia-part") == std::string::npos;
    };
    EXPECT_NO_THROW(manifest.refuse_others(whole, {"frames", "checkpoints"})) << "a file that nobody owns";
    manifest.open();
    FrameWriter frames(folder.path(), resume, {}, &manifest);
    EXPECT_EQ(frames.frames().back().time, *resume);
    SeriesSet series(folder.path(), {"floor"}, Output{}, resume, false, false, &manifest);
    const std::string lines = read_file(folder.path() / "energy.csv");
    EXPECT_EQ(static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n')), frames.frames().size() + 1);
    for (const auto& entry : fs::recursive_directory_iterator(folder.path() / "frames"))
      EXPECT_EQ(entry.path().string().find("areia-part"), std::string::npos);
  }
}

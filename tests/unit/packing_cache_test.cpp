// Packings that are kept between runs: what is recalled is what was made, and nothing else ever is.
#include "run/packing_cache.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "areia/case_file.h"
#include "io/files/atomic_file.h"
#include "io/temporary_folder.h"

using namespace areia;
using namespace areia::testing_support;
namespace fs = std::filesystem;

namespace {

const char* const kCase = R"(
[materials.g]
density = 2500
young = 2e7
[contacts.default]
normal = { law = "hertz", xi = 0.1 }
tangential = { law = "coulomb_history", mu = 0.5, xi = 0.1 }
[particles.p]
material = "g"
radius = { gaussian = { mean = 0.01, std = 0.001 } }
fill = { method = "layers", region = { box = [[0, 0, 0], [0.1, 0.1, 0.1]] }, count = 40 }
[walls.b]
box = { min = [0, 0, 0], max = [0.1, 0.1, 0.5], open = ["+z"] }
[fields.g]
acceleration = [0, 0, -9.81]
[[stages]]
duration = 0.01
)";

struct Made {
  std::vector<ListedParticle> particles;
  std::vector<std::string> notes;
  bool computed = false;
};

Made make(const PackingMemory& memory, const std::vector<std::string>& overrides = {}) {
  Made made;
  const Case c = prepared(parse_case(kCase, "case.toml", overrides),
                          {.note = [&](const std::string& n) { made.notes.push_back(n); },
                           .progress = [&](const PackingProgress&) { made.computed = true; },
                           .memory = memory});
  made.particles = std::get<std::vector<ListedParticle>>(c.particles[0].source);
  return made;
}

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> all;
  for (const auto& e : fs::directory_iterator(folder / "packings")) all.push_back(e.path());
  return all;
}

}  // namespace

TEST(PackingCache, RecallsTheSameBits) {
  const TemporaryFolder folder;
  const PackingMemory cache = packing_cache(folder.path());
  const Made plain = make({}), first = make(cache), again = make(packing_cache(folder.path()));
  EXPECT_TRUE(plain.computed && first.computed);
  EXPECT_FALSE(again.computed);
  EXPECT_TRUE(plain.particles == first.particles && plain.particles == again.particles);
  EXPECT_EQ(plain.notes, again.notes);
  EXPECT_EQ(entries(folder.path()).size(), 1u);
}

TEST(PackingCache, DependsOnWhatThePackingDependsOn) {
  const TemporaryFolder folder;
  const PackingMemory cache = packing_cache(folder.path());
  make(cache);
  for (const char* same : {"title=another", "output.frames=0.001", "stages[1].duration=2", "numerics.threads=2"})
    EXPECT_FALSE(make(cache, {same}).computed) << same;
  for (const char* other : {"numerics.seed=2", "materials.g.young=3e7", "contacts.default.tangential.mu=0.4",
                            "particles.p.radius.gaussian.std=0.0011", "particles.p.fill.count=41",
                            "walls.b.box.max=[0.1,0.1,0.6]", "fields.g.acceleration=[0,0,-9.8]"})
    EXPECT_TRUE(make(cache, {other}).computed) << other;
}

TEST(PackingCache, DamagedEntriesAreComputedAgain) {
  const TemporaryFolder folder;
  const PackingMemory cache = packing_cache(folder.path());
  const Made first = make(cache);
  const fs::path entry = entries(folder.path()).at(0);
  const std::string sound = read_file(entry);
  const std::string swapped = std::string(sound).replace(sound.find("\n0.0"), 4, "\n0.1");
  for (const std::string& damaged : {std::string(), sound.substr(0, sound.size() / 2), swapped, sound + "0,0,0,1\n"}) {
    std::ofstream(entry) << damaged;
    const Made made = make(cache);
    EXPECT_TRUE(made.computed);
    EXPECT_TRUE(made.particles == first.particles);
    EXPECT_EQ(read_file(entry), sound);  // mended
  }
}

TEST(PackingCache, IsSafeWhereSeveralWrite) {
  const TemporaryFolder folder;
  Packing packing;
  packing.particles.resize(2000);
  for (std::size_t k = 0; k < packing.particles.size(); ++k)
    packing.particles[k].x.x = 1.0 / static_cast<double>(k + 1);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      const PackingMemory cache = packing_cache(folder.path());
      for (int k = 0; k < 20; ++k) {
        cache.keep("what", packing);
        const auto known = cache.recall("what");
        if (!known || known->particles != packing.particles) ++wrong;
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(entries(folder.path()).size(), 1u);
}

TEST(PackingCache, StaysWithinItsSize) {
  const TemporaryFolder folder;
  Packing packing;
  packing.particles.resize(1000);
  const PackingMemory cache = packing_cache(folder.path(), 20000);
  for (const char* key : {"a", "b", "c", "d", "e", "f", "g", "h"}) cache.keep(key, packing);
  std::uintmax_t sum = 0;
  for (const fs::path& e : entries(folder.path())) sum += fs::file_size(e);
  EXPECT_LE(sum, 20000u);
  EXPECT_TRUE(cache.recall("h").has_value());
  EXPECT_FALSE(cache.recall("a").has_value());
}

TEST(PackingCache, RemovesItsOwnFilesOnly) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "packings");
  const fs::path mine = folder.path() / "packings" / "experiment.csv";
  std::ofstream(mine) << std::string(30000, 'x');
  fs::last_write_time(mine, fs::file_time_type::clock::now() - std::chrono::hours(1));
  Packing packing;
  packing.particles.resize(1000);
  const PackingMemory cache = packing_cache(folder.path(), 20000);
  for (const char* key : {"a", "b", "c", "d"}) cache.keep(key, packing);
  EXPECT_TRUE(fs::exists(mine));
  EXPECT_TRUE(cache.recall("d").has_value());
}

TEST(PackingCache, AFolderThatCannotBeWrittenToIsNoProblem) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "no folder";
  EXPECT_TRUE(make(packing_cache(folder.path() / "file")).computed);
}

TEST(PackingCache, FolderFollowsTheEnvironment) {
  const auto with = [](const char* own, const char* common) {
    own ? setenv("AREIA_CACHE", own, 1) : unsetenv("AREIA_CACHE");
    common ? setenv("XDG_CACHE_HOME", common, 1) : unsetenv("XDG_CACHE_HOME");
    const auto folder = cache_folder();
    return folder ? folder->string() : "none";
  };
  setenv("HOME", "/home/somebody", 1);
  EXPECT_EQ(with("off", "/c"), "none");
  EXPECT_EQ(with("/own", "/c"), "/own");
  EXPECT_EQ(with(nullptr, "/c"), "/c/areia");
  EXPECT_EQ(with(nullptr, "relative"), "/home/somebody/.cache/areia");
  EXPECT_EQ(with(nullptr, nullptr), "/home/somebody/.cache/areia");
}

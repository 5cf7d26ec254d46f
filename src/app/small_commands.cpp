// areia new, examples, schema, reference, info.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "app/commands.h"
#include "app/print.h"
#include "areia/case_file.h"
#include "areia/error.h"
#include "areia/version.h"
#include "core/cores.h"
#include "engine/cuda/plugin.h"
#include "engine/ranks/plugin.h"
#include "io/files/atomic_file.h"
#include "io/files/manifest.h"
#include "run/examples.h"

namespace areia::app {

namespace fs = std::filesystem;

namespace {

int new_case(const std::string& file) {
  refuse_existing(file, "new", false);
  write_file_atomically(file, starter_case());
  print("{} written; try: areia check {}\n", file, file);
  return kDone;
}

int examples(const std::string& name, const std::string& to) {
  const std::vector<Example> found = find_examples();
  if (name.empty()) {
    for (const Example& e : found) print("{:<24} {}\n", e.name, e.title);
    print("\nareia examples NAME copies one here; then: areia run NAME/case.toml\n");
    return kDone;
  }
  for (const Example& e : found)
    if (e.name == name) {
      const fs::path target = to.empty() ? fs::path(name) : fs::path(to);
      if (fs::exists(fs::symlink_status(target)))
        throw InputError("examples", target.string(), "exists already; choose another place with --to");
      fs::copy(e.folder, target, fs::copy_options::recursive);
      print("{}\n", target.string());
      return kDone;
    }
  throw InputError("examples", name, "no such example; areia examples lists them");
}

int info() {
  print("areia {}\n", kVersion);
  print("compiler   {} {}\n",
#ifdef __clang__
        "clang",
#else
        "gcc",
#endif
        __VERSION__);
#ifdef NDEBUG
  print("build      optimised\n");
#else
  print("build      with assertions\n");
#endif
  const Cores cores = usable_cores();
  print("threads    {} ({})\n", cores.count, cores.reason);
#if defined(__x86_64__)
  print("cpu        avx2 {}, fma {}, avx512f {}\n", __builtin_cpu_supports("avx2") ? "yes" : "no",
        __builtin_cpu_supports("fma") ? "yes" : "no", __builtin_cpu_supports("avx512f") ? "yes" : "no");
#endif
  print("numbers    double precision; no contraction, no reassociation: the same bits on every x86-64 CPU\n");
  const cuda::FoundDevice& device = cuda::found_device();
  print("engines    cpu, reference, cuda ({})\n", device.name.empty() ? "no: " + device.why_not : device.name);
  const ranks::FoundMpi mpi = ranks::found_mpi();
  print("ranks      {}\n", mpi.name.empty() ? "no: " + mpi.why_not : mpi.name);
  return kDone;
}

}  // namespace

void add_small_commands(CLI::App& app, int& exit_code) {
  auto file = std::make_shared<std::string>("case.toml");
  CLI::App* c = app.add_subcommand("new", "write a commented starter case");
  c->add_option("file", *file, "name of the new case file")->type_name(kFile);
  c->callback([=, &exit_code] { exit_code = new_case(*file); });

  auto name = std::make_shared<std::string>(), to = std::make_shared<std::string>();
  c = app.add_subcommand("examples", "list the examples, or copy one");
  c->add_option("name", *name, "example to copy")->type_name(kExample);
  c->add_option("--to", *to, "folder to copy it to")->type_name(kFolder);
  c->callback([=, &exit_code] { exit_code = examples(*name, *to); });

  app.add_subcommand("schema", "print the JSON Schema of case files, for editors")->callback([] {
    print("{}\n", json_schema());
  });
  app.add_subcommand("reference", "print the reference of all input keys (Markdown)")->callback([] {
    print("{}", manual_markdown());
  });
  app.add_subcommand("info", "print version, build and CPU features")->callback([&exit_code] { exit_code = info(); });
}

}  // namespace areia::app

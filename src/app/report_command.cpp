// areia report: one HTML page of a run.
#include <filesystem>
#include <memory>

#include "app/commands.h"
#include "app/pictures.h"
#include "app/print.h"
#include "app/results.h"
#include "io/files/atomic_file.h"
#include "io/files/manifest.h"
#include "run/report.h"

namespace areia::app {

namespace fs = std::filesystem;

void add_report(CLI::App& app, int& exit_code) {
  struct Arguments : PictureArguments {
    std::string results, out;
    bool overwrite = false;
  };
  auto a = std::make_shared<Arguments>();
  a->size = "800x600";
  CLI::App* c = app.add_subcommand("report", "write one HTML page of a run: case, choices, pictures, plots, ledger");
  c->add_option("results", a->results, "results folder of a run")->type_name(kFolder)->required();
  c->add_option("--out", a->out, "page to write; default: the folder's name with .html")->type_name(kFile);
  c->add_flag("--overwrite", a->overwrite, "replace the page if it is there");
  add_picture_options(*c, *a);
  c->callback([a, &exit_code] {
    require_folder(a->results);
    const fs::path out = a->out.empty() ? file_beside(a->results, "html") : fs::path(a->out);
    if (out.extension() != ".html" && out.extension() != ".htm")
      throw InputError("--out", a->out, "a report is an HTML page: the name must end with .html");
    refuse_existing(out, "--out", a->overwrite);
    write_file_atomically(out, run_report(a->results, picture_options(*a, a->results, {})));
    print("{}\n", out.string());
    exit_code = kDone;
  });
}

}  // namespace areia::app

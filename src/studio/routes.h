// What the server answers: runs, series, frames and cases of one folder, nothing else of the file system. Those that
// write and start something are in control.h.
//
//   GET /                                   the page
//   GET /editor.js                          the part of it that edits cases, loaded when it is needed
//   GET /api/runs                           the list of results folders, JSON
//   GET /api/run?run=PATH                   one of them: frames, series, which way is up, JSON
//   GET /api/frame?run=PATH&index=N&arrays=velocity,force   a frame as a Message
//   GET /api/particle?run=PATH&index=N&id=I one particle of it in all digits, JSON
//   GET /api/series?run=PATH&name=energy    the columns of a series as a Message; &as=csv: the file as it is
//   GET /api/case?run=PATH                  the resolved case, text
//   GET /api/log?run=PATH                   the log, text
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "areia/frame.h"
#include "io/frames/vtk_frames.h"
#include "studio/answer.h"
#include "studio/control.h"
#include "studio/run_list.h"

namespace areia::studio {

class Routes {
 public:
  explicit Routes(const std::filesystem::path& folder) : runs_(folder) {}

  Answer answer(const Target& target);  // whatever goes wrong is an answer, too
  // One that takes its time and may be asked for beside the others.
  static bool is_check(const Target& target) { return target.path == "/api/check"; }
  Answer check(const Target& target) const;
  const std::filesystem::path& folder() const { return runs_.folder(); }

 private:
  Answer found(const Target& target);
  Answer list();
  Answer run(const std::string& path, const std::filesystem::path& folder);
  Answer series(const std::filesystem::path& folder, const Target& target) const;
  const std::vector<FrameEntry>& frames(const std::filesystem::path& folder);
  std::shared_ptr<const Frame> frame(const std::filesystem::path& folder, const std::string& index);

  RunList runs_;
  Control control_{runs_};
  struct Listed {
    std::filesystem::path folder;
    std::filesystem::file_time_type changed;
    std::vector<FrameEntry> frames;
  } listed_;  // the last one asked for
  struct Shown {
    std::filesystem::path folder;
    int index = -1;
    std::filesystem::file_time_type changed;  // a run may begin anew
    std::shared_ptr<const Frame> frame;
  } shown_;  // the last one asked for: other arrays and single particles of it come next
};

}  // namespace areia::studio

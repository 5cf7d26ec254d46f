// What the server answers: runs, series, frames and cases of one folder, nothing else of the file system. Those that
// write and start something are in control.h.
//
//   GET /                                   the page
//   GET /editor.js                          the part of it that edits cases, loaded when it is needed
//   GET /api/runs                           the list of results folders, JSON
//   GET /api/run?run=PATH                   one of them: frames, series, which way is up, JSON
//   GET /api/frame?run=PATH&index=N&arrays=velocity.length,force   a frame as a Message;
//   &colour=velocity.length&up=0,0,1
//                                           with what it is coloured by and the range of the scale; &lines=all with
//                                           contacts and bonds, &lines=range with their scale alone; &have=KEY,KEY
//                                           without these parts
//   GET /api/picture?run=PATH&index=N&client=WHO&look=JSON   a picture of it, for browsers without WebGL, PNG;
//                                           204 where a newer one of the same client came meanwhile
//   GET /api/history?run=PATH&from=N&id=I&arrays=velocity   one particle, or &wall=NAME one wall, in frames from the
//                                           Nth on, as many as a moment allows, JSON
//   GET /api/particle?run=PATH&index=N&id=I one particle of it in all digits, JSON
//   GET /api/series?run=PATH&name=energy    the columns of a series as a Message; &as=csv: the file as it is
//   GET /api/case?run=PATH                  the resolved case, text
//   GET /api/log?run=PATH                   the log, text
// lab.h has those of the impact lab, verification.h those of the verification.
#pragma once
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "io/frames/vtk_frames.h"
#include "studio/answer.h"
#include "studio/control.h"
#include "studio/frame_cache.h"
#include "studio/run_list.h"
#include "studio/turns.h"

namespace areia::studio {

class Routes {
 public:
  explicit Routes(const std::filesystem::path& folder) : runs_(folder) {}

  Answer answer(const Target& target);  // whatever goes wrong is an answer, too
  // One that takes its time and may be asked for beside the others.
  static bool is_check(const Target& target) { return target.path == "/api/check"; }
  Answer check(const Target& target) const;
  const std::filesystem::path& folder() const { return runs_.folder(); }
  Turns& turns() { return turns_; }
  // Pictures take a while: they are asked for in a thread of their own, beside all other answers.
  static bool is_drawn(const Target& target) { return target.path == "/api/picture"; }
  static bool is_read(const Target& target);  // frames and what is taken from them

 private:
  Answer found(const Target& target);
  Answer list();
  Answer run(const std::string& path, const std::filesystem::path& folder);
  Answer series(const std::filesystem::path& folder, const Target& target) const;
  // view_routes.cpp
  Answer of_frame(const std::filesystem::path& folder, const Target& target);
  Answer history(const std::filesystem::path& folder, const Target& target);
  std::vector<FrameEntry> frames(const std::filesystem::path& folder);

  RunList runs_;
  std::mutex listing_;
  Control control_{runs_};
  struct Listed {
    std::filesystem::path folder;
    std::filesystem::file_time_type changed;
    std::vector<FrameEntry> frames;
  } listed_;  // the last one asked for
  FrameCache frames_;
  Turns turns_;
};

}  // namespace areia::studio

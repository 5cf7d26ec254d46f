#include "run/measure_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/files/manifest.h"
#include "observe/measures.h"
#include "scene/region.h"

namespace areia {

MeasureFiles::MeasureFiles(const std::filesystem::path& folder, const Case& c, const MeasureTimes& times,
                           const Archive* loaded, Manifest* manifest) {
  for (Measure m : c.output.measure) {
    repeat_with(c.domain, m.region);
    Observer observer(m, c);
    if (manifest) manifest->add(fmt::format("{}.csv", m.name));
    SeriesWriter lines(series_file(folder, m.name), observer.columns(), times.resume_time);
    const bool known = loaded && lines.is_in(*loaded);
    if (loaded && !known) begun_late_.push_back(m.name);
    std::optional<FieldFiles> pictures;
    if (const char* ending = measure_info(m.kind).picture)
      pictures.emplace(folder, m.name, ending, c.output.double_precision, known ? loaded : nullptr, manifest);
    if (known) observer.load(*loaded);
    std::optional<Rhythm> windows;
    if (m.average > 0) windows.emplace(m.average, times.dt, times.now);
    const double every = m.every > 0 ? m.every : m.average > 0 ? std::min(times.series, m.average) : times.series;
    all_.push_back({std::move(observer), std::move(lines), std::move(pictures), Rhythm(every, times.dt, times.now),
                    windows, false, false});
  }
}

double MeasureFiles::target() const {
  double next = kForever;
  for (const One& m : all_) {
    next = std::min(next, m.looks.target());
    if (m.windows) next = std::min(next, m.windows->target());
  }
  return next;
}

bool MeasureFiles::is_due(double time) {
  bool any = false;
  for (One& m : all_) {
    m.look = m.looks.is_due(time);
    m.line = m.windows ? m.windows->is_due(time) : m.look;
    m.look = m.look || m.line;
    any = any || m.look;
  }
  return any;
}

void MeasureFiles::append(const Frame& frame, bool all) {
  for (One& m : all_) {
    if (!m.look && !all) continue;
    m.observer.look(frame);
    if ((m.line || all) && m.observer.has_lines()) {
      if (m.pictures) m.pictures->write(m.observer.picture(frame), frame);
      m.lines.append_if_later(m.observer.lines(frame));
      m.observer.begin_window();
    }
    m.look = m.line = false;
  }
}

void MeasureFiles::sync() {
  for (One& m : all_) m.lines.sync();
}

void MeasureFiles::save(Archive& archive) const {
  for (const One& m : all_) {
    m.lines.save(archive);
    m.observer.save(archive);
    if (m.pictures) m.pictures->save(archive);
  }
}

}  // namespace areia

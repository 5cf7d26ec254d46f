// What grains do to walls, from the books that the engine keeps step by step (engine/wear.h): per wall as columns, per
// triangle of meshes as a picture.
#include <cmath>
#include <limits>

#include "observe/measures.h"

namespace areia {

namespace {

class WearGauge : public Gauge {
 public:
  WearGauge(const Measure& m, const Case& c) : coefficient_(m.wear_coefficient) {
    for (std::size_t w = 0; w < c.walls.size(); ++w) {
      const std::string& name = c.walls[w].name;
      if (!m.walls.empty() && std::find(m.walls.begin(), m.walls.end(), name) == m.walls.end()) continue;
      walls_.push_back({name, static_cast<std::int32_t>(w), std::holds_alternative<MeshShape>(c.walls[w].shape)});
    }
  }

  std::vector<std::string> columns() const override {
    std::vector<std::string> names;
    for (const OneWall& w : walls_) {
      for (const char* what : {"sliding_J", "loaded_slip_J", "impact_J"}) names.push_back(w.name + "." + what);
      if (coefficient_ > 0) names.push_back(w.name + ".worn_m3");
    }
    return names;
  }

  std::vector<double> sample(const Frame& frame) override {
    std::vector<double> all;
    for (const OneWall& w : walls_) {
      const FrameWear* wear = of(frame, w.index);
      const auto sum = [&](const std::vector<double> FrameWear::*what) {
        double total = 0;
        if (wear)
          for (const double a : wear->*what) total += a;
        return total;
      };
      const double loaded = sum(&FrameWear::loaded);
      all.insert(all.end(), {sum(&FrameWear::sliding), loaded, sum(&FrameWear::impact)});
      if (coefficient_ > 0) all.push_back(coefficient_ * loaded);
    }
    return all;
  }

  FieldPicture picture(const Frame& frame, const std::vector<double>& /*sample*/) const override {
    FieldSurface s;
    s.arrays = {{"wall", 1, {}}, {"sliding", 1, {}}, {"loaded_slip", 1, {}}, {"impact", 1, {}}};
    if (coefficient_ > 0) s.arrays.push_back({"depth", 1, {}});
    bool any = false;
    for (const OneWall& w : walls_) {
      if (!w.mesh) continue;
      any = true;
      const FrameWear* wear = of(frame, w.index);
      const FrameWall& wall = frame.walls[static_cast<std::size_t>(w.index)];
      if (!wear || wall.polygons.size() != wear->sliding.size()) continue;  // not there now
      const auto offset = static_cast<std::int32_t>(s.vertices.size());
      s.vertices.insert(s.vertices.end(), wall.vertices.begin(), wall.vertices.end());
      for (std::size_t k = 0; k < wall.polygons.size(); ++k) {
        std::vector<std::int32_t> polygon = wall.polygons[k];
        const auto corner = [&](std::size_t n) { return wall.vertices[static_cast<std::size_t>(polygon[n])]; };
        const double area = 0.5 * norm(cross(corner(1) - corner(0), corner(2) - corner(0)));
        for (std::int32_t& v : polygon) v += offset;
        s.polygons.push_back(std::move(polygon));
        s.arrays[0].values.push_back(w.index);
        s.arrays[1].values.push_back(wear->sliding[k] / area);
        s.arrays[2].values.push_back(wear->loaded[k] / area);
        s.arrays[3].values.push_back(wear->impact[k] / area);
        if (coefficient_ > 0) s.arrays[4].values.push_back(coefficient_ * wear->loaded[k] / area);
      }
    }
    if (!any) return {};
    return s;
  }

 private:
  struct OneWall {
    std::string name;
    std::int32_t index;
    bool mesh;
  };
  static const FrameWear* of(const Frame& frame, std::int32_t wall) {
    for (const FrameWear& w : frame.wear)
      if (w.wall == wall) return &w;
    return nullptr;
  }

  double coefficient_;
  std::vector<OneWall> walls_;
};

void check_wear(Rules& r, const std::string& key, const Measure& m) {
  const Case& c = r.settings();
  const std::vector<std::string> names = Rules::names(c.walls);
  if (names.empty()) r.add(key + ".kind", "\"wear\"", "the case has no walls to wear");
  for (const std::string& name : m.walls) r.known(key + ".walls", name, names, "wall");
  if (m.region.kind != Region::Kind::all)
    r.add(key + ".region", "", "wear is measured on whole walls; `walls` chooses them");
  if (c.numerics.scheme == Scheme::trapezoid)
    r.add(key + ".kind", "\"wear\"", "is booked step by step: it needs an explicit `numerics.scheme`");
}

}  // namespace

extern const MeasureInfo kWear;
const MeasureInfo kWear{
    Measure::Kind::wear,
    "wear",
    true,
    check_wear,
    [](const Measure& m, const Case& c) -> std::unique_ptr<Gauge> { return std::make_unique<WearGauge>(m, c); },
    ".vtp",
    true};

}  // namespace areia

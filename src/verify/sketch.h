// Sketches of examples as SVG: a few strokes in the units of the example, y upwards, fitted to one small picture.
#pragma once
#include <string>
#include <vector>

#include "areia/frame.h"

namespace areia::verify {

class Sketch {
 public:
  struct Point {
    double x = 0, y = 0;
  };

  Sketch& disc(Point centre, double radius, double shade = 1);  // shade: 1 near, 0 far
  Sketch& line(std::vector<Point> points, bool closed = false);
  Sketch& dashed(Point from, Point to);
  Sketch& arrow(Point from, Point to, std::string label = "");
  Sketch& label(Point at, std::string text);
  // A plate seen from its edge; what it holds back is on the left of the way from `from` to `to`.
  Sketch& ground(Point from, Point to);
  // A bar of this many metres under the picture.
  Sketch& scale(double length, std::string text);

  std::string svg() const;

 private:
  enum class Look { disc, line, closed, dashed, arrow, label, hatch };
  struct Stroke {
    Look look;
    std::vector<Point> points;
    double size = 0;  // of a disc: its radius; of others not used
    double shade = 1;
    std::string text;
  };
  std::vector<Stroke> strokes_;
  double bar_ = 0;
  std::string bar_text_;
};

// What a case looks like when it begins: spheres, walls, velocities, the direction of gravity. Seen along the axis that
// hides least of walls and motion, gravity downwards.
Sketch sketch_of(const Frame& frame, const Vec3d& gravity);

}  // namespace areia::verify

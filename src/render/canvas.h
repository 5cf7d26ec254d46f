// What plots are drawn on: paths and texts with y downwards, in units of a pixel of a page. The same drawing becomes
// SVG text or an image.
#pragma once
#include <string>
#include <vector>

#include "render/render.h"

namespace areia::plot {

struct Point {
  double x, y;
};
struct Area {
  double x, y, width, height;
};

struct Look {
  std::string stroke = "";  // "#1f4fd1"; "": no line
  double width = 1.5;
  std::string dash = "";  // "6 3"
  std::string fill = "";  // "": none
  double opacity = 1;
};

enum class Anchor { start, middle, end };

struct Lettering {
  double size = 11;
  Anchor anchor = Anchor::start;
  std::string colour = "#222222";
  bool upward = false;  // turned by a quarter, to be read from the right
};

class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void begin_clip(const Area& area) = 0;  // what follows is cut there
  virtual void end_clip() = 0;
  virtual void path(const std::vector<std::vector<Point>>& stretches, bool closed, const Look& look) = 0;
  virtual void circle(const Point& centre, double radius, const Look& look) = 0;
  virtual void text(const Point& base, const std::string& words, const Lettering& lettering) = 0;

  void line(const Point& a, const Point& b, const Look& look) { path({{a, b}}, false, look); }
  void rectangle(const Area& a, const Look& look) {
    path({{{a.x, a.y}, {a.x + a.width, a.y}, {a.x + a.width, a.y + a.height}, {a.x, a.y + a.height}}}, true, look);
  }
};

class SvgCanvas : public Canvas {
 public:
  SvgCanvas(double width, double height);
  void begin_clip(const Area& area) override;
  void end_clip() override;
  void path(const std::vector<std::vector<Point>>& stretches, bool closed, const Look& look) override;
  void circle(const Point& centre, double radius, const Look& look) override;
  void text(const Point& base, const std::string& words, const Lettering& lettering) override;
  std::string finished() const;

 private:
  std::string text_;
  int clips_ = 0;
};

class ImageCanvas : public Canvas {
 public:
  ImageCanvas(double width, double height, double pixels_per_unit);  // white
  explicit ImageCanvas(Image& drawn_on);                             // in its pixels
  ImageCanvas(const ImageCanvas&) = delete;
  ImageCanvas& operator=(const ImageCanvas&) = delete;
  void begin_clip(const Area& area) override;
  void end_clip() override;
  void path(const std::vector<std::vector<Point>>& stretches, bool closed, const Look& look) override;
  void circle(const Point& centre, double radius, const Look& look) override;
  void text(const Point& base, const std::string& words, const Lettering& lettering) override;
  const Image& image() const { return *image_; }

 private:
  struct Clip {
    int x0, y0, x1, y1;  // pixels, the last ones not included
  };
  Clip whole() const { return {0, 0, image_->width, image_->height}; }
  void fill(const std::vector<std::vector<Point>>& polygons, const std::string& colour, double opacity);

  Image own_;
  Image* image_ = &own_;
  double scale_ = 1;
  Clip clip_{};
};

}  // namespace areia::plot

#include "render/text.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <algorithm>
#include <cmath>
#include <vector>

#include "areia/error.h"
#include "render/font.h"

namespace areia::picture {

namespace {

constexpr char32_t kUnknown = 0xfffd;  // stands for bytes that are no text

// Characters with the places in the text where they end.
struct Letter {
  char32_t code;
  std::size_t end;
};
std::vector<Letter> letters_of(std::string_view utf8) {
  std::vector<Letter> letters;
  for (std::size_t k = 0; k < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[k++]);
    const std::size_t more = lead < 0x80                   ? 0
                             : lead >= 0xf0 && lead < 0xf8 ? 3
                             : lead >= 0xe0                ? 2
                             : lead >= 0xc0                ? 1
                                                           : 9;
    char32_t code = more == 0 ? lead : lead & (0x3fu >> more);
    std::size_t got = 0;
    while (got < more && k < utf8.size() && (static_cast<unsigned char>(utf8[k]) & 0xc0) == 0x80)
      code = code << 6 | (static_cast<unsigned char>(utf8[k++]) & 0x3fu), ++got;
    if (got != more) code = kUnknown;
    letters.push_back({code < 32 ? U' ' : code, k});
  }
  return letters;
}

// A face is not for several threads at once: each has its own.
class Face {
 public:
  Face() {
    if (FT_Init_FreeType(&library_) != 0) throw Error("FreeType cannot be started");
    const auto file = font_file();
    if (FT_New_Memory_Face(library_, file.data(), static_cast<FT_Long>(file.size()), 0, &face_) != 0) {
      FT_Done_FreeType(library_);
      throw Error("the font of the program cannot be read");
    }
  }
  ~Face() {
    FT_Done_Face(face_);
    FT_Done_FreeType(library_);
  }
  Face(const Face&) = delete;
  Face& operator=(const Face&) = delete;

  // set(glyph slot, x) for each letter, x from the start of the text in pixels; returns the width.
  template <class Set>
  double lay_out(const std::vector<Letter>& letters, double size, bool bold, const Set& set) {
    if (!(size > 0)) return 0;
    FT_Set_Char_Size(face_, 0, static_cast<FT_F26Dot6>(std::lround(64 * std::min(size, 1000.0))), 72, 72);
    const double strength = bold ? size / 24 : 0;  // added to every letter
    double x = 0;
    FT_UInt before = 0;
    for (const Letter& letter : letters) {
      const FT_UInt glyph = FT_Get_Char_Index(face_, letter.code);
      FT_Vector kern{0, 0};
      if (before != 0 && glyph != 0) FT_Get_Kerning(face_, before, glyph, FT_KERNING_UNFITTED, &kern);
      x += static_cast<double>(kern.x) / 64;
      before = glyph;
      // no hints: letters stand where the text says, at any size
      if (FT_Load_Glyph(face_, glyph, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) != 0) continue;
      if (bold) FT_Outline_Embolden(&face_->glyph->outline, std::lround(64 * strength));
      const double advance = static_cast<double>(face_->glyph->linearHoriAdvance) / 65536 + strength;
      set(face_->glyph, x);
      x += advance;
    }
    return x;
  }

 private:
  FT_Library library_ = nullptr;
  FT_Face face_ = nullptr;
};

Face& face() {
  thread_local Face own;
  return own;
}

void blend(Image& image, const FT_Bitmap& bitmap, int left, int top, const TextLook& look) {
  const int ink[3] = {look.red, look.green, look.blue};
  for (int row = 0; row < static_cast<int>(bitmap.rows); ++row)
    for (int column = 0; column < static_cast<int>(bitmap.width); ++column) {
      const int x = left + column, y = top + row;
      const int cover = bitmap.buffer[row * bitmap.pitch + column];
      if (cover == 0 || x < 0 || y < 0 || x >= image.width || y >= image.height) continue;
      std::uint8_t* pixel = image.rgb.data() + (std::size_t(y) * std::size_t(image.width) + std::size_t(x)) * 3;
      for (int c = 0; c < 3; ++c)
        pixel[c] = static_cast<std::uint8_t>((pixel[c] * (255 - cover) + ink[c] * cover + 127) / 255);
    }
}

}  // namespace

double text_width(std::string_view utf8, double size, bool bold) {
  return face().lay_out(letters_of(utf8), size, bold, [](FT_GlyphSlot, double) {});
}

void draw_text(Image& image, double x, double y, std::string_view utf8, const TextLook& look) {
  if (utf8.empty() || !std::isfinite(x + y) || std::abs(x) > 1e6 || std::abs(y) > 1e6) return;
  const double shift = look.share > 0 ? look.share * text_width(utf8, look.size, look.bold) : 0;
  face().lay_out(letters_of(utf8), look.size, look.bold, [&](FT_GlyphSlot slot, double at) {
    double px = x + at - shift, py = y;
    if (look.upward) {
      px = x, py = y - at + shift;
      const FT_Matrix quarter{0, -0x10000, 0x10000, 0};
      FT_Outline_Transform(&slot->outline, &quarter);
    }
    const int left = static_cast<int>(std::floor(px)), base = static_cast<int>(std::floor(py));
    FT_Outline_Translate(&slot->outline, std::lround(64 * (px - left)), -std::lround(64 * (py - base)));
    if (FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) != 0) return;
    blend(image, slot->bitmap, left + slot->bitmap_left, base - slot->bitmap_top, look);
  });
}

std::string fitted(std::string_view utf8, double size, double width, bool bold) {
  if (text_width(utf8, size, bold) <= width) return std::string(utf8);
  const std::vector<Letter> letters = letters_of(utf8);
  for (std::size_t n = letters.size(); n-- > 0;) {
    std::string shorter(utf8.substr(0, n == 0 ? 0 : letters[n - 1].end));
    shorter += "…";
    if (n == 0 || text_width(shorter, size, bold) <= width) return shorter;
  }
  return {};
}

}  // namespace areia::picture

// PNG through libpng, into memory: fixed filter and compression, no time stamp, so that equal images are equal files.
#include <png.h>

#include <cstring>
#include <new>
#include <vector>

#include "areia/error.h"
#include "io/files/atomic_file.h"
#include "render/render.h"

namespace areia {

std::string encode_png(const Image& image, int level) {
  png_structp png = png_create_write_struct(
      PNG_LIBPNG_VER_STRING, nullptr,
      [](png_structp, png_const_charp message) {
        if (std::strstr(message, "emory")) throw std::bad_alloc();
        throw Error(message);
      },
      [](png_structp, png_const_charp) {});
  if (!png) throw std::bad_alloc();
  png_infop info = png_create_info_struct(png);
  std::string bytes;
  try {
    if (!info) throw std::bad_alloc();
    png_set_write_fn(
        png, &bytes,
        [](png_structp writer, png_bytep data, png_size_t size) {
          static_cast<std::string*>(png_get_io_ptr(writer))->append(reinterpret_cast<const char*>(data), size);
        },
        [](png_structp) {});
    png_set_IHDR(png, info, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height), 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, level);
    png_set_filter(png, 0, level > 1 ? PNG_FILTER_PAETH : PNG_FILTER_SUB);
    char key[] = "Software", name[] = "Areia";
    png_text mark{};
    mark.compression = PNG_TEXT_COMPRESSION_NONE;
    mark.key = key;
    mark.text = name;
    png_set_text(png, info, &mark, 1);
    png_write_info(png, info);
    for (int row = 0; row < image.height; ++row)
      png_write_row(png, image.rgb.data() + std::size_t(row) * std::size_t(image.width) * 3);
    png_write_end(png, info);
  } catch (...) {
    png_destroy_write_struct(&png, &info);
    throw;
  }
  png_destroy_write_struct(&png, &info);
  return bytes;
}

bool is_our_png(const std::filesystem::path& path) {
  using namespace std::string_view_literals;
  const std::string head = read_file(path).substr(0, 200);  // the mark comes before the picture
  return head.starts_with("\x89PNG") && head.find("tEXtSoftware\0Areia"sv) != std::string::npos;
}

void write_png(const std::filesystem::path& path, const Image& image) {
  write_file_atomically(path, encode_png(image));
}

}  // namespace areia

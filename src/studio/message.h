// What travels to the page in bulk: a head in JSON, then arrays of numbers, each from a multiple of eight bytes.
//
//   bytes 0-3   "ARM1"
//   bytes 4-7   length of the head, little endian; with the eight bytes before it a multiple of eight
//   head        {..., "arrays": {NAME: {"type": "f32", "components": 3, "count": 12, "offset": 0}}}; offsets count
//               from the end of the head
#pragma once
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace areia::studio {

class Message {
 public:
  nlohmann::json head = nlohmann::json::object();

  // `count` tuples of `components` numbers: float, double, std::uint32_t.
  template <class T>
  void add(const std::string& name, int components, const std::vector<T>& numbers) {
    data_.resize((data_.size() + 7) / 8 * 8);
    head["arrays"][name] = {{"type", type_of(T{})},
                            {"components", components},
                            {"count", numbers.size() / static_cast<std::size_t>(components)},
                            {"offset", data_.size()}};
    const std::size_t at = data_.size();
    data_.resize(at + numbers.size() * sizeof(T));
    if (!numbers.empty()) std::memcpy(data_.data() + at, numbers.data(), numbers.size() * sizeof(T));
  }

  std::string bytes() const {
    // names come from users: bytes that are not UTF-8 are replaced, not thrown at
    std::string text = head.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    text.resize((text.size() + 7) / 8 * 8, ' ');
    std::string all = "ARM1";
    const auto length = static_cast<std::uint32_t>(text.size());
    for (int k = 0; k < 4; ++k) all += static_cast<char>(length >> (8 * k) & 255);
    return all.append(text).append(data_);
  }

 private:
  static const char* type_of(float) { return "f32"; }
  static const char* type_of(double) { return "f64"; }
  static const char* type_of(std::uint32_t) { return "u32"; }

  std::string data_;
};

}  // namespace areia::studio

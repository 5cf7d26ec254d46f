// Columns of C++ memory as numpy arrays: read-only, never copied, and the memory lives as long as an array does.
#pragma once
#include <pybind11/numpy.h>

#include <array>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "areia/vec3.h"
#include "binding.h"

namespace areia::python {

// What a value of a column is made of.
template <class T>
struct Numbers {
  using Scalar = T;
  static constexpr py::ssize_t count = 0;  // a number by itself
};
template <>
struct Numbers<Vec3d> {
  using Scalar = double;
  static constexpr py::ssize_t count = 3;
};
template <>
struct Numbers<std::array<double, 4>> {
  using Scalar = double;
  static constexpr py::ssize_t count = 4;
};

// `first` points at the first of n values, which lie `stride` bytes apart; `owner` holds them.
template <class T, class Owner>
py::array column(const T* first, std::size_t n, std::size_t stride, const std::shared_ptr<Owner>& owner) {
  using Scalar = typename Numbers<T>::Scalar;
  std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(n)}, strides{static_cast<py::ssize_t>(stride)};
  if (Numbers<T>::count > 0) {
    shape.push_back(Numbers<T>::count);
    strides.push_back(sizeof(Scalar));
  }
  const py::capsule keeps(new std::shared_ptr<Owner>(owner),
                          [](void* p) { delete static_cast<std::shared_ptr<Owner>*>(p); });
  py::array array(py::dtype::of<Scalar>(), shape, strides, first, keeps);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

template <class T, class Owner>
py::array column(const std::vector<T>& values, const std::shared_ptr<Owner>& owner) {
  return column(values.data(), values.size(), sizeof(T), owner);
}

// A member of each of a row of structs.
template <class S, class T, class Owner>
py::array column(const std::vector<S>& rows, T S::*member, const std::shared_ptr<Owner>& owner) {
  const S none{};
  return column(rows.empty() ? &(none.*member) : &(rows.front().*member), rows.size(), sizeof(S), owner);
}

inline py::tuple tuple_of(const Vec3d& v) { return py::make_tuple(v.x, v.y, v.z); }

}  // namespace areia::python

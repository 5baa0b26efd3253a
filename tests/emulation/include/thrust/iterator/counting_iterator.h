// An iterator over numbers.
#pragma once

#include <cstddef>

namespace thrust {

template <class T>
class counting_iterator {
 public:
  using value_type = T;
  using difference_type = std::ptrdiff_t;

  explicit counting_iterator(T first) : first_(first) {}
  T operator[](std::size_t i) const { return static_cast<T>(first_ + i); }

 private:
  T first_;
};

}  // namespace thrust

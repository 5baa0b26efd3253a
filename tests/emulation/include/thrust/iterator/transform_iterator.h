// An iterator over what a function gives.
#pragma once

#include <cstddef>
#include <type_traits>

namespace thrust {

template <class Function, class Iterator>
class transform_iterator {
 public:
  using value_type = std::invoke_result_t<const Function&, typename Iterator::value_type>;
  using difference_type = std::ptrdiff_t;

  transform_iterator(Iterator from, Function function) : from_(from), function_(function) {}
  value_type operator[](std::size_t i) const { return function_(from_[i]); }

 private:
  Iterator from_;
  Function function_;
};

template <class Iterator, class Function>
transform_iterator<Function, Iterator> make_transform_iterator(Iterator from, Function function) {
  return {from, function};
}

}  // namespace thrust

// Where the sequences of a batch lie in memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace gsx::python {

/// A null is a view of no memory; an empty sequence is one of some.
using Views = std::vector<std::string_view>;

inline bool is_null(std::string_view view) {
  return view.data() == nullptr;
}

/// Makes room for so many more, so that adding many batches takes linear time.
inline void make_room(Views& views, std::size_t more) {
  const std::size_t needed = views.size() + more;
  if (needed > views.capacity()) views.reserve(std::max(needed, 2 * views.capacity()));
}

}  // namespace gsx::python

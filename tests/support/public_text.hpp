// Texts made by the public function, for tests of the library's edges.
#pragma once

#include <string_view>

#include "gsx/index.hpp"

namespace gsx::testing {

/// The text of one sequence.
inline Text text_of(std::string_view symbols, const ReadTextOptions& options = {}) {
  const Sequence one{.name = "one", .symbols = symbols};
  return gsx::make_text({&one, 1}, options);
}

}  // namespace gsx::testing

// What an index in shards cannot do: be searched as one FM-index.
#pragma once

#include <string>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "index/store/index.hpp"

namespace gsx {

/// The index if it is one FM-index, and null if it is in shards: then its text is searched.
inline const Index* whole_or_null(const Index& index) {
  return index.parts().empty() ? &index : nullptr;
}

/// Throws UsageError for an index in shards. `work` names what needs more.
inline void require_whole(const Index& index, const char* work) {
  if (index.parts().empty()) return;
  throw UsageError("'" + printable(index.path()) + "' is in " +
                   std::to_string(index.parts().size()) + " shards, and " + work +
                   " need one index: make it with join_shards()");
}

}  // namespace gsx

// Tells how the names of records were made of their headers.
#pragma once

#include "text/text.hpp"

namespace gsx {

/// Whether a name has a blank: then names are whole header lines, not first words. Cost: one pass.
inline bool are_whole_headers(const RecordsView& records) {
  return records.names.find(' ') != std::string_view::npos;
}

}  // namespace gsx

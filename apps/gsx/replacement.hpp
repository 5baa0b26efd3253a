// Whether the index that is to be written may replace what has its name.
#pragma once

#include <string>

#include "text/text.hpp"

namespace gsx::app {

struct Replacement {
  std::string path;      ///< of the index to be written
  bool derived = false;  ///< whether its name was made of the input's
  bool force = false;    ///< --force

  /// To be called first: throws UsageError for a file that is no index, unless it is empty.
  void check_kind() const;

  /// To be called before sorting where the name is derived: then an index of other sequences is
  /// refused (UsageError). Else it is warned of, which may wait until the checksums are there; one
  /// that this gsx cannot read, because it is damaged or has another format, is replaced. `text`
  /// gets its checksums where names and lengths do not tell: then its symbols must.
  void check_sequences(Text& text, int threads) const;
};

}  // namespace gsx::app

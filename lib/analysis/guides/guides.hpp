// Guides on their way to a search.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "analysis/guides/pam.hpp"
#include "records/record_batch.hpp"
#include "search/mismatches/set_patterns.hpp"
#include "search/mismatches/unasked.hpp"

namespace gsx {

/// A batch of guides without their PAM, in upper case, and the patterns to search for: of each
/// guide one for each PAM. Those of a guide that cannot be asked for are empty, so that it has no
/// sites.
struct GuideBatch {
  RecordBatch records;  ///< as read
  std::vector<std::string> guides;
  SetPatternBuffer patterns;
  std::vector<bool> asked;  ///< whether a guide can be asked for
  std::size_t pams = 1;

  std::size_t size() const { return guides.size(); }
  /// The first pattern of a guide.
  std::span<const BaseSet> pattern_of(std::size_t guide) const {
    return patterns.patterns()[guide * pams];
  }
};

/// How the guides of a batch end.
enum class GuideEnds : std::uint8_t {
  guide,    ///< they do not hold the PAM
  pam,      ///< they hold it: it is cut off
  unknown,  ///< they should not hold it; they may look as if they did
};

/// Guides that look as if they held the PAM, so that a user should be told.
struct GuidesWithPam {
  std::size_t number = 0;
  std::size_t first = 0;  ///< the first of them in its batch, if `few`
  bool few = false;       ///< fewer than half, each as long as a usual guide with its PAM
};

/// Makes guides and patterns of the records of a batch, and adds those that cannot be asked for to
/// `unasked`. Guides that hold a PAM hold the first one. Throws InputError if a guide lacks the PAM
/// that it should hold, or all of them have one, beside a guide of the usual length, and nobody
/// said so. Returns those that look as if they had one: half of the guides or more, with a guide of
/// the usual length, or all of several; or fewer among guides of other lengths.
GuidesWithPam prepare_guides(GuideBatch& batch, const std::vector<Pam>& pams, GuideEnds ends,
                             std::uint32_t mismatches, UnaskedQueries& unasked);

}  // namespace gsx

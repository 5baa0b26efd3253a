// Guides on their way to a search.
#pragma once

#include <string>
#include <vector>

#include "offtarget/pam.hpp"
#include "query/unasked.hpp"
#include "scan/set_patterns.hpp"
#include "seq/record_batch.hpp"

namespace gsx {

/// A batch of guides without their PAM, in upper case, and the patterns to search for. The pattern
/// of a guide that cannot be asked for is empty, so that it has no sites.
struct GuideBatch {
  RecordBatch records;  ///< as read
  std::vector<std::string> guides;
  SetPatternBuffer patterns;

  std::size_t size() const { return guides.size(); }
};

/// How the guides of a batch end.
enum class GuideEnds : std::uint8_t {
  guide,    ///< they do not hold the PAM
  pam,      ///< they hold it: it is cut off
  unknown,  ///< they should not hold it, but it is an error if all of them look as if they did
};

/// Makes guides and patterns of the records of a batch, and adds those that cannot be asked for to
/// `unasked`. Throws InputError if a guide lacks the PAM that it should hold, or all of them have
/// one and nobody said so.
void prepare_guides(GuideBatch& batch, const Pam& pam, GuideEnds ends, std::uint32_t mismatches,
                    UnaskedQueries& unasked);

}  // namespace gsx

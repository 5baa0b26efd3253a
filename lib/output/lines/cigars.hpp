// CIGARs of hits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "output/lines/query_report.hpp"
#include "output/lines/text_format.hpp"
#include "search/mismatches/base_set.hpp"
#include "text/place_parts.hpp"

namespace gsx {

/// Writes the CIGARs of hits, of = and X, in the order of the target.
class Cigars {
 public:
  explicit Cigars(const MismatchText* mismatched) : mismatched_(mismatched) {}

  /// That of symbols [begin, end) of a hit. Valid until the next call.
  std::string_view of(const Hit& hit, std::string_view query, const PlaceParts& parts,
                      std::uint64_t begin, std::uint64_t end) {
    cigar_.clear();
    mismatches_ = 0;
    if (hit.mismatches() == 0) return finish(end - begin, '=');
    std::uint64_t run = 0;
    bool runs_equal = true;
    for (std::uint64_t i = begin; i < end; ++i) {
      const auto code = static_cast<std::uint32_t>(mismatched_->text.symbols[parts.position_of(i)]);
      const bool equal = hit.is_reverse() ? has_base(set_of(query[query.size() - 1 - i]), code ^ 3)
                                          : has_base(set_of(query[i]), code);
      if (equal != runs_equal && run != 0) finish(std::exchange(run, 0), runs_equal ? '=' : 'X');
      runs_equal = equal;
      mismatches_ += equal ? 0 : 1;
      ++run;
    }
    return finish(run, runs_equal ? '=' : 'X');
  }
  /// The mismatches of the last one.
  std::uint32_t mismatches() const { return mismatches_; }

 private:
  BaseSet set_of(char letter) const {
    return mismatched_->iupac ? iupac_base_set(letter) : plain_base_set(letter);
  }
  std::string_view finish(std::uint64_t run, char kind) {
    append_number(cigar_, run);
    return cigar_ += kind;
  }

  const MismatchText* mismatched_;
  std::string cigar_;
  std::uint32_t mismatches_ = 0;
};

}  // namespace gsx

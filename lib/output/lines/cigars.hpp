// CIGARs of hits.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "output/lines/text_format.hpp"

namespace gsx {

/// Writes the CIGARs of hits, of = and X, in the order of the target.
class Cigars {
 public:
  /// That of symbols [begin, end) of a hit with these mismatches, as MismatchPlaces has them. Valid
  /// until the next call.
  std::string_view of(std::span<const std::uint64_t> mismatches, std::uint64_t begin,
                      std::uint64_t end) {
    cigar_.clear();
    mismatches_ = 0;
    std::uint64_t differing = 0;  // symbols of the run of mismatches that ends at `begin`
    for (const std::uint64_t place : mismatches) {
      if (place < begin || place >= end) continue;
      if (place != begin) {
        append_run(differing, 'X');
        append_run(place - begin, '=');
        differing = 0;
      }
      ++differing;
      ++mismatches_;
      begin = place + 1;
    }
    append_run(differing, 'X');
    append_run(end - begin, '=');
    return cigar_;
  }
  /// The mismatches of the last one.
  std::uint32_t mismatches() const { return mismatches_; }

 private:
  void append_run(std::uint64_t symbols, char kind) {
    if (symbols == 0) return;
    append_number(cigar_, symbols);
    cigar_ += kind;
  }

  std::string cigar_;
  std::uint32_t mismatches_ = 0;
};

}  // namespace gsx

// Searching one pattern at a time, or one symbol at a time.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/export.hpp"
#include "gsx/index.hpp"
#include "index/fm/interval.hpp"
#include "search/exact/hits.hpp"

namespace gsx {

/// Where a pattern occurs: symbols [begin, end) of a record, counted from 0.
struct Occurrence {
  std::uint64_t record = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool reverse = false;          ///< whether the pattern's reverse complement stands there
  std::uint32_t mismatches = 0;  ///< symbols that differ from the pattern's

  friend auto operator<=>(const Occurrence&, const Occurrence&) = default;
};

/// A hit of a pattern of `length` symbols as a place in a record.
GSX_API Occurrence occurrence_of(const Index& index, Hit hit, std::uint64_t length);
GSX_API Occurrence occurrence_of(const Text& text, Hit hit, std::uint64_t length);

/// How often a pattern occurs, on each strand. A symbol that the index's alphabet does not have
/// matches nothing; an empty pattern occurs nowhere.
/// Cost: two ranks per symbol and strand; each waits for memory, which BatchSearcher
/// (gsx/batch.hpp) hides by searching many patterns at a time. Throws UsageError for the reverse
/// strand alone of an alphabet without complement, ResourceError.
GSX_API StrandCounts count(const Index& index, std::string_view pattern,
                           Strands strands = Strands::both);

/// Where it occurs, by record, begin and strand. Throws what count() throws. Cost: sample_rate
/// steps per occurrence.
GSX_API std::vector<Occurrence> locate(const Index& index, std::string_view pattern,
                                       const LocateRequest& request = {});

/// The occurrences, on the forward strand, of a pattern that grows to the left: one step of
/// backward search (Ferragina and Manzini, 2005) at a time. A value: a copy goes its own way.
/// Refers to what the index holds, which may be moved meanwhile.
class GSX_API Cursor {
 public:
  /// The empty pattern, which occurs at every symbol. Throws UsageError for an index in shards.
  explicit Cursor(const Index& index);
  explicit Cursor(Index&&) = delete;  ///< which would be gone at once

  /// Puts a symbol in front of the pattern; false when it then occurs nowhere. Cost: two ranks.
  bool extend_left(char symbol);

  std::uint64_t length() const { return length_; }
  std::uint64_t count() const {
    return length_ == 0 ? fm_->rows() - fm_->segments.count : rows_.count();
  }
  /// The i-th occurrence in suffix order. Pre: i < count(), length() > 0. Cost: sample_rate steps.
  Occurrence occurrence(std::uint64_t i) const;

 private:
  const FmView* fm_;
  const Alphabet* alphabet_;
  const RecordsView* records_;
  Interval<std::uint64_t> rows_;  ///< of the suffixes that start with the pattern
  std::uint64_t length_ = 0;
};

}  // namespace gsx

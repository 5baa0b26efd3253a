// Searching patterns, exactly or with mismatches and IUPAC codes: one at a time, or in batches on
// all cores or on a GPU.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/export.hpp"
#include "gsx/index.hpp"
#include "index/fm/interval.hpp"
#include "run/search_options.hpp"
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
/// hides by searching many patterns at a time. Throws UsageError for the reverse
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

/// Searches an index for batches of patterns. Owns the index together with the Index that it was
/// given. Several threads may call.
class GSX_API BatchSearcher {
 public:
  /// Throws DeviceError where a GPU was demanded, ResourceError.
  explicit BatchSearcher(const Index& index, const SearchOptions& options = {});
  BatchSearcher(BatchSearcher&&) noexcept;
  BatchSearcher& operator=(BatchSearcher&&) noexcept;
  ~BatchSearcher();

  /// What does the work: "cpu", or the GPUs by number and name. Once the CPU has taken over from a
  /// GPU, it names both.
  std::string device() const;

  /// Occurrences of each pattern. Patterns on an alphabet without complement are searched as given.
  /// Throws UsageError for the reverse strand alone of such an alphabet, ResourceError.
  std::vector<StrandCounts> count(std::span<const std::string_view> patterns,
                                  Strands strands = Strands::both) const;

  /// Gives `sink` the hits of all patterns, chunk by chunk, in the order of the patterns, each
  /// pattern's in the order of the text. Each thread holds a bounded number of hits, however many
  /// there are. One call of the sink at a time, by any of the threads; what it throws ends the work
  /// and comes out here. Throws what count() throws, and UsageError for an
  /// empty sink.
  void locate(std::span<const std::string_view> patterns, const LocateRequest& request,
              const HitSink& sink) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// How patterns are read, and which of their places are found: every one, in a text of DNA, where
/// at most `mismatches` symbols differ (Hamming distance). A symbol of a record other than A, C, G,
/// T and U matches nothing. A pattern that is its own reverse complement is found on both strands.
struct MismatchOptions {
  std::uint32_t mismatches = 0;  ///< most of a place: 0 to most_mismatches (255)
  /// Whether letters are IUPAC codes: R matches A and G, N any base. Otherwise, a letter other than
  /// A, C, G, T and U is a mismatch everywhere.
  bool iupac = false;
  Strands strands = Strands::both;
  /// Most places to report per pattern: those with the fewest mismatches, and among equal ones
  /// those that come first in the text, the forward strand before the reverse.
  std::uint64_t max_hits = unlimited;
};

/// Why a pattern cannot be asked for, in words that follow "it "; none if it can be. It cannot if
/// it holds a byte that is no letter (with `iupac`, no IUPAC code of a nucleotide), if it is not
/// longer than options.mismatches, or if it stands for any sequence, as NNN does with `iupac`. An
/// empty pattern can be asked for, and occurs nowhere.
GSX_API std::optional<std::string> why_not_asked(std::string_view pattern,
                                                 const MismatchOptions& options);

/// How many places a pattern has, by number of mismatches: [options.mismatches + 1] counts, of
/// which the i-th is that of the places with exactly i mismatches; max_hits does not matter. Works
/// on the calling thread. Throws UsageError for an index or a text that is not DNA, for more than
/// most_mismatches, and for a pattern that cannot be asked for; ResourceError.
/// Cost: whichever is less of one pass over the text, many places at a time in bit planes, and, in
/// an index, mismatches + 1 pieces of the pattern that are looked up exactly, of which one must
/// match (Wu and Manber, 1992), and whose places are compared.
GSX_API std::vector<StrandCounts> count_with_mismatches(const Index& index,
                                                        std::string_view pattern,
                                                        const MismatchOptions& options);
GSX_API std::vector<StrandCounts> count_with_mismatches(const Text& text, std::string_view pattern,
                                                        const MismatchOptions& options);

/// Where they are, by record, begin and strand, each with its number of mismatches. Throws what
/// count_with_mismatches throws. Cost: the same, or twice that; memory for the places that are
/// reported.
GSX_API std::vector<Occurrence> locate_with_mismatches(const Index& index, std::string_view pattern,
                                                       const MismatchOptions& options);
GSX_API std::vector<Occurrence> locate_with_mismatches(const Text& text, std::string_view pattern,
                                                       const MismatchOptions& options);

/// Searches for batches of patterns with mismatches, on all cores or on a GPU. Several threads may
/// call.
class GSX_API MismatchBatchSearcher {
 public:
  /// Owns the index together with the Index that it was given. Throws UsageError for an index that
  /// is not DNA, DeviceError where a GPU was demanded, ResourceError.
  explicit MismatchBatchSearcher(const Index& index, const SearchOptions& options = {});
  /// Needs no index, which long patterns would be found faster with. Refers to the text, which must
  /// stay where it is. Throws the same.
  explicit MismatchBatchSearcher(const Text& text, const SearchOptions& options = {});
  explicit MismatchBatchSearcher(Text&&, const SearchOptions& = {}) = delete;
  MismatchBatchSearcher(MismatchBatchSearcher&&) noexcept;
  MismatchBatchSearcher& operator=(MismatchBatchSearcher&&) noexcept;
  ~MismatchBatchSearcher();

  /// What does the work, as BatchSearcher::device() says it.
  std::string device() const;

  /// How many places each pattern has: [patterns][options.mismatches + 1] counts, one after
  /// another, each row as count_with_mismatches gives it; max_hits does not matter. A pattern that
  /// cannot be asked for (why_not_asked) has no places. Throws UsageError for more than
  /// most_mismatches, ResourceError.
  std::vector<StrandCounts> count(std::span<const std::string_view> patterns,
                                  const MismatchOptions& options) const;

  /// Gives `sink` the places of all patterns, as BatchSearcher::locate does: in the order of the
  /// patterns, those of each in the order of the text. Hit::mismatches() is the number of
  /// mismatches. Throws what count() throws, and UsageError for an empty sink.
  void locate(std::span<const std::string_view> patterns, const MismatchOptions& options,
              const HitSink& sink) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gsx

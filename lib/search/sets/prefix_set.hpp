// Owner and builder of a PrefixSetView.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/export.hpp"
#include "search/sets/prefix_view.hpp"

namespace gsx {

/// Thrown for a sequence that a set already has.
class GSX_API DuplicateSequence : public UsageError {
 public:
  /// Pre: earlier < later.
  DuplicateSequence(std::uint32_t earlier, std::uint32_t later)
      : UsageError("sequences " + std::to_string(earlier) + " and " + std::to_string(later) +
                   " of the set are the same"),
        first(earlier),
        second(later) {}
  std::uint32_t first;  ///< indexes
  std::uint32_t second;
};

/// A set of sequences to be found at the beginning of others. Only moves.
class GSX_API PrefixSet {
 public:
  /// Sequences of A C G T, in either case, and U as T, of 1 to max_length bases. Throws UsageError
  /// with the index of the sequence for one that is empty, too long or has another letter, and for
  /// more than 2^32 - 2 of them; DuplicateSequence; ResourceError. Cost: a sort.
  explicit PrefixSet(std::span<const std::string_view> sequences);

  static constexpr std::uint32_t max_length = 1024;

  /// At least the bytes that building takes, for so many sequences of at most so many bases.
  static std::uint64_t bytes_to_build(std::uint64_t sequences, std::uint64_t longest);

  /// Valid while this lives.
  PrefixSetView view() const;
  std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
  /// Of an entry of the view: the index of its sequence in what the set was made of.
  std::uint32_t index_of(std::uint32_t entry) const { return indexes_[entry]; }
  /// index_of() of all entries.
  std::span<const std::uint32_t> indexes() const { return indexes_; }
  /// Words of the view's `tails`.
  std::uint64_t tail_words() const { return tails_.size(); }
  /// Bytes of its tables.
  std::uint64_t bytes() const;

 private:
  void build(std::span<const std::string_view> sequences);
  void fill_starts();
  template <class KeyOf>
  void find_parents(const KeyOf& key_of);

  std::vector<PrefixEntry> entries_;
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint64_t> tails_;
  std::vector<std::uint32_t> tail_starts_;
  std::vector<std::uint32_t> indexes_;
  std::uint32_t leading_ = 1;
  std::uint32_t longest_ = 0;
};

/// Writes the leading bases of a sequence, at most `most`, as the words of a query, and returns how
/// many these are: those before the first letter other than A C G T U. Pre: `words` has room for
/// `most` bases.
GSX_API std::uint32_t leading_bases(std::string_view sequence, std::uint32_t most,
                                    std::uint64_t* words);

}  // namespace gsx

// Builds a set of sequences from blocks of them that come in input order.
#pragma once

#include <cstdint>
#include <vector>

#include "base/memory_growth.hpp"
#include "search/sets/sequence_set.hpp"

namespace gsx {

/// Keys of equal shape, in input order.
struct KeyList {
  std::vector<std::uint64_t> words;
  std::vector<std::uint64_t> counts;  ///< empty if all are 1
  NameList names;                     ///< of all keys that are added, or of none

  /// Bytes that it holds.
  std::uint64_t bytes() const {
    return (words.capacity() + counts.capacity() + names.ends.capacity()) * sizeof(std::uint64_t) +
           names.bytes.capacity();
  }
};

/// Sequences of one length, those with N apart.
struct SequenceBlock {
  std::uint32_t length = 0;  ///< 0 if there is none
  KeyList plain;             ///< of two bits per symbol
  KeyList odd;               ///< of three
};

/// Counts keys of one shape. Keeps what has come since it last sorted, but at most as much as there
/// are distinct keys, or 2^23; and where memory is short, no more than it has room to sort.
class KeyCounter {
 public:
  KeyCounter(std::uint32_t bits, int threads, RequireMemory require)
      : bits_(bits), threads_(threads), require_(std::move(require)) {}

  bool empty() const { return size_ == 0 && pending_keys_ == 0; }
  /// Adds keys of sequences of this length, which never changes. Pre: all counts add up to less
  /// than 2^64. Throws ResourceError.
  void add(std::uint32_t length, KeyList&& list);
  /// Sorts what is pending. Throws as add().
  void flush();
  /// Adds the sequences of a set of the same shape, none of which it has. Throws as add(). Pre:
  /// flush() was the last call.
  void add_distinct(const SequenceSet& set);
  /// The set of all keys. Pre: flush() was the last call. Only once.
  SequenceSet take();

 private:
  static constexpr std::uint64_t least_pending = std::uint64_t{1} << 23;

  template <unsigned Words>
  void sort_plain();
  template <unsigned Words>
  void sort_with_facts();
  template <unsigned Words, class KeyOf, class FactsOf>
  void merge(std::uint64_t sorted, const KeyOf& key_of, const FactsOf& facts_of);
  void clear_pending();
  bool has_room();
  std::uint64_t bytes_to_sort() const;
  std::uint64_t bytes_to_merge(std::uint64_t keys, std::uint64_t name_bytes) const;
  void require(std::uint64_t bytes) const {
    if (require_) require_(bytes);
  }

  std::uint32_t bits_;
  int threads_;
  RequireMemory require_;
  SequenceShape shape_;
  std::vector<KeyList> pending_;
  std::uint64_t pending_keys_ = 0;
  std::uint64_t pending_bytes_ = 0;
  std::uint64_t pending_name_bytes_ = 0;
  std::uint64_t checked_bytes_ = 0;  ///< of those pending, when it last looked for room
  bool has_facts_ = false;           ///< whether any pending list has counts or names
  bool named_ = false;
  // The distinct keys.
  std::uint64_t size_ = 0;
  Buffer<std::uint64_t> words_;
  Buffer<std::uint64_t> counts_;
  NameList names_;
};

class SetBuilder {
 public:
  /// Sorts on `threads` threads. Asks `require`, if it is there, before memory grows.
  explicit SetBuilder(int threads, const RequireMemory& require = {})
      : require_(require), plain_(2, threads, require), odd_(3, threads, require) {}

  /// The length of the sequences so far; 0 if there are none.
  std::uint32_t length() const { return length_; }
  /// Adds sequences. Of equal ones, the first one's name is kept. Pre: the length is that of all
  /// before, and all counts add up to less than 2^64. Throws ResourceError.
  void add(SequenceBlock&& block);
  /// The set: with keys of two bits per symbol if there is no N. Only once. Throws as add().
  SequenceSet finish();

 private:
  RequireMemory require_;
  std::uint32_t length_ = 0;
  KeyCounter plain_;
  KeyCounter odd_;
};

}  // namespace gsx

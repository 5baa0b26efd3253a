// The text as a sequence of phrases, with equal phrases found.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/parallel.hpp"
#include "index/sa/ranks/rank_bit_vector.hpp"
#include "index/sa/ranks/syncmer_rule.hpp"
#include "index/sa/suffix_key.hpp"

namespace gsx {

/// How a text is cut into phrases.
struct PhraseRule {
  std::uint32_t window;     ///< of syncmers
  std::uint64_t first_key;  ///< symbols that sorting may read first
  bool begins_in_runs;      ///< whether a phrase may begin where a run fills the window
};

/// Cuts a text into phrases: one begins at each syncmer and at each start of a segment. Finds the
/// phrases whose content is equal, in the way of prefix-free parsing (Boucher et al., Prefix-free
/// parsing for building big BWTs, Algorithms Mol. Biol. 2019, section 3.1), with syncmers for
/// trigger strings: no phrase is longer than a window, except before a run of one symbol.
///
/// The content of a phrase is its symbols and the next overlap() ones. So equal phrases are
/// followed by phrases that begin at the same distance, no content is a proper prefix of another
/// one, and whether a suffix is B* depends only on the content of its phrase: a syncmer is not
/// followed by a run that is longer than its window. A phrase whose content would cross the end of
/// its segment equals no other phrase.
/// Memory: 1.33 bits per position and `starts`, 1 entry per phrase; in `room`, 2 entries per
/// phrase and, while equal phrases are found, 8 to 16 bytes more.
template <class Pos>
class PhraseParse {
 public:
  /// Finds the starts of phrases. Cost: 3 ns per position.
  PhraseParse(const TextView& text, const PhraseRule& rule, int threads);
  PhraseParse(const PhraseParse&) = delete;

  /// The share of the text's positions at which a phrase would begin, from a sample.
  static double density(const TextView& text, std::uint32_t window);

  /// Number of phrases.
  std::uint64_t size() const { return size_; }
  /// Symbols after a phrase that belong to its content. Sorting by depth() symbols reads no more.
  std::uint64_t overlap() const { return overlap_; }
  /// Suffixes that agree on so many symbols have their next syncmers at the same distance, if this
  /// is at most a window.
  std::uint64_t depth() const { return rule_.depth(); }
  std::uint64_t start(std::uint64_t i) const { return starts_[i]; }
  const Pos* starts() const { return starts_.data(); }
  /// Asks for what phrase_at(p) reads.
  void prefetch(std::uint64_t p) const { marks_.prefetch(std::min(p + 1, length() - 1)); }
  /// The phrase that holds position p, which is no separator. Cost: one cache line.
  std::uint64_t phrase_at(std::uint64_t p) const {
    return p + 1 < length() ? marks_.rank(p + 1) - 1 : size_ - 1;
  }
  /// Whether a syncmer of the same segment follows p within a window.
  bool has_syncmer_after(std::uint64_t p) const;

  /// Bytes that find_equal() needs.
  std::uint64_t table_bytes() const;
  /// Sets first_of[i], for each phrase i, to one phrase that is equal to phrase i, the same one for
  /// all equal phrases. `table` is memory for table_bytes(). Cost: one pass over the text, and one
  /// random access per phrase.
  void find_equal(Pos* first_of, std::uint64_t* table) const;

 private:
  std::uint64_t length() const { return text_.length(); }
  std::uint64_t slots() const;
  bool is_run(std::uint64_t p, std::uint64_t length) const;
  std::uint64_t hash(std::uint64_t begin, std::uint64_t length) const;
  bool equal(std::uint64_t a, std::uint64_t b, std::uint64_t length) const;
  /// Symbols of the content of phrase i; 0 if it would cross the end of its segment.
  std::uint64_t content_length(std::uint64_t i) const;

  TextView text_;
  SyncmerRule rule_;
  int threads_;
  std::uint64_t overlap_;
  RankBitVector marks_;
  std::uint64_t size_ = 0;
  Buffer<Pos> starts_;  ///< of the phrases, and the length of the text
};

}  // namespace gsx

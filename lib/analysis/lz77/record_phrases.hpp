// The LZ77 phrases of a record, as users see them: in coordinates of the record.
#pragma once

#include <cstdint>
#include <functional>
#include <variant>

#include "analysis/lz77/phrases.hpp"
#include "text/record_source.hpp"

namespace gsx {

/// A phrase of a record. There are three kinds: a copy; a literal, which is one symbol that has not
/// occurred before; and a run of one symbol outside the alphabet, of any length.
struct RecordPhrase {
  enum class Kind : std::uint8_t { copy, literal, outside };

  Kind kind;
  char symbol;                  ///< of a literal or a run; 0 for a copy
  std::uint64_t start;          ///< in the record
  std::uint64_t length;         ///< at least 1
  std::uint64_t source_record;  ///< of a copy
  std::uint64_t source;         ///< of a copy: in its record
};

/// The phrases of one record. Refers to a parse, and is valid as long as that.
class RecordPhrases {
 public:
  using AnyPhrases = std::variant<TextPhrases<std::uint32_t>, TextPhrases<std::uint64_t>>;

  /// `parsed` begins at position `base` of the text.
  RecordPhrases(const RecordSource& source, std::uint64_t record, const AnyPhrases& parsed,
                std::uint64_t base)
      : source_(source), record_(record), parsed_(parsed), base_(base) {}

  std::uint64_t record() const { return record_; }
  /// Symbols of the record.
  std::uint64_t length() const { return source_.records.infos[record_].length; }
  /// Calls visit(phrase) for all phrases, which cover the record without a gap.
  void visit(const std::function<void(const RecordPhrase&)>& visit) const;

 private:
  struct SegmentRange {
    std::uint64_t first;
    std::uint64_t last;
  };
  SegmentRange segments() const;
  void visit_gap(const Gap& gap, const std::function<void(const RecordPhrase&)>& visit) const;
  template <class Pos>
  void visit_segment(const TextPhrases<Pos>& parsed, std::uint64_t segment, std::uint64_t& next,
                     const std::function<void(const RecordPhrase&)>& visit) const;

  RecordSource source_;
  std::uint64_t record_;
  const AnyPhrases& parsed_;
  std::uint64_t base_;
};

/// How much a record says in LZ77 phrases.
struct PhraseFigures {
  std::uint64_t symbols = 0;  ///< n, those of the alphabet
  std::uint64_t phrases = 0;  ///< z, without runs of symbols outside the alphabet

  void add(const RecordPhrase& phrase) {
    if (phrase.kind == RecordPhrase::Kind::outside) return;
    symbols += phrase.length;
    ++phrases;
  }
  /// z log2(n) / n; 0 for n = 0.
  double complexity() const;
};

}  // namespace gsx

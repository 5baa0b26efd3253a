#include "sets/read_corrector.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "base/error.hpp"
#include "base/ordered_pipeline.hpp"
#include "seq/sequence_reader.hpp"

namespace gsx {
namespace {

/// Finds the sequences that are to be replaced. Memory: 8 to 16 bytes for each.
class Replacements {
 public:
  Replacements(const SequenceSet& set, const SequenceSet& targets,
               const std::vector<Correction>& corrections, const RequireMemory& require)
      : set_(set), targets_(targets), corrections_(corrections) {
    std::uint64_t corrected = 0;
    for (const Correction& correction : corrections)
      corrected += correction.kind == CorrectionKind::corrected ? 1 : 0;
    bits_ = bit_length(corrected) + 1;
    if (require) require(sizeof(std::uint32_t) << bits_);
    slots_.assign(std::uint64_t{1} << bits_, none);
    for (std::uint32_t i = 0; i < set.size(); ++i) {
      if (corrections[i].kind != CorrectionKind::corrected) continue;
      std::uint64_t slot = slot_of(set.key(i));
      while (slots_[slot] != none)
        slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = i;
    }
  }

  /// Writes what a sequence becomes to `to`; false if it stays.
  bool replace(std::string_view sequence, std::string& to) const {
    std::uint64_t words[most_key_words], wide[most_key_words];
    const std::uint64_t* key = words;
    const std::uint32_t bits = encode_sequence(sequence, words);
    const SequenceShape shape = set_.shape();
    if (bits == 0 || sequence.size() != shape.length || bits > shape.bits) return false;
    if (bits < shape.bits) {
      widen_key(words, shape.length, wide);
      key = wide;
    }
    for (std::uint64_t slot = slot_of(key); slots_[slot] != none;
         slot = (slot + 1) & (slots_.size() - 1)) {
      const std::uint32_t i = slots_[slot];
      if (!std::equal(key, key + shape.words(), set_.key(i))) continue;
      to.clear();
      targets_.append_sequence(to, corrections_[i].target);
      return true;
    }
    return false;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint64_t slot_of(const std::uint64_t* key) const {
    std::uint64_t hash = 0;
    for (std::uint32_t w = 0; w < set_.shape().words(); ++w)
      hash = ((hash ^ key[w]) ^ (hash ^ key[w]) >> 29) * 0x9E3779B97F4A7C15;
    return hash >> (64 - bits_);
  }

  const SequenceSet& set_;
  const SequenceSet& targets_;
  const std::vector<Correction>& corrections_;
  int bits_ = 0;
  std::vector<std::uint32_t> slots_;  ///< numbers in the set, by hash
};

/// Puts `symbols` at the places of a FASTQ record that the ranges name.
void put_symbols(char* record, std::size_t size, const SymbolRanges& at, std::string_view symbols) {
  char* place = std::find(record, record + size, '\n');
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  // Where each symbol up to the last one in a range is.
  std::vector<char*> places;
  const std::uint64_t wanted = at.ranges.empty() ? symbols.size() : at.least_read();
  for (; places.size() < wanted && place != record + size; ++place)
    if (!is_blank(*place)) places.push_back(place);
  if (at.ranges.empty()) {
    for (std::size_t i = 0; i < symbols.size(); ++i)
      *places[i] = symbols[i];
    return;
  }
  std::size_t taken = 0;
  for (const SymbolRanges::Range& range : at.ranges)
    for (std::uint64_t i = range.begin; i < range.end; ++i)
      *places[i] = symbols[taken++];
}

struct CorrectedReads {
  std::string text;
  std::uint64_t reads = 0;
};

/// What all threads write together.
struct Written {
  const WriteText& write;
  std::uint64_t reads = 0;
  std::string_view missing_end = {};  ///< that the last line has not
};

class ReadWorker {
 public:
  ReadWorker(const SetReadOptions& options, const Replacements& replacements, Written& written)
      : options_(options), replacements_(replacements), written_(written) {}

  CorrectedReads& prepare(RecordBatch& batch, const ItemTurn&) {
    made_.text = batch.bytes.run(0, batch.size());
    made_.reads = batch.size();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::string_view read = batch.sequence(i);
      if (read.size() < options_.at.least_read()) continue;
      if (!replacements_.replace(options_.at.of(read, space_), symbols_)) continue;
      put_symbols(made_.text.data() + batch.bytes.run(0, i).size(),
                  batch.bytes.run(i, i + 1).size(), options_.at, symbols_);
    }
    return made_;
  }
  void commit(CorrectedReads& made) {
    written_.write(written_.missing_end);
    written_.write(made.text);
    const std::string_view text = made.text;
    const std::size_t end = text.rfind('\n');
    const bool crlf = end != std::string_view::npos && end != 0 && text[end - 1] == '\r';
    written_.missing_end = text.ends_with('\n')            ? ""
                           : crlf && !text.ends_with('\r') ? "\r\n"
                                                           : "\n";
    written_.reads += made.reads;
    made.text.clear();
  }

 private:
  const SetReadOptions& options_;
  const Replacements& replacements_;
  Written& written_;
  CorrectedReads made_;
  std::string space_, symbols_;
};

}  // namespace

void correct_reads(const std::vector<std::string>& paths, const SetReadOptions& options,
                   const SequenceSet& set, const SequenceSet& targets,
                   const std::vector<Correction>& corrections, std::uint64_t records,
                   const WriteText& write) {
  const Replacements replacements(set, targets, corrections, options.require);
  SequenceReader reader(paths, {.threads = options.threads,
                                .block_bytes = options.block_bytes,
                                .keep_bytes = true,
                                .record_bytes = options.record_bytes,
                                .header_bytes = options.record_bytes,
                                .allow_empty = true,
                                .decoding = options.decoding});
  Written written{write};
  run_and_hand_over<CorrectedReads, RecordBatch>(
      [&](RecordBatch& batch) { return reader.next(batch); }, options.threads,
      [&] { return ReadWorker(options, replacements, written); });
  if (written.reads != records) {
    throw InputError("the input has changed while it was read: it had " + std::to_string(records) +
                     " reads, and then " + std::to_string(written.reads));
  }
}

}  // namespace gsx

#include "analysis/barcodes/read_corrector.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/error.hpp"
#include "base/ordered_pipeline.hpp"
#include "records/sequence_reader.hpp"

namespace gsx {
namespace {

/// Finds the sequences that may be replaced. Memory: 8 to 16 bytes for each.
class Replacements {
 public:
  Replacements(const SetCorrections& all, const RequireMemory& require) : all_(all), set_(all.set) {
    std::uint64_t replaced = 0;
    const auto for_each = [&](const auto& use) {
      std::uint64_t next = 0;  // of those that each read decides on
      for (std::uint32_t i = 0; i < set_.size(); ++i) {
        const bool decides =
            next < all.several.sequences.size() && all.several.sequences[next] == i;
        next += decides ? 1 : 0;
        if (decides || all.of_sequences[i].kind == CorrectionKind::corrected) use(i);
      }
    };
    for_each([&](std::uint32_t) { ++replaced; });
    bits_ = bit_length(replaced) + 1;
    if (require) require(sizeof(std::uint32_t) << bits_);
    slots_.assign(std::uint64_t{1} << bits_, none);
    for_each([&](std::uint32_t i) {
      std::uint64_t slot = slot_of(set_.key(i));
      while (slots_[slot] != none)
        slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = i;
    });
  }

  /// The words of a key.
  std::uint32_t words() const { return set_.shape().words(); }

  /// Puts the key of a sequence into `key`, as the set has it; false if the set cannot hold it.
  bool encode(std::string_view sequence, std::uint64_t* key) const {
    const SequenceShape shape = set_.shape();
    if (sequence.size() != shape.length) return false;
    const std::uint32_t bits = encode_sequence(sequence, key);
    if (bits == 0 || bits > shape.bits) return false;
    if (bits < shape.bits) {
      std::uint64_t narrow[most_key_words];
      std::copy_n(key, most_key_words, narrow);
      widen_key(narrow, shape.length, key);
    }
    return true;
  }

  /// Finds `count` keys that lie side by side: `found[i]` becomes the number of key i in the set,
  /// or `none` if it stays. Fetches for many keys at a time what they need of memory.
  void find(const std::uint64_t* keys, std::size_t count, std::uint32_t* found) const {
    constexpr std::size_t at_once = 32;
    std::uint64_t slots[at_once];
    for (std::size_t first = 0; first < count; first += at_once) {
      const std::uint64_t* const some = keys + first * words();
      const std::size_t size = std::min(at_once, count - first);
      for (std::size_t k = 0; k < size; ++k) {
        slots[k] = slot_of(some + k * words());
        __builtin_prefetch(&slots_[slots[k]]);
      }
      for (std::size_t k = 0; k < size; ++k)
        if (slots_[slots[k]] != none) __builtin_prefetch(set_.key(slots_[slots[k]]));
      for (std::size_t k = 0; k < size; ++k)
        found[first + k] = find_from(slots[k], some + k * words());
    }
  }

  const SetCorrections& corrections() const { return all_; }

  static constexpr std::uint32_t none = ~std::uint32_t{0};

 private:
  std::uint64_t slot_of(const std::uint64_t* key) const {
    std::uint64_t hash = 0;
    for (std::uint32_t w = 0; w < words(); ++w)
      hash = ((hash ^ key[w]) ^ (hash ^ key[w]) >> 29) * 0x9E3779B97F4A7C15;
    return hash >> (64 - bits_);
  }
  bool is_key(const std::uint64_t* key, std::uint32_t i) const {
    const std::uint64_t* const other = set_.key(i);
    bool equal = true;
    for (std::uint32_t w = 0; w < words(); ++w)
      equal = equal && key[w] == other[w];
    return equal;
  }
  std::uint32_t find_from(std::uint64_t slot, const std::uint64_t* key) const {
    while (slots_[slot] != none && !is_key(key, slots_[slot]))
      slot = (slot + 1) & (slots_.size() - 1);
    return slots_[slot];
  }

  const SetCorrections& all_;
  const SequenceSet& set_;
  int bits_ = 0;
  std::vector<std::uint32_t> slots_;  ///< numbers in the set, by hash
};

/// Puts `symbols` at the places of a FASTQ record of `length` symbols that the ranges name.
/// `places` is room to work.
void put_symbols(char* record, std::size_t size, std::uint64_t length, const SymbolRanges& at,
                 std::string_view symbols, std::vector<char*>& places) {
  char* place = std::find(record, record + size, '\n');
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  // Where each symbol up to the last one in a range is.
  places.clear();
  std::uint64_t wanted = at.ranges.empty() ? symbols.size() : 0;
  for (const SymbolRanges::Range& range : at.ranges)
    wanted = std::max(wanted, range.in(length).end);
  for (; places.size() < wanted && place != record + size; ++place)
    if (!is_blank(*place)) places.push_back(place);
  if (at.ranges.empty()) {
    for (std::size_t i = 0; i < symbols.size(); ++i)
      *places[i] = symbols[i];
    return;
  }
  std::size_t taken = 0;
  for (const SymbolRanges::Range& range : at.ranges) {
    const SymbolRanges::Range part = range.in(length);
    for (std::uint64_t i = part.begin; i < part.end; ++i)
      *places[i] = symbols[taken++];
  }
}

/// Of a read whose sequence has several nearest entries.
struct Decision {
  std::uint64_t place;  ///< in NearestEntries::sequences
  std::optional<std::uint32_t> target;
};

struct CorrectedReads {
  std::string text;
  std::uint64_t reads = 0;
  std::vector<Decision> decisions;
};

/// What all threads write together.
struct Written {
  const WriteText& write;
  const NearestEntries& several;
  DecidedReads decided;
  std::uint64_t reads = 0;
  std::string_view missing_end = {};  ///< that the last line has not
};

class ReadWorker {
 public:
  ReadWorker(const SetReadOptions& options, const SequenceReader& reader,
             const Replacements& replacements, Written& written)
      : options_(options),
        reader_(reader),
        replacements_(replacements),
        written_(written),
        decision_(replacements.corrections()) {}

  CorrectedReads& prepare(RecordBatch& batch, const ItemTurn&) {
    made_.text = batch.bytes.run(0, batch.size());
    made_.reads = batch.size();
    made_.decisions.clear();
    find_all(batch);
    for (std::size_t i = 0; i < reads_.size(); ++i) {
      if (found_[i] == Replacements::none) continue;
      const std::size_t read = reads_[i];
      const std::optional<std::uint32_t> target = target_of(found_[i], batch.quality(read));
      if (!target) continue;
      symbols_.clear();
      replacements_.corrections().targets.append_sequence(symbols_, *target);
      put_symbols(made_.text.data() + batch.bytes.run(0, read).size(),
                  batch.bytes.run(read, read + 1).size(), batch.length(read), options_.at, symbols_,
                  places_);
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
    for (const Decision& decision : made.decisions)
      written_.decided.add(written_.several, decision.place, decision.target);
    made.text.clear();
    if (options_.report) options_.report(written_.reads, reader_.bytes_read());
  }

 private:
  /// Finds the reads that may be replaced, and what becomes of each.
  void find_all(const RecordBatch& batch) {
    reads_.clear();
    keys_.resize(batch.size() * replacements_.words() + most_key_words);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::string_view read = batch.sequence(i);
      if (read.size() < options_.at.least_read() || is_passed_over(batch, i, options_.mates))
        continue;
      std::uint64_t* const key = keys_.data() + reads_.size() * replacements_.words();
      if (replacements_.encode(options_.at.of(read, space_), key)) reads_.push_back(i);
    }
    found_.resize(reads_.size());
    replacements_.find(keys_.data(), reads_.size(), found_.data());
  }

  /// What sequence i of the set becomes in a read with these qualities.
  std::optional<std::uint32_t> target_of(std::uint32_t i, std::string_view quality) {
    const SetCorrections& all = replacements_.corrections();
    const std::optional<std::uint64_t> place = all.several.place_of(i);
    if (!place) return all.of_sequences[i].target;
    const auto target =
        decision_.of(*place, quality.empty() ? quality : options_.at.of(quality, space_));
    made_.decisions.push_back({*place, target});
    return target;
  }

  const SetReadOptions& options_;
  const SequenceReader& reader_;
  const Replacements& replacements_;
  Written& written_;
  CorrectedReads made_;
  std::string space_, symbols_;
  std::vector<char*> places_;
  ReadDecision decision_;
  std::vector<std::size_t> reads_;    ///< of a batch, those whose sequences the set can hold
  std::vector<std::uint64_t> keys_;   ///< theirs
  std::vector<std::uint32_t> found_;  ///< their numbers in the set, if they are replaced
};

}  // namespace

DecidedReads correct_reads(const std::vector<std::string>& paths, const SetReadOptions& options,
                           const SetCorrections& corrections, std::uint64_t records,
                           const WriteText& write) {
  const NearestEntries& several = corrections.several;
  const Replacements replacements(corrections, options.require);
  if (options.require)
    options.require((several.entries.size() + several.sequences.size()) * sizeof(std::uint64_t));
  Decoding decoding = options.decoding;
  decoding.warns = false;  // these files have been read before
  SequenceReader reader(paths, {.threads = options.threads,
                                .block_bytes = options.block_bytes,
                                .keep_qualities = !several.sequences.empty(),
                                .keep_bytes = true,
                                .record_bytes = options.record_bytes,
                                .header_bytes = options.record_bytes,
                                .allow_empty = true,
                                .hands_over = options.hands_over,
                                .decoding = decoding});
  Written written{write, several, DecidedReads(several)};
  run_and_hand_over<CorrectedReads, RecordBatch>(
      [&](RecordBatch& batch) { return reader.next(batch); }, options.threads,
      [&] { return ReadWorker(options, reader, replacements, written); });
  if (written.reads != records) {
    throw InputError("the input has changed while it was read: it had " + std::to_string(records) +
                     " reads, and then " + std::to_string(written.reads));
  }
  return std::move(written.decided);
}

}  // namespace gsx

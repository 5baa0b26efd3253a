#include "analysis/barcodes/set_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <utility>

#include "analysis/barcodes/uncertain_reads.hpp"
#include "base/error.hpp"
#include "base/messages.hpp"
#include "base/ordered_pipeline.hpp"
#include "records/interleaving.hpp"
#include "records/sequence_file.hpp"
#include "records/sequence_reader.hpp"
#include "search/sets/set_builder.hpp"

namespace gsx {
namespace {

/// A count as a list gives it.
std::optional<std::uint64_t> count_in(std::string_view field) {
  if (field.starts_with('0')) return std::nullopt;  // as options refuse it
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), count);
  if (error != std::errc() || end != field.data() + field.size()) return std::nullopt;
  return count;
}

std::string symbols_of(std::uint64_t length) {
  return std::to_string(length) + (length == 1 ? " symbol" : " symbols");
}

/// What a thread has made of a batch of records.
struct EncodedBatch {
  SequenceBlock block;
  std::uint64_t records = 0, sum = 0, too_short = 0;
  std::optional<InputError> error;  ///< of the first record that cannot be taken
  // For UncertainReads, if it asks: the records of the keys, and what it gathers.
  std::vector<std::uint32_t> plain_reads, odd_reads;
  std::string uncertain;
};

class Encoder {
 public:
  Encoder(const SetReadOptions& options, const RecordBatch& batch, EncodedBatch& to)
      : options_(options), batch_(batch), to_(to) {}

  void encode() {
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      if (is_passed_over(batch_, i, options_.mates)) {
        ++to_.records;
        continue;
      }
      const std::string why = add(i);
      if (why.empty()) continue;
      to_.error = error_in_record(batch_, i, why);
      return;
    }
  }

  static std::string other_length(std::uint64_t length, std::uint64_t first) {
    return "the sequence has " + symbols_of(length) + ", and those before have " +
           std::to_string(first) + "; all must have one length";
  }

 private:
  /// Adds a record; says why it cannot.
  std::string add(std::size_t i) {
    std::uint64_t count = 1;
    if (const std::string_view field = batch_.comment(i);
        batch_.format == SequenceFormat::list && options_.counts && !field.empty()) {
      const auto given = count_in(field);
      if (!given || *given == 0) return wrong_count(field);
      count = *given;
    }
    const std::string_view read = batch_.sequence(i);
    if (read.size() < options_.at.least_read()) {
      ++to_.records;
      return add_count(count, to_.too_short);
    }
    const std::string_view sequence = options_.at.of(read, space_);
    if (sequence.empty()) return "the sequence is empty";
    if (sequence.size() > SequenceShape::most_length) {
      return "the sequence has " + symbols_of(sequence.size()) + ", and at most " +
             std::to_string(SequenceShape::most_length) +
             " are allowed; --at takes a part of each read";
    }
    SequenceBlock& block = to_.block;
    if (block.length == 0) block.length = static_cast<std::uint32_t>(sequence.size());
    if (block.length != sequence.size()) return other_length(sequence.size(), block.length);
    std::uint64_t words[most_key_words];
    const std::uint32_t bits = encode_sequence(sequence, words);
    if (bits == 0) return why_no_sequence(sequence);
    const SequenceShape shape{block.length, bits};
    KeyList& list = bits == 2 ? block.plain : block.odd;
    if (bits == 2 && list.words.empty()) list.words.reserve(batch_.size() * shape.words());
    if (count != 1 && list.counts.empty()) list.counts.assign(list.words.size() / shape.words(), 1);
    list.words.insert(list.words.end(), words, words + shape.words());
    if (options_.uncertain != nullptr)
      (bits == 2 ? to_.plain_reads : to_.odd_reads).push_back(static_cast<std::uint32_t>(i));
    if (count != 1 || !list.counts.empty()) list.counts.push_back(count);
    if (batch_.format == SequenceFormat::fasta) list.names.add(batch_.name(i));
    ++to_.records;
    return add_count(count, to_.sum);
  }

  static std::string add_count(std::uint64_t count, std::uint64_t& sum) {
    if (!__builtin_add_overflow(sum, count, &sum)) return {};
    return "with this one, the counts add up to 2^64 or more, which is too much";
  }
  static std::string wrong_count(std::string_view field) {
    return "'" + shown_name(field) +
           "' is not a count: give a whole number from 1 to 18446744073709551615";
  }

  const SetReadOptions& options_;
  const RecordBatch& batch_;
  EncodedBatch& to_;
  std::string space_;
};

/// Looks at the mates in the files, in input order.
class MateCheck {
 public:
  explicit MateCheck(MateUse use) : use_(use) {}

  /// Throws UsageError for pairs where reads are to be alone, and InputError for mates that are out
  /// of step. `is_last`: whether no more is read, because of an error.
  void take(const RecordBatch& batch, bool is_alignment, bool is_last) {
    if (use_ == MateUse::first && is_list(batch.format)) {
      throw UsageError(
          *batch.source +
          ": a list has no mates; --interleaved is for FASTQ, FASTA, SAM, BAM and CRAM");
    }
    if (use_ == MateUse::first) interleaved_.check(batch, is_alignment);
    if (use_ != MateUse::alone) return;
    if (batch.file != file_) finish();
    file_ = batch.file;
    files_.take(batch, is_alignment, of_files);
    if (answer_ == PairWatch::Answer::open) answer_ = watch_.take(batch, is_alignment);
    if (is_last || answer_ == PairWatch::Answer::pairs) finish();
  }
  void finish() {
    interleaved_.finish();
    if (answer_ == PairWatch::Answer::open) answer_ = watch_.end();
    if (answer_ == PairWatch::Answer::pairs)
      watch_.refuse("take the sequences of first mates only", "take that of each read");
    files_.end_file(of_files);
    watch_ = {};
    answer_ = PairWatch::Answer::open;
  }

 private:
  static constexpr const char* of_files =
      "name only the file whose sequences are to be corrected (each read keeps its place), or "
      "interleave both and give --interleaved to take the sequences of first mates only, or give "
      "--unpaired to take that of each read";

  MateUse use_;
  MateFilesWatch files_;
  InterleavedMates interleaved_;
  PairWatch watch_;
  PairWatch::Answer answer_ = PairWatch::Answer::open;
  std::size_t file_ = 0;
};

/// What all threads make together.
struct Gathering {
  SetBuilder builder;
  MateCheck mates;
  ReadSet result;
  bool named = false;  ///< whether names are kept
};

/// Lets a list have a name for each key, or none.
void settle_names(KeyList& list, std::uint64_t keys, bool named) {
  if (!named) list.names = {};
  while (named && list.names.size() < keys)
    list.names.add({});
}

/// Encodes batches on threads, and adds them to the set in order.
class SetWorker {
 public:
  SetWorker(const SetReadOptions& options, const SequenceReader& reader, Gathering& all)
      : options_(options), reader_(reader), all_(all) {}

  void prepare(RecordBatch& batch, const ItemTurn&) {
    encoded_ = {};
    Encoder(options_, batch, encoded_).encode();
    UncertainReads* const uncertain = options_.uncertain;
    if (uncertain == nullptr || batch.format != SequenceFormat::fastq || encoded_.error ||
        encoded_.block.length != uncertain->length())
      return;
    const SequenceBlock& block = encoded_.block;
    uncertain->gather(batch, options_.at, encoded_.plain_reads, block.plain, 2, encoded_.uncertain);
    uncertain->gather(batch, options_.at, encoded_.odd_reads, block.odd, 3, encoded_.uncertain);
  }
  void commit(RecordBatch& batch) {
    SequenceBlock& block = encoded_.block;
    const std::uint32_t length = all_.builder.length();
    const bool differs = length != 0 && block.length != 0 && block.length != length;
    if (options_.mates != MateUse::each)
      all_.mates.take(batch, reader_.is_alignment(batch.file),
                      differs || encoded_.error.has_value());
    if (differs) throw error_in_record(batch, 0, Encoder::other_length(block.length, length));
    if (encoded_.error) throw InputError(*encoded_.error);
    ReadSet& result = all_.result;
    if (result.records == 0) all_.named = batch.format == SequenceFormat::fasta;
    result.records += encoded_.records;
    result.only_fastq = result.only_fastq && batch.format == SequenceFormat::fastq;
    if (__builtin_add_overflow(result.sum, encoded_.sum, &result.sum) ||
        __builtin_add_overflow(result.too_short, encoded_.too_short, &result.too_short)) {
      throw error_in_record(batch, batch.size() - 1,
                            "up to here, the counts add up to 2^64 or more, which is too much");
    }
    if (block.length != 0) {
      settle_names(block.plain, block.plain.words.size() / SequenceShape{block.length, 2}.words(),
                   all_.named);
      settle_names(block.odd, block.odd.words.size() / SequenceShape{block.length, 3}.words(),
                   all_.named);
    }
    all_.builder.add(std::move(block));
    if (options_.uncertain != nullptr) options_.uncertain->add(encoded_.uncertain);
    if (options_.report) options_.report(result.records, reader_.bytes_read());
  }
  void finish(RecordBatch&) {}

 private:
  const SetReadOptions& options_;
  const SequenceReader& reader_;
  Gathering& all_;
  EncodedBatch encoded_;
};

}  // namespace

std::uint64_t SymbolRanges::length() const {
  std::uint64_t symbols = 0;
  for (const Range& range : ranges)
    symbols += range.length();
  return symbols;
}

std::uint64_t SymbolRanges::least_read() const {
  std::uint64_t from_begin = 0, from_end = 0;
  for (const Range& range : ranges) {
    std::uint64_t& least = range.from_end ? from_end : from_begin;
    least = std::max(least, range.from_end ? range.begin : range.end);
  }
  return from_begin + from_end;
}

std::string_view SymbolRanges::of(std::string_view read, std::string& space) const {
  if (ranges.empty()) return read;
  const auto part = [&](const Range& range) {
    return read.substr(range.in(read.size()).begin, range.length());
  };
  if (ranges.size() == 1) return part(ranges[0]);
  space.clear();
  for (const Range& range : ranges)
    space.append(part(range));
  return space;
}

InputError error_in_record(const RecordBatch& batch, std::size_t i, const std::string& what) {
  const std::uint64_t line =
      batch.lines.line_of(batch.symbol_ends[i] - std::min<std::uint64_t>(batch.length(i), 1));
  const bool list = is_list(batch.format) && line != 0;
  return input_error(*batch.source, list ? 0 : batch.first_in_source + i, batch.name(i),
                     list ? line : 0, what);
}

std::string why_no_sequence(std::string_view sequence) {
  const auto wrong = std::find_if(sequence.begin(), sequence.end(), [](char c) {
    return std::string_view("ACGTUNacgtun").find(c) == std::string_view::npos;
  });
  const auto byte = static_cast<unsigned char>(wrong == sequence.end() ? 0 : *wrong);
  char shown[8];
  std::snprintf(shown, sizeof shown, byte > 0x20 && byte < 0x7f ? "'%c'" : "0x%02X", byte);
  return std::string(shown) + " is none of the letters that a sequence may have: A C G T U N";
}

ReadSet read_sequence_set(const std::vector<std::string>& paths, const SetReadOptions& options) {
  Decoding decoding = options.decoding;
  decoding.lists = ListForm::counted;
  SequenceReader reader(paths, {.threads = options.threads,
                                .block_bytes = options.block_bytes,
                                .keep_qualities = options.uncertain != nullptr,
                                .record_bytes = options.record_bytes,
                                .header_bytes = options.record_bytes,
                                .refuse_fastq_in_fasta = true,
                                .allow_empty = true,
                                .hands_over = options.hands_over,
                                .decoding = decoding});
  Gathering all{SetBuilder(options.threads, options.require), MateCheck(options.mates), {}, false};
  run_in_order<RecordBatch>([&](RecordBatch& batch) { return reader.next(batch); }, options.threads,
                            [&] { return SetWorker(options, reader, all); });
  all.mates.finish();
  all.result.set = all.builder.finish();
  all.result.empty_files = reader.empty_files();
  all.result.list_notes = reader.list_notes();
  return std::move(all.result);
}

}  // namespace gsx

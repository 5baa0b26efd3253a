// Whole queries, packed as a text is packed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_limit.hpp"
#include "base/packed.hpp"
#include "records/sequence_reader.hpp"
#include "run/patterns.hpp"
#include "search/matches/pair_extension.hpp"
#include "text/alphabet.hpp"

namespace gsx {

/// Some queries, one after another. Symbols outside the alphabet keep their places, as code 0, and
/// separate the stretches of the others.
class PackedQueries {
 public:
  /// Stretches shorter than `min_length` are left out. Pre: min_length > 0.
  PackedQueries(const Alphabet& alphabet, std::uint64_t min_length)
      : bits_(alphabet.bits()), sigma_(alphabet.size()), min_length_(min_length) {}

  std::size_t size() const { return names_end_.size(); }
  std::string_view name(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : names_end_[i - 1];
    return std::string_view(names_).substr(begin, names_end_[i] - begin);
  }
  /// Where query i begins; that of query size() is where the last one ends.
  std::uint64_t begin(std::size_t i) const { return i == size() ? symbols_ : begins_[i]; }
  std::uint64_t length(std::size_t i) const { return begin(i + 1) - begin(i); }
  std::uint64_t symbols() const { return symbols_; }
  /// Bytes that they take.
  std::uint64_t bytes() const;
  /// Bytes to allocate at most before the records of a batch fit.
  std::uint64_t growth(const RecordBatch& batch) const;
  /// Of all queries, in order. No stretch is part of two queries.
  const std::vector<PlainStretch>& stretches() const { return stretches_; }
  /// Number of queries with symbols but no stretch: they cannot match.
  std::uint64_t unmatchable() const;
  /// Pre: finish() was called last.
  PackedView view() const {
    return {reinterpret_cast<const std::uint8_t*>(words_.data()), symbols_, bits_};
  }

  void clear();
  /// Ends the last query and begins another.
  void begin_query(std::string_view name);
  /// Appends codes to the last query.
  void append(const std::uint8_t* codes, std::uint64_t count);
  /// Ends the last query.
  void finish();
  /// Ends the last query and removes it. Pre: there is one.
  void finish_without_last();

 private:
  void push(std::uint64_t codes, std::uint32_t bits);
  void append_one(std::uint8_t code);
  void close_stretch();

  std::uint32_t bits_;
  std::uint32_t sigma_;
  std::uint64_t min_length_;
  std::string names_;
  std::vector<std::size_t> names_end_;
  std::vector<std::uint64_t> begins_;
  std::vector<std::uint64_t> words_;  ///< big-endian
  std::uint64_t pending_ = 0;         ///< its lowest filled_ bits are still to be stored
  std::uint32_t filled_ = 0;
  std::uint64_t symbols_ = 0;
  std::uint64_t stretch_ = 0;  ///< where the stretch in progress begins; symbols_ if there is none
  std::vector<PlainStretch> stretches_;
};

/// Reads queries from files and packs them, some at a time.
class PackedQueryReader {
 public:
  /// Asks `memory`, if not null, before queries grow.
  PackedQueryReader(const std::vector<std::string>& paths, const ReaderOptions& options,
                    const Alphabet& alphabet,
                    std::uint64_t symbols_at_once = std::uint64_t{1} << 26,
                    MemoryLimit* memory = nullptr)
      : alphabet_(alphabet),
        path_(options.path),
        symbols_at_once_(symbols_at_once),
        memory_(memory),
        reader_(paths, options) {}

  /// Reads the next queries: at least one, and more until there are `symbols_at_once`, or they take
  /// as much memory as so many bases. False if there are no more. Throws ResourceError, and what
  /// SequenceReader::next() throws, once the queries before have been given.
  bool next(PackedQueries& queries);
  std::vector<std::string> empty_files() const { return reader_.empty_files(); }
  std::uint64_t bytes_read() const { return reader_.bytes_read(); }

 private:
  bool is_full(const PackedQueries& queries) const;
  bool read_batch(PackedQueries& queries);

  const Alphabet& alphabet_;
  CpuPath path_;
  std::uint64_t symbols_at_once_;
  MemoryLimit* memory_;
  SequenceReader reader_;
  RecordBatch batch_;
  PatternBuffer codes_;    ///< of batch_
  std::size_t entry_ = 0;  ///< of batch_, the next to be taken
};

}  // namespace gsx

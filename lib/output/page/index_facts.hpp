// What a report says of an index.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/store/index.hpp"
#include "output/page/length_facts.hpp"

namespace gsx {

/// Symbols that occur, and how often. A symbol that is none of the text has a word for its class.
struct SymbolShare {
  std::string symbol;
  std::uint64_t count;
};

struct RecordFact {
  std::uint64_t number;  ///< in the input
  std::string name;
  std::uint64_t length = 0;
  std::uint64_t plain = 0;  ///< symbols that are indexed
  std::uint64_t gc = 0;     ///< of these, G and C; of DNA only
  std::uint64_t n = 0;      ///< symbols N that are not indexed
};

/// A run of N.
struct NRun {
  std::uint64_t record;
  std::uint64_t begin;
  std::uint64_t length;
};

/// Records by their part of G and C.
struct GcBins {
  static constexpr std::uint64_t count = 50;
  std::uint64_t records[count] = {};
  std::uint64_t symbols[count] = {};
};

struct SectionFact {
  std::string name;
  std::uint64_t bytes;
  std::optional<std::uint64_t> checksum;  ///< none for that of all shards
};

/// All of it, without the index.
struct IndexFacts {
  std::string path;
  std::uint64_t checksum = 0;  ///< of the index
  std::string version;         ///< of the gsx that made it
  std::uint32_t format = 0;
  SymbolPolicy policy = SymbolPolicy::dna;
  std::string symbols_of_alphabet;
  std::string soft_mask;  ///< fold, keep or split
  bool has_md5 = false;
  std::uint32_t sample_rate = 0, kmer_length = 0;
  std::uint64_t file_bytes = 0, indexed = 0, segments = 0;
  std::uint64_t shards = 0;  ///< files of the index; 0 if it is not in shards
  SymbolCounts counts;
  std::vector<SectionFact> sections;

  LengthFacts lengths{{}};
  std::vector<RecordFact> longest;       ///< records, those of one length in the order of the input
  std::uint64_t others_symbols = 0;      ///< of the records that are not among them
  std::vector<SymbolShare> composition;  ///< of all records
  std::uint64_t gc = 0, acgt = 0;        ///< of DNA
  GcBins gc_bins;
  LengthFacts n_runs{{}};
  std::vector<NRun> longest_n_runs;
  std::vector<std::string> n_run_records;  ///< the names of their records
};

struct FactOptions {
  std::uint64_t records = 50;  ///< that are told one by one, the longest ones
  std::uint64_t n_runs = 10;
  std::uint64_t genome = 0;  ///< the length that NG50 refers to
  int threads = 1;
};

/// Gathers them. Cost: a pass over the text. Memory: some 40 bytes per record, and 80 per
/// run of N.
IndexFacts index_facts(const Index& index, const FactOptions& options);

}  // namespace gsx

// Joins the results that the shards of an index gave into those of the whole index.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include "bytes/output.hpp"
#include "output/lines/count_lines.hpp"
#include "output/merge/part_file.hpp"

namespace gsx {

/// What parts hold. Each is what gsx count or gsx locate writes for a shard.
enum class PartKind : std::uint8_t {
  counts,    ///< count: TSV with a line per query, also --by-mismatches
  matrix,    ///< count --by-file --matrix
  presence,  ///< count --by-file --presence
  records,   ///< count --by-record
  files,     ///< count --by-file
  tsv,       ///< locate
  bed,
  paf,
  jsonl,
  sorted_bed,  ///< BED that is sorted by position
  bedgraph,
};

struct MergedQuery {
  std::string name;    ///< as it was read
  std::string column;  ///< the same as a column of TSV
  std::uint64_t length = 0;
};
/// Gives the next query; false if there are no more.
using NextMergedQuery = std::function<bool(MergedQuery& query)>;

struct MergeRules {
  std::uint64_t max_hits = ~std::uint64_t{0};  ///< that the parts were made with
  bool mismatches =
      false;  ///< whether the search was with -k or --iupac, which decides what is kept
  std::uint64_t most_mismatches = 0;
  bool has_all_hits = false;  ///< whether the parts are known to be without --max-hits
  WantedFiles files = {};     ///< queries that other numbers of files hold are left out
  NextMergedQuery next;       ///< may be empty where parts have a line for each query
};

/// The figures that no part knows.
struct MergeFigures {
  std::uint64_t queries = 0;
  std::uint64_t with_hits = 0;
  std::uint64_t truncated = 0;  ///< queries whose hits are not all written
  std::uint64_t reported = 0;   ///< hits written
  std::uint64_t in_parts = 0;   ///< hits or lines that the parts have, or their counts
};

/// The parts, in the order of the shards. Their header lines, if the kind has some, are line() of
/// each; nothing else has been read.
using PartFiles = std::deque<PartFile>;

/// Whether the lines are in the order of places, and so do not tell which queries have no hits.
bool is_by_place(PartKind kind);
/// Whether the lines of a kind, or the header line, name records or files of the shard; JSON lines,
/// which are not looked into, do not.
bool names_records(PartKind kind);
bool names_files(PartKind kind);
/// Whether parts of a kind begin with a header line, and whether they have a line per query.
bool has_header(PartKind kind);
bool has_every_query(PartKind kind);

/// Writes what the whole index gives, header included unless `header` is false. Memory holds a line
/// of each part, the names that it expects, and with rules.max_hits the hits of a query. Throws
/// InputError for parts that are not whole or do not fit one another or the queries, and UsageError
/// for rules that do not fit them. Pre: rules.next is there unless has_every_query(kind), or
/// is_by_place(kind).
MergeFigures merge_parts(PartKind kind, PartFiles& parts, const MergeRules& rules, bool header,
                         Output& out);

}  // namespace gsx

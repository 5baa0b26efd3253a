// What work costs on a CPU and on a GPU: the one model by which `auto` chooses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace gsx {

/// An estimate of some work, without what the CPU does on either device, such as reading files.
struct WorkCost {
  double cpu_seconds = 0;     ///< of one thread; threads share the work
  double gpu_seconds = 0;     ///< of a GPU that has started
  double serial_seconds = 0;  ///< of the CPU, whatever the number of threads

  WorkCost& operator+=(const WorkCost& more) {
    cpu_seconds += more.cpu_seconds;
    gpu_seconds += more.gpu_seconds;
    serial_seconds += more.serial_seconds;
    return *this;
  }
  friend WorkCost operator+(WorkCost some, const WorkCost& more) { return some += more; }
};

/// Bytes or symbols; none if that is not known, as of a pipe. An unknown amount may be any, and so
/// takes the CPU an infinite time.
using Amount = std::optional<std::uint64_t>;

/// Seconds that a GPU takes to start.
inline constexpr double gpu_start_seconds = 0.4;

/// "cpu" if `device` is "auto" and so many threads finish the work before a GPU would, its start
/// included, or if `host_bytes` of memory are too few for its driver; else `device`. Logs that the
/// CPU was chosen.
std::string faster_device(const std::string& device, const WorkCost& cost, int threads,
                          std::uint64_t host_bytes = ~std::uint64_t{0});

/// Sorting the suffixes of a text.
WorkCost cost_of_sorting(Amount symbols);
/// Making the text of a BWT.
WorkCost cost_of_inverting(Amount symbols);

/// Checking a suffix array or an FM-index in full.
WorkCost cost_of_verifying(std::uint64_t symbols);
/// Counting the k-mers of a text whose suffixes are sorted, with so many mismatches.
WorkCost cost_of_kmers(Amount symbols, std::uint64_t k, int mismatches);

/// Searches of a text that is opened before the queries are known.
WorkCost cost_of_any_queries(std::uint64_t text_symbols);
/// What is searched for in each query.
enum class QueryWork : std::uint8_t {
  exact,            ///< all of it
  any_match,        ///< one match of some length
  maximal_matches,  ///< all maximal matches
  match_lengths     ///< the longest match at each place
};
/// Queries of files of so many bytes, searched in an index of so many bytes.
WorkCost cost_of_queries(QueryWork work, Amount bytes, std::uint64_t index_bytes);

/// Patterns that are searched with mismatches.
struct MismatchWork {
  double patterns = 0;  ///< infinity if that is not known
  double length = 0;    ///< of a pattern, in symbols
  std::uint32_t mismatches = 0;
  std::uint64_t text_symbols = 0;
  std::uint64_t index_bytes = 0;  ///< that a GPU loads; 0: there is no index
};
WorkCost cost_of_mismatches(const MismatchWork& work);

/// So many guides in a text, infinity if that is not known, with bulges of so many bases; and those
/// of all sites of a PAM in it.
WorkCost cost_of_guides(std::uint64_t text_symbols, double guides, unsigned bulges);
WorkCost cost_of_all_guides(std::uint64_t text_symbols);

/// Pairs of maximal matches of the queries and the reference, whose files have so many bytes.
WorkCost cost_of_match_pairs(Amount reference_bytes, Amount query_bytes);

/// Neighbors of so many sequences at Hamming distance 1 or 2.
WorkCost cost_of_neighbors(std::uint64_t sequences, unsigned distance);

/// The longest prefixes of the queries of a file of so many bytes in a set whose tables take so
/// many.
WorkCost cost_of_prefixes(Amount bytes, std::uint64_t table_bytes);

}  // namespace gsx

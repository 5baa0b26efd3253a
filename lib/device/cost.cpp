#include "device/cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/log.hpp"

namespace gsx {
namespace {

// Seconds of one thread of a server CPU, and of an H100 or H200. scripts/bench/device_choice.py
// measures whether they choose the better device. Not measured, but guessed: inverting and
// verifying, pairs of k-mers, and what a GPU takes for keys and for the symbols of patterns.

/// Sorting the suffixes of DNA, and an index of them. Other alphabets and repeats take longer on
/// both.
constexpr double cpu_sort_symbol = 17e-9, gpu_sort_symbol = 0.3e-9;

/// A symbol of a BWT that is inverted.
constexpr double cpu_invert_symbol = 15e-9;

/// A symbol of a text whose index is checked.
constexpr double cpu_verify_symbol = 15e-9;

/// Comparing a pair of k-mers that may be near. Sorting comes on top, three times.
constexpr double cpu_kmer_pair = 2e-9, gpu_kmer_pair = 2e-11;

/// What is searched for in a text where that is not known yet, per symbol of the text: as much as
/// the text, at least.
constexpr double cpu_any_query_symbol = 24e-9;

/// Loading an index onto a GPU.
constexpr double gpu_load_byte = 0.3e-9;
/// A byte of FASTQ that is searched exactly.
constexpr double cpu_query_byte = 12.5e-9;

/// The ways to search with mismatches.
struct MismatchRates {
  double comparison;  ///< of a pattern with a base of the text
  double base;        ///< to look up among any number of patterns, with at most 2 mismatches; each
                      ///< further one triples the tables to look in
  double left;        ///< to compare a base with one of the patterns that the tables leave
  double pattern_symbol;  ///< of a pattern: to pack it, and to look its pieces up in an index
};
constexpr MismatchRates cpu_rates = {1e-10, 1.5e-8, 1e-12, 30e-9};
constexpr MismatchRates gpu_rates = {4e-13, 3e-11, 2e-15, 0.4e-9};

/// A base of the text for the table of the sites of a PAM.
constexpr double cpu_site_base = 7e-9;
/// With --all-sites, there is a guide per so many bases, and the table answers it in less than a
/// comparison with every base takes.
constexpr double bases_per_site = 10, cpu_site_comparison = 4e-13;

/// A byte of the sequences whose pairs of matches are searched, beside what a GPU leaves to the
/// CPU.
constexpr double cpu_pair_byte = 20e-9;

/// A random 16-mer among a million, at distance 1 and at distance 2.
constexpr double cpu_neighbor = 120e-9, cpu_second_neighbor = 300e-9;

/// A query in a set whose tables are larger than the cache; those of a small set are in it, so that
/// a GPU saves nothing.
constexpr double cpu_prefix = 40e-9;
constexpr std::uint64_t small_prefix_tables = std::uint64_t{8} << 20;
/// Bytes of a file per query that begins with a barcode, usually at least: those of a read.
constexpr double read_bytes = 200;

double times(Amount amount, double each) {
  return amount ? static_cast<double>(*amount) * each : std::numeric_limits<double>::infinity();
}

}  // namespace

std::string faster_device(const std::string& device, const WorkCost& cost, int threads) {
  if (device != "auto") return device;
  const double on_cpu = cost.cpu_seconds / std::max(1, threads);
  const double on_gpu = gpu_start_seconds + cost.gpu_seconds;
  if (!(on_cpu <= on_gpu)) return device;
  log().debug("using the CPU: it takes about {:.2g} s, and a GPU {:.2g} s with its start", on_cpu,
              on_gpu);
  return "cpu";
}

WorkCost cost_of_sorting(Amount symbols) {
  return {times(symbols, cpu_sort_symbol), times(symbols.value_or(0), gpu_sort_symbol)};
}

WorkCost cost_of_inverting(Amount symbols) {
  return {times(symbols, cpu_invert_symbol), 0};
}

WorkCost cost_of_verifying(std::uint64_t symbols) {
  return {times(symbols, cpu_verify_symbol), 0};
}

WorkCost cost_of_kmers(Amount symbols, std::uint64_t k, int mismatches) {
  WorkCost cost = cost_of_sorting(symbols);
  if (!symbols || mismatches == 0) return cost;
  // Those that agree on one of mismatches + 1 parts (lib/analysis/mappability/near_kmers.hpp).
  const std::uint64_t part = k / (static_cast<unsigned>(mismatches) + 1);
  const double size = times(symbols, 1);
  const double pairs = size * size / 2 / std::pow(4.0, static_cast<double>(part));
  cost +=
      {2 * cost.cpu_seconds + pairs * cpu_kmer_pair, 2 * cost.gpu_seconds + pairs * gpu_kmer_pair};
  return cost;
}

WorkCost cost_of_any_queries(std::uint64_t text_symbols) {
  return {times(text_symbols, cpu_any_query_symbol), 0};
}

WorkCost cost_of_queries(Amount bytes, std::uint64_t index_bytes) {
  return {times(bytes, cpu_query_byte), times(index_bytes, gpu_load_byte)};
}

WorkCost cost_of_mismatches(const MismatchWork& work) {
  if (work.patterns == 0) return {};
  const auto bases = static_cast<double>(work.text_symbols);
  const double tables = std::pow(3.0, std::max(work.mismatches, 2u) - 2.0);
  // Pieces that are expected in the text less than once by chance leave few places to compare.
  const double piece = work.length / (work.mismatches + 1.0);
  const bool by_pieces = work.index_bytes > 0 && piece > std::log2(bases + 1) / 2;
  const auto seconds = [&](const MismatchRates& rates) {
    const double by_keys = bases * (tables * rates.base + work.patterns * rates.left);
    const double one_by_one = bases * work.patterns * rates.comparison;
    const double scan = by_pieces ? 0 : std::min(by_keys, one_by_one);
    return scan + work.patterns * work.length * rates.pattern_symbol;
  };
  if (std::isinf(work.patterns)) return {work.patterns, 0};
  return {seconds(cpu_rates), seconds(gpu_rates) + times(work.index_bytes, gpu_load_byte)};
}

WorkCost cost_of_guides(std::uint64_t text_symbols) {
  return {static_cast<double>(text_symbols) * cpu_site_base, 0};
}

WorkCost cost_of_all_guides(std::uint64_t text_symbols) {
  const auto bases = static_cast<double>(text_symbols);
  return {bases / bases_per_site * bases * cpu_site_comparison, 0};
}

WorkCost cost_of_match_pairs(Amount bytes) {
  return {times(bytes, cpu_pair_byte), 0};
}

WorkCost cost_of_neighbors(std::uint64_t sequences, unsigned distance) {
  return {static_cast<double>(sequences) * (distance == 1 ? cpu_neighbor : cpu_second_neighbor), 0};
}

WorkCost cost_of_prefixes(Amount bytes, std::uint64_t table_bytes) {
  if (table_bytes <= small_prefix_tables) return {};
  return {times(bytes, cpu_prefix / read_bytes), 0};
}

}  // namespace gsx

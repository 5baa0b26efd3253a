#include "device/cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/byte_text.hpp"
#include "base/log.hpp"

namespace gsx {
namespace {

// Seconds of one thread of a server CPU, and of an H200. scripts/bench/device_choice.py measures
// whether they choose the better device. What both devices leave to the CPU, such as reading files
// and writing results, is left out: a GPU takes no time where the grid shows only that.

/// Sorting the suffixes of DNA, and an index of them. Other alphabets and repeats take longer on
/// both. Memory is the bound, so that some of the time is not shared by threads.
constexpr double cpu_sort_symbol = 20e-9, serial_sort_symbol = 2e-9, gpu_sort_symbol = 0.3e-9;

/// A symbol of a BWT that is inverted.
constexpr double cpu_invert_symbol = 33e-9;

/// A symbol of a text whose index is checked.
constexpr double cpu_verify_symbol = 80e-9;

/// A k-mer of a text whose suffixes are sorted; one of the parts on which k-mers with mismatches
/// agree; and comparing a pair of those that do.
constexpr double cpu_kmer = 200e-9, gpu_kmer = 1e-9;
constexpr double cpu_kmer_part = 300e-9, gpu_kmer_part = 0.6e-9;
constexpr double cpu_kmer_pair = 2e-9, gpu_kmer_pair = 2e-11;

/// What is searched for in a text where that is not known yet, per symbol of the text: as much as
/// the text, at least.
constexpr double cpu_any_query_symbol = 24e-9;

/// Loading an index onto a GPU.
constexpr double gpu_load_byte = 0.1e-9;
/// A byte of FASTQ that is searched, by QueryWork.
constexpr double cpu_query_bytes[] = {3.5e-9, 5e-9, 17e-9, 110e-9};
constexpr double gpu_query_bytes[] = {0.12e-9, 0.16e-9, 0.27e-9, 3.4e-9};

/// The ways to search with mismatches.
struct MismatchRates {
  double comparison;      ///< of a pattern with a base of the text
  double base;            ///< to look up in a table among any number of patterns
  double left;            ///< to compare a base with one of the patterns that the tables leave
  double pattern_symbol;  ///< of a pattern: to pack it, and to look its pieces up in an index
  double piece_base;      ///< to compare a pattern where pieces of it are, per base of the text
};
constexpr MismatchRates cpu_rates = {1e-10, 5e-9, 1e-12, 7.5e-9, 4e-14};
constexpr MismatchRates gpu_rates = {4e-13, 2e-12, 2e-15, 0.4e-9, 1e-17};

/// A base of the text where guides are searched: for the sites of a PAM, for each guide, and at
/// most, since many guides are looked up in tables.
constexpr double cpu_site_base = 2e-9, cpu_guide_base = 5e-11, cpu_site_most = 14e-9;
constexpr double gpu_site_base = 6e-11;
/// With --all-sites, there is a guide per so many bases, and the table answers it in less than a
/// comparison with every base takes.
constexpr double bases_per_site = 10, cpu_site_comparison = 4e-13;

/// A byte of a reference, and of a query, whose pairs of matches are searched. Genomes repeat
/// themselves, so that a query has the more pairs, the longer the reference is.
constexpr double cpu_pair_reference = 26e-9, gpu_pair_reference = 0.15e-9;
constexpr double cpu_pair_query = 2e-9, gpu_pair_query = 2e-9, cpu_pair_repeat = 2.7e-16;

/// A random 16-mer among a million, at distance 1 and at distance 2.
constexpr double cpu_neighbor = 120e-9, cpu_second_neighbor = 300e-9;

/// A query in a set whose tables are larger than the cache; those of a small set are in it, so that
/// a GPU saves nothing.
constexpr double cpu_prefix = 40e-9;
constexpr std::uint64_t small_prefix_tables = std::uint64_t{8} << 20;
/// The driver alone took 120 MB beside an H100; what a build copies through comes on top.
constexpr std::uint64_t driver_bytes = 512'000'000;
/// Bytes of a file per query that begins with a barcode, usually at least: those of a read.
constexpr double read_bytes = 200;

double times(Amount amount, double each) {
  return amount ? static_cast<double>(*amount) * each : std::numeric_limits<double>::infinity();
}

}  // namespace

std::string faster_device(const std::string& device, const WorkCost& cost, int threads,
                          std::uint64_t host_bytes) {
  if (device != "auto") return device;
  if (host_bytes < driver_bytes) {
    log().debug("using the CPU: {} leave a GPU's driver too little memory", bytes_text(host_bytes));
    return "cpu";
  }
  const double on_cpu = cost.serial_seconds + cost.cpu_seconds / std::max(1, threads);
  const double on_gpu = gpu_start_seconds + cost.gpu_seconds;
  if (!(on_cpu <= on_gpu)) return device;
  log().debug("using the CPU: it takes about {:.2g} s, and a GPU {:.2g} s with its start", on_cpu,
              on_gpu);
  return "cpu";
}

WorkCost cost_of_sorting(Amount symbols) {
  return {times(symbols, cpu_sort_symbol), times(symbols.value_or(0), gpu_sort_symbol),
          times(symbols, serial_sort_symbol)};
}

WorkCost cost_of_inverting(Amount symbols) {
  return {times(symbols, cpu_invert_symbol), 0};
}

WorkCost cost_of_verifying(std::uint64_t symbols) {
  return {times(symbols, cpu_verify_symbol), 0};
}

WorkCost cost_of_kmers(Amount symbols, std::uint64_t k, int mismatches) {
  WorkCost cost = {times(symbols, cpu_kmer), times(symbols.value_or(0), gpu_kmer)};
  if (!symbols || mismatches == 0) return cost;
  // Those that agree on one of mismatches + 1 parts (lib/analysis/mappability/near_kmers.hpp).
  const std::uint64_t parts = static_cast<unsigned>(mismatches) + 1;
  const double size = times(symbols, 1);
  const double parted = size * static_cast<double>(parts);
  const std::uint64_t part = k / parts;
  const double pairs = size * size / 2 / std::pow(4.0, static_cast<double>(part));
  cost += {parted * cpu_kmer_part + pairs * cpu_kmer_pair,
           parted * gpu_kmer_part + pairs * gpu_kmer_pair};
  return cost;
}

WorkCost cost_of_any_queries(std::uint64_t text_symbols) {
  return {times(text_symbols, cpu_any_query_symbol), 0};
}

WorkCost cost_of_queries(QueryWork work, Amount bytes, std::uint64_t index_bytes) {
  const auto kind = static_cast<std::size_t>(work);
  return {times(bytes, cpu_query_bytes[kind]),
          times(bytes.value_or(0), gpu_query_bytes[kind]) + times(index_bytes, gpu_load_byte)};
}

WorkCost cost_of_mismatches(const MismatchWork& work) {
  if (work.patterns == 0) return {};
  const auto bases = static_cast<double>(work.text_symbols);
  // Of patterns in mismatches + 2 parts, two parts are as they are in the text.
  const double parts = work.mismatches + 2.0;
  const double tables = parts * (parts - 1) / 2;
  // Pieces that are expected in the text less than once by chance leave few places to compare.
  const double piece = work.length / (work.mismatches + 1.0);
  const bool by_pieces = work.index_bytes > 0 && piece > std::log2(bases + 1) / 2;
  const auto seconds = [&](const MismatchRates& rates) {
    const double by_keys = bases * (tables * rates.base + work.patterns * rates.left);
    const double one_by_one = bases * work.patterns * rates.comparison;
    const double at_pieces = bases * work.patterns * rates.piece_base;
    const double scan = by_pieces ? at_pieces : std::min(by_keys, one_by_one);
    return scan + work.patterns * work.length * rates.pattern_symbol;
  };
  if (std::isinf(work.patterns)) return {work.patterns, 0};
  return {seconds(cpu_rates), seconds(gpu_rates) + times(work.index_bytes, gpu_load_byte)};
}

WorkCost cost_of_guides(std::uint64_t text_symbols, double guides, unsigned bulges) {
  if (guides == 0) return {};
  const double bases = static_cast<double>(text_symbols) * (bulges + 1);
  return {bases * std::min(cpu_site_base + guides * cpu_guide_base, cpu_site_most),
          bases * gpu_site_base};
}

WorkCost cost_of_all_guides(std::uint64_t text_symbols) {
  const auto bases = static_cast<double>(text_symbols);
  return {bases / bases_per_site * bases * cpu_site_comparison, 0};
}

WorkCost cost_of_match_pairs(Amount reference_bytes, Amount query_bytes) {
  const double each = cpu_pair_query + times(reference_bytes.value_or(0), cpu_pair_repeat);
  return {times(reference_bytes, cpu_pair_reference) + times(query_bytes, each),
          times(reference_bytes.value_or(0), gpu_pair_reference) +
              times(query_bytes.value_or(0), gpu_pair_query)};
}

WorkCost cost_of_neighbors(std::uint64_t sequences, unsigned distance) {
  return {static_cast<double>(sequences) * (distance == 1 ? cpu_neighbor : cpu_second_neighbor), 0};
}

WorkCost cost_of_prefixes(Amount bytes, std::uint64_t table_bytes) {
  if (table_bytes <= small_prefix_tables) return {};
  return {times(bytes, cpu_prefix / read_bytes), 0};
}

}  // namespace gsx

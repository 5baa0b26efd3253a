// What a device must be able to do: build suffix arrays and indexes, and search batches.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/memory_growth.hpp"
#include "base/progress.hpp"
#include "device/device.hpp"
#include "index/bwt/bwt_bytes.hpp"
#include "index/fm/fm_index.hpp"
#include "index/lcp/kmer_frequencies.hpp"
#include "index/lcp/shared_lengths.hpp"
#include "index/sa/block_builder.hpp"
#include "index/sa/suffix_array.hpp"
#include "index/store/index.hpp"
#include "search/exact/searcher.hpp"
#include "search/matches/matches.hpp"
#include "search/matches/pair_searcher.hpp"
#include "search/mismatches/mismatches.hpp"
#include "search/sets/neighbors.hpp"
#include "search/sets/prefix_finder.hpp"
#include "search/sets/prefix_set.hpp"
#include "text/both_strands.hpp"
#include "text/text.hpp"

namespace gsx {

/// The host memory that a build may take.
struct HostMemory {
  std::uint64_t limit = ~std::uint64_t{0};  ///< bytes of the whole process
  std::uint64_t used = 0;                   ///< bytes that it holds when the build begins
  std::uint64_t peak = 0;                   ///< most bytes that it has held before
  std::string limited_by = "nothing";
  bool hard = true;  ///< whether a build that needs more is refused, or tried all the same
  /// Bytes that other threads have taken and are yet to write; may be null. now() counts them.
  const std::atomic<std::uint64_t>* coming = nullptr;

  /// What a process that holds what it holds now may take below `limit`, if that is not unlimited.
  static HostMemory below(std::uint64_t limit);

  /// The process's peak when the build takes `bytes` beside what it holds.
  std::uint64_t total(std::uint64_t bytes) const { return std::max(peak, used + bytes); }
  bool has_room(std::uint64_t bytes) const { return total(bytes) <= limit; }
  /// Throws ResourceError that says so where there is no room, unless it is to be tried anyway.
  void require(std::uint64_t bytes, const std::string& use) const;
  /// The same memory for work that begins now, beside what the process holds now.
  HostMemory now() const;
  /// A function that calls now().require(): for arrays whose size only the work tells.
  RequireMemory require_as_needed(std::string use) const;
  /// "too little memory: ...", where `use` takes `bytes` beside what it holds.
  std::string shortage(std::uint64_t bytes, const std::string& use) const;
};

struct BuildOptions {
  int threads = 1;
  PositionWidth width = PositionWidth::automatic;
  std::uint32_t sample_rate =
      default_sample_rate;                   ///< of an index; ignored for a suffix array alone
  std::optional<std::uint32_t> kmer_length;  ///< of an index; by default chosen from its size
  HostMemory memory;
  /// Whether the product is wanted in memory as a whole: then a suffix array is not sorted in
  /// blocks, and a BWT takes its bytes beside the blocks.
  bool whole = false;
  ProgressReport progress;  ///< may be empty

  FmOptions fm() const { return {sample_rate, kmer_length}; }
};

/// What is built of a text.
enum class BuildTarget : std::uint8_t { index, suffix_array, bwt };

/// A step of a build, and its peak memory.
struct BuildStage {
  std::string name;
  std::uint64_t host_bytes = 0;    ///< beside what the process holds when the build begins
  std::uint64_t device_bytes = 0;  ///< 0 on the CPU
};

/// How a build will go, and the memory that it takes, known before anything is allocated.
struct BuildPlan {
  std::string path;              ///< "cpu", "cpu, in blocks", "cuda", ...
  std::uint64_t host_bytes = 0;  ///< the largest of the stages'
  std::uint64_t device_bytes = 0;
  std::uint64_t parts = 1;      ///< blocks or batches of the suffix array, about
  std::uint64_t part_rows = 0;  ///< most rows of one part
  std::vector<BuildStage> stages;
};

/// Takes the codes of a BWT in order: all at once, or some at a time.
using TakeCodes = std::function<void(Buffer<std::uint8_t> codes)>;

/// A device that builds and searches. The results do not depend on which one it is.
class Backend : public Device {
 public:
  /// How a build with these options will go. Throws ResourceError when there is too little memory
  /// for it.
  virtual BuildPlan plan(const TextView& text, BuildTarget target, const BuildOptions& options) = 0;
  /// Gives `take` the suffix array of a text: the whole of it, or blocks where options.memory has
  /// no room for that.
  virtual void build_rows(const TextView& text, const BuildOptions& options,
                          const TakeRows& take) = 0;
  /// The same for the BWT, one code per row, Bwt::separator for separators.
  virtual void build_codes(const TextView& text, const BuildOptions& options,
                           const TakeCodes& take) = 0;
  virtual FmIndex build_index(const TextView& text, const BuildOptions& options) = 0;
  /// The text of a BWT, as invert_bwt (index/bwt/inverse.hpp) gives it; that of the CPU unless the
  /// device has its own. Throws what invert_bwt throws.
  virtual Buffer<std::uint8_t> invert(const BwtBytes& bwt, const BuildOptions& options);
  /// Counts the k-mers at positions [0, text.half), an array for each k, while suffixes are sorted;
  /// as FrequencyBuilder (analysis/mappability/frequencies.hpp) does. Returns none where the device
  /// does not count them itself, or not these: then the rows of the suffix array tell. Pre: there
  /// is a k, and each is at least 1. Throws ResourceError, and what build_rows throws.
  virtual std::vector<KmerFrequencies> count_kmers(const BothStrandsView& text,
                                                   std::span<const std::uint64_t> lengths,
                                                   const BuildOptions& options);
  /// How count_kmers() will go, or nothing where it will count none.
  virtual std::optional<BuildPlan> plan_kmers(const BothStrandsView& text,
                                              std::span<const std::uint64_t> lengths,
                                              const BuildOptions& options);
  /// Finds what suffixes share at positions [0, text.half), while they are sorted; as
  /// SharedLengthsBuilder (analysis/mappability/shared_lengths.hpp) does. Returns nothing where the
  /// device does not find it itself, or not for this text: then the rows of the suffix array tell.
  /// Throws ResourceError, and what build_rows throws.
  virtual std::optional<SharedLengths> share_lengths(const BothStrandsView& text,
                                                     const BuildOptions& options);
  /// How share_lengths() will go, or nothing where it is known to return nothing. The host bytes
  /// are those beside SharedLengths.
  virtual std::optional<BuildPlan> plan_shared_lengths(const BothStrandsView& text,
                                                       const BuildOptions& options);
  /// Adds to `exact` the k-mers that differ from that of a position in 1 to near.mismatches
  /// symbols, while suffixes are sorted; as NearKmerBuilder (analysis/mappability/near_kmers.hpp)
  /// does. `exact` and the result hold a frequency per position of [0, text.half), near.cap where
  /// it is larger, 0 where no k-mer begins. Returns nothing where the device does not count these:
  /// then the rows of the suffix array tell. Pre: near.k > near.mismatches >= 1, 1 <= near.cap <=
  /// NearKmers::most_cap. Throws ResourceError, and what build_rows throws.
  virtual std::optional<Buffer<std::uint16_t>> count_near_kmers(
      const BothStrandsView& text, const NearKmers& near, std::span<const std::uint16_t> exact,
      const BuildOptions& options);
  /// How count_near_kmers() will go, or nothing where it will count none. The result is no part of
  /// its host_bytes.
  virtual std::optional<BuildPlan> plan_near_kmers(const BothStrandsView& text,
                                                   const NearKmers& near,
                                                   const BuildOptions& options);
  /// How many threads keep `cores` cores busy with queries that take long: more than there are
  /// cores where a thread sleeps while a device searches for it.
  virtual int search_threads(int cores) const { return cores; }
  /// A searcher of an index for `threads` threads.
  virtual std::unique_ptr<Searcher> open(const Index& index, int threads,
                                         const SearchMemory& memory = {}) = 0;
  /// A searcher with mismatches, for `threads` threads; that of the CPU unless the device has its
  /// own. Pre: the text is DNA.
  virtual std::unique_ptr<MismatchSearcher> open_mismatches(const MismatchTarget& target,
                                                            int threads,
                                                            const SearchMemory& memory = {});
  /// A searcher for maximal matches, for `threads` threads; that of the CPU unless the device has
  /// its own. A device holds an index once for all its searchers that are open.
  virtual std::unique_ptr<MatchSearcher> open_matches(const Index& index, int threads,
                                                      const SearchMemory& memory = {});
  /// A searcher for pairs of matches; that of the CPU unless the device has its own. The back end
  /// must outlive it.
  virtual std::unique_ptr<PairSearcher> open_pairs(const PairSetup& setup);
  /// What finds neighbours in sets of sequences; that of the CPU unless the device has its own. The
  /// back end must outlive it.
  virtual std::unique_ptr<NeighborFinder> open_neighbors();
  /// What finds which sequence of a set others begin with, for `threads` threads; that of the CPU
  /// unless the device has its own. The set and the back end must outlive it.
  virtual std::unique_ptr<PrefixFinder> open_prefixes(const PrefixSet& set, int threads);
};

}  // namespace gsx

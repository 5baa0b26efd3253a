// What a device must be able to do: build suffix arrays and indexes, and search batches.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/device.hpp"
#include "base/progress.hpp"
#include "fm/fm_index.hpp"
#include "sa/block_builder.hpp"
#include "sa/suffix_array.hpp"
#include "search/searcher.hpp"
#include "store/index.hpp"
#include "text/text.hpp"

namespace gsx {

/// What a build may take of the host's memory.
struct HostMemory {
  std::uint64_t limit = ~std::uint64_t{0};  ///< bytes of the whole process
  std::uint64_t used = 0;                   ///< of them, what it holds when the build begins
  std::uint64_t peak = 0;                   ///< the most that it has held before
  std::string limited_by = "nothing";
  bool hard = true;  ///< whether a build that needs more is refused; else it is tried all the same

  /// The process's peak when the build takes `bytes` beside what it holds.
  std::uint64_t total(std::uint64_t bytes) const { return std::max(peak, used + bytes); }
  bool has_room(std::uint64_t bytes) const { return total(bytes) <= limit; }
  /// "too little memory: ...", where `use` takes `bytes` beside what it holds.
  std::string shortage(std::uint64_t bytes, const std::string& use) const;
};

struct BuildOptions {
  int threads = 1;
  PositionWidth width = PositionWidth::automatic;
  std::uint32_t sample_rate = 16;            ///< of an index; ignored for a suffix array alone
  std::optional<std::uint32_t> kmer_length;  ///< of an index; by default chosen from its size
  HostMemory memory;
  ProgressReport progress;  ///< may be empty

  FmOptions fm() const { return {sample_rate, kmer_length}; }
};

/// What is built of a text.
enum class BuildTarget : std::uint8_t { index, suffix_array, bwt };

/// A step of a build, and what it takes at its peak.
struct BuildStage {
  std::string name;
  std::uint64_t host_bytes = 0;    ///< beside what the process holds when the build begins
  std::uint64_t device_bytes = 0;  ///< 0 on the CPU
};

/// How a text will be built, and what that takes, known before anything is allocated.
struct BuildPlan {
  std::string path;              ///< "cpu", "cpu, in blocks", "cuda", ...
  std::uint64_t host_bytes = 0;  ///< the largest of the stages'
  std::uint64_t device_bytes = 0;
  std::uint64_t parts = 1;      ///< blocks or batches of the suffix array, about
  std::uint64_t part_rows = 0;  ///< rows of one, at most
  std::vector<BuildStage> stages;
};

/// Consecutive codes of a BWT; valid during the call.
using OnCodes = std::function<void(std::span<const std::uint8_t> codes)>;

/// A device that builds and searches. The results do not depend on which one it is.
class Backend : public Device {
 public:
  /// The way that a build with these options will take, and its memory. Throws ResourceError when
  /// there is too little of it.
  virtual BuildPlan plan(const TextView& text, BuildTarget target, const BuildOptions& options) = 0;
  virtual SuffixArray build_suffix_array(const TextView& text, const BuildOptions& options) = 0;
  /// The BWT of a text, one code a row, Bwt::separator for separators.
  virtual Buffer<std::uint8_t> build_bwt(const TextView& text, const BuildOptions& options) = 0;
  virtual FmIndex build_index(const TextView& text, const BuildOptions& options) = 0;
  /// Gives the rows of the suffix array in order. All are built before the first are given, unless
  /// options.memory has no room for them.
  virtual void stream_suffix_array(const TextView& text, const BuildOptions& options,
                                   const OnSuffixBlock& on_block);
  /// The same of the BWT's codes.
  virtual void stream_bwt(const TextView& text, const BuildOptions& options,
                          const OnCodes& on_codes);
  /// A searcher of an index for `threads` threads.
  virtual std::unique_ptr<Searcher> open(const Index& index, int threads,
                                         const SearchMemory& memory = {}) = 0;
};

}  // namespace gsx

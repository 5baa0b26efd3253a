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

/// The host memory that a build may take.
struct HostMemory {
  std::uint64_t limit = ~std::uint64_t{0};  ///< bytes of the whole process
  std::uint64_t used = 0;                   ///< bytes that it holds when the build begins
  std::uint64_t peak = 0;                   ///< most bytes that it has held before
  std::string limited_by = "nothing";
  bool hard = true;  ///< whether a build that needs more is refused, or tried all the same

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

/// Consecutive codes of a BWT; valid during the call.
using OnCodes = std::function<void(std::span<const std::uint8_t> codes)>;

/// A device that builds and searches. The results do not depend on which one it is.
class Backend : public Device {
 public:
  /// How a build with these options will go. Throws ResourceError when there is too little memory
  /// for it.
  virtual BuildPlan plan(const TextView& text, BuildTarget target, const BuildOptions& options) = 0;
  virtual SuffixArray build_suffix_array(const TextView& text, const BuildOptions& options) = 0;
  /// The BWT of a text, one code per row, Bwt::separator for separators.
  virtual Buffer<std::uint8_t> build_bwt(const TextView& text, const BuildOptions& options) = 0;
  virtual FmIndex build_index(const TextView& text, const BuildOptions& options) = 0;
  /// Gives `on_block` the suffix array in order. All of it is built before the first call, unless
  /// options.memory has no room for that.
  virtual void stream_suffix_array(const TextView& text, const BuildOptions& options,
                                   const OnSuffixBlock& on_block);
  /// The same for the codes of the BWT.
  virtual void stream_bwt(const TextView& text, const BuildOptions& options,
                          const OnCodes& on_codes);
  /// A searcher of an index for `threads` threads.
  virtual std::unique_ptr<Searcher> open(const Index& index, int threads,
                                         const SearchMemory& memory = {}) = 0;
};

}  // namespace gsx

// What a build is asked for, and how it is planned.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_growth.hpp"
#include "base/progress.hpp"
#include "index/fm/fm_index.hpp"
#include "index/sa/suffix_array.hpp"

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
  /// The memory for work that begins now, beside what the process holds now.
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

}  // namespace gsx

// Sorts more lines than memory holds.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/output.hpp"
#include "bytes/scratch_file.hpp"

namespace gsx {

/// The sort key of a line.
struct LineKey {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  friend auto operator<=>(const LineKey&, const LineKey&) = default;
};

/// An external merge sort. Threads collect lines. When the lines of a thread fill its share of the
/// memory, they are sorted and written to a temporary file as a run. At the end, all runs are
/// merged. Lines of one key come in the order of their bytes, so that threads do not show.
class LineSorter {
 public:
  /// Uses about `memory` bytes, shared by `threads` collectors; spills to a file in `place`.
  LineSorter(std::uint64_t memory, int threads, ScratchPlace place = {});

  /// Collects the lines of one thread.
  class Collector {
   public:
    explicit Collector(LineSorter& sorter) : sorter_(sorter) {}
    /// Throws RuntimeError, ResourceError.
    void add(LineKey key, std::string_view line);

   private:
    friend LineSorter;
    struct Entry {
      LineKey key;
      std::uint64_t begin;
      std::uint64_t size;
    };
    std::string_view line(const Entry& entry) const {
      return std::string_view(lines_).substr(entry.begin, entry.size);
    }
    void sort();
    void spill();

    LineSorter& sorter_;
    std::string lines_;
    std::vector<Entry> entries_;
  };
  /// Adds a collector, which lives as long as the sorter. Any thread may call it.
  Collector& collector();

  /// Writes all lines in order. Pre: no thread adds lines any more. Throws what Output and
  /// ScratchFile throw.
  void write(Output& out);

  /// The least memory in which sorting works.
  static constexpr std::uint64_t least_memory = std::uint64_t{1} << 20;

 private:
  /// A run is bytes [begin, end) of the file.
  struct Run {
    std::uint64_t begin;
    std::uint64_t end;
  };
  class RunReader;
  class RunWriter;
  void write_from_memory(Output& out);
  template <class Take>
  void merge(const std::vector<Run>& runs, const Take& take);
  std::size_t most_runs() const;

  std::uint64_t memory_;
  std::uint64_t share_;  ///< memory of one collector
  ScratchFile file_;
  std::mutex mutex_;
  std::vector<Run> runs_;
  std::deque<Collector> collectors_;
};

}  // namespace gsx

// Sorting more lines than memory holds.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "io/output.hpp"
#include "io/scratch_file.hpp"

namespace gsx {

/// What lines are ordered by.
struct LineKey {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  friend auto operator<=>(const LineKey&, const LineKey&) = default;
};

/// An external merge sort. Threads collect lines; whatever fills a thread's share of the memory is
/// sorted and goes to a temporary file as a run, and at the end all runs are merged.
class LineSorter {
 public:
  /// Takes about `memory` bytes, shared by `threads` collectors; the rest goes to `place`.
  LineSorter(std::uint64_t memory, int threads, ScratchPlace place = {});

  /// Takes the lines of one thread.
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
  /// One more collector, which lives as long as the sorter. Any thread may call.
  Collector& collector();

  /// Writes all lines in order. Pre: nobody adds any more.
  /// Throws what Output and the temporary file throw.
  void write(Output& out);

  /// The least memory that sorting works in.
  static constexpr std::uint64_t least_memory = std::uint64_t{1} << 20;

 private:
  /// Where a run lies in the file.
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
  std::uint64_t share_;  ///< of one collector
  ScratchFile file_;
  std::mutex mutex_;
  std::vector<Run> runs_;
  std::deque<Collector> collectors_;
};

}  // namespace gsx

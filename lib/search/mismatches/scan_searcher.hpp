// Searches with mismatches by reading the whole text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/cpu_path.hpp"
#include "search/mismatches/mismatch_way.hpp"
#include "search/mismatches/thread_share.hpp"

namespace gsx {

class HitCollector;

/// What a scan compares the text with.
enum class ScanBy : std::uint8_t {
  planes,  ///< each pattern, in bit planes that are made block by block
           ///< (scan_searcher.cpp)
  keys,    ///< a table of keys of all patterns (search/mismatches/key_tables.hpp); those that have
           ///< none by planes
};

/// Reads the whole text for a group of patterns at a time, any patterns. Needs no index. Memory by
/// planes: 90 KB per thread, the counts of up to 4096 patterns per thread, and hits_at_once hits.
/// By keys: beside that about 100 bytes per pattern, the counts of up to 65536 patterns per thread,
/// and tables that take at most as much as the hits: for more patterns, the text is read again.
class ScanSearcher final : public MismatchWay {
 public:
  /// Keeps the view of the text. Pre: this CPU has the instructions of `path`; the text is DNA.
  ScanSearcher(const TextView& text, int threads, const SearchMemory& memory, CpuPath path,
               ScanBy by = ScanBy::planes)
      : text_(text), memory_(memory), path_(path), by_(by), threads_(threads) {}

  std::string_view name() const override { return by_ == ScanBy::keys ? "keys" : "scan"; }
  double cost(const SetPatterns& patterns, const MismatchRequest& request) const override;
  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override;
  void stream(const SetPatterns& patterns, const MismatchRequest& request,
              const HitSink& sink) const override;

 private:
  static constexpr std::uint64_t most_hits_at_once = std::uint64_t{1} << 32;
  class Finder;
  std::uint64_t table_bytes() const {
    return std::min(memory_.hits_at_once, most_hits_at_once) * sizeof(Hit);
  }
  std::size_t end_of_group(const SetPatterns& patterns, std::size_t first,
                           const MismatchRequest& request, std::size_t most) const;
  void scan(const SetPatterns& patterns, const MismatchRequest& request,
            const ThreadShare::Call& call, MismatchCounts& counts,
            std::vector<HitCollector>* collectors) const;

  TextView text_;
  SearchMemory memory_;
  CpuPath path_;
  ScanBy by_;
  mutable ThreadShare threads_;
};

}  // namespace gsx

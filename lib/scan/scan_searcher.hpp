// Searches with mismatches by reading the whole text.
#pragma once

#include "machine/cpu_path.hpp"
#include "scan/mismatch_way.hpp"
#include "scan/strand_program.hpp"
#include "scan/thread_share.hpp"

namespace gsx {

class HitCollector;

/// Reads the whole text for a group of patterns at a time, any patterns, in bit planes that are
/// made block by block (scan/bit_scan.hpp). Needs no index. Memory: 90 KB per thread, the counts of
/// up to 4096 patterns per thread, and hits_at_once hits.
class ScanSearcher final : public MismatchWay {
 public:
  /// Keeps the view of the text. Pre: this CPU has the instructions of `path`; the text is DNA.
  ScanSearcher(const TextView& text, int threads, const SearchMemory& memory, CpuPath path)
      : text_(text), memory_(memory), path_(path), threads_(threads) {}

  std::string_view name() const override { return "scan"; }
  double cost(const SetPatterns& patterns, const MismatchRequest& request) const override;
  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override;
  void stream_hits(const SetPatterns& patterns, const MismatchRequest& request,
                   const HitSink& sink) const override;

 private:
  class Finder;
  void scan(const StrandPrograms& programs, const ThreadShare::Call& call, MismatchCounts& counts,
            std::vector<HitCollector>* collectors) const;

  TextView text_;
  SearchMemory memory_;
  CpuPath path_;
  mutable ThreadShare threads_;
};

}  // namespace gsx

// Searches on the CPU: many patterns in flight, so that their cache misses overlap.
#pragma once

#include "machine/cpu_path.hpp"
#include "sa/suffix_array.hpp"
#include "search/huge_page_fm.hpp"
#include "search/searcher.hpp"
#include "store/index.hpp"

namespace gsx {

class CpuSearcher final : public Searcher {
 public:
  /// Keeps views of `index`. Pre: this CPU has the instructions of `path`.
  CpuSearcher(const Index& index, const SearchMemory& memory, CpuPath path);

  void count(const Patterns& patterns, Strands strands,
             std::vector<StrandCounts>& counts) const override;
  void stream_hits(const Patterns& patterns, const LocateRequest& request,
                   const HitSink& sink) const override;

 private:
  template <class Pos>
  void stream(const Patterns& patterns, const LocateRequest& request, const HitSink& sink) const;

  HugePageFm fm_;
  TextView text_;
  SearchMemory memory_;
  bool complements_;
  bool wide_;
  CpuPath path_;
};

}  // namespace gsx

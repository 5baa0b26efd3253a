// Searches on the CPU: many patterns in flight, so that their cache misses overlap.
#pragma once

#include "base/cpu_path.hpp"
#include "index/sa/suffix_array.hpp"
#include "index/store/index.hpp"
#include "search/exact/huge_page_fm.hpp"
#include "search/exact/searcher.hpp"

namespace gsx {

class CpuSearcher final : public Searcher {
 public:
  /// Keeps views of `index`. Copies ranks of at least `least_copied` bytes to huge pages if the
  /// index is mapped: a Buffer of that size has them already. Pre: this CPU has the instructions of
  /// `path`.
  CpuSearcher(const Index& index, const SearchMemory& memory, CpuPath path,
              std::uint64_t least_copied = HugePageFm::worth_copying);

  void count(const Patterns& patterns, Strands strands,
             std::vector<StrandCounts>& counts) const override;
  void stream(const Patterns& patterns, const LocateRequest& request,
              const HitSink& sink) const override;
  bool is_copied() const { return fm_.is_copied(); }

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

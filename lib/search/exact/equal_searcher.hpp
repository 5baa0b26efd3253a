// Searches on the CPU in which a symbol of a pattern may match several symbols of the text.
#pragma once

#include "base/cpu_path.hpp"
#include "index/sa/suffix_array.hpp"
#include "index/store/index.hpp"
#include "search/exact/huge_page_fm.hpp"
#include "search/exact/searcher.hpp"
#include "text/equal_letters.hpp"

namespace gsx {

/// Goes back from the last symbol of a pattern, as CpuSearcher does, with an interval of rows for
/// each string that the pattern matches so far. An interval without rows is dropped, so there are
/// never more than places in the text, and hardly ever more than a few.
class EqualSearcher final : public Searcher {
 public:
  /// Keeps views of `index`. Pre: the alphabet has no reverse complement; this CPU has the
  /// instructions of `path`.
  EqualSearcher(const Index& index, CodeClasses classes, const SearchMemory& memory, CpuPath path);

  void count(const Patterns& patterns, Strands strands,
             std::vector<StrandCounts>& counts) const override;
  void stream(const Patterns& patterns, const LocateRequest& request,
              const HitSink& sink) const override;

 private:
  template <class Pos>
  void count_patterns(const Patterns& patterns, std::vector<StrandCounts>& counts) const;
  template <class Pos>
  void stream(const Patterns& patterns, const LocateRequest& request, const HitSink& sink) const;

  HugePageFm fm_;
  TextView text_;
  CodeClasses classes_;
  SearchMemory memory_;
  bool wide_;
  CpuPath path_;
};

}  // namespace gsx

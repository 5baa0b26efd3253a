// Searching on the CPU: many patterns in flight, so that their cache misses overlap.
#pragma once

#include "backend/backend.hpp"
#include "backend/cpu_sequence.hpp"
#include "backend/searched_fm.hpp"
#include "base/cpu_path.hpp"

namespace gsx {

class CpuSearcher final : public Searcher {
 public:
  /// Keeps views of `index`. Throws what cpu_path throws.
  CpuSearcher(const Index& index, int threads);

  int concurrency() const override { return threads_; }
  void count(const Patterns& patterns, Strands strands,
             std::vector<StrandCounts>& counts) const override;
  void locate(const Patterns& patterns, Strands strands, std::uint64_t max_hits,
              Hits& hits) const override;
  const SequenceQueries* sequence() const override { return &sequence_; }

 private:
  SearchedFm fm_;
  bool complements_;
  bool wide_;
  int threads_;
  CpuPath path_;
  CpuSequence sequence_;
};

}  // namespace gsx

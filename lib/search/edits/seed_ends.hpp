// Finds ends where pieces of a pattern occur: looks them up in the FM-index.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/cpu_path.hpp"
#include "index/sa/suffix_array.hpp"
#include "index/store/index.hpp"
#include "search/edits/edit_seeds.hpp"
#include "search/edits/edits.hpp"
#include "search/edits/end_collector.hpp"
#include "search/exact/huge_page_fm.hpp"
#include "search/mismatches/thread_share.hpp"

namespace gsx {

/// Where seeds stop being worth it; results do not depend on it. Only tests change it.
struct EditSeedTuning {
  std::uint64_t least_copied = HugePageFm::worth_copying;  ///< as for CpuSearcher
  PositionWidth width = PositionWidth::automatic;
  double scan_factor = 1;  ///< how many times what it costs a scan is taken to cost
};

/// Cuts a pattern into pieces, of which one has few edits wherever the pattern has few (EditPieces;
/// Wu and Manber 1992). Looks up the pieces, or what is within one edit of them, as the exact
/// search does. From where such a string lies, the pattern ends within `edits` symbols of where it
/// would without edits. Columns are computed there.
class EditSeeds {
 public:
  /// Keeps views of `index`. Pre: this CPU has the instructions of `path`.
  EditSeeds(const Index& index, bool dna, const SearchMemory& memory, CpuPath path,
            const EditSeedTuning& tuning = {});

  /// About how many seconds one core takes to find the ends of a pattern, in random text; infinite
  /// for one that has too few positions that match one symbol.
  double cost(std::span<const std::uint8_t> pattern, const EditRequest& request) const;

  /// Gives the collectors, one per thread of the call, the ends of the patterns numbered `which`,
  /// each once. Leaves out those of a pattern whose pieces have so many places that to scan the
  /// text, for scan_costs[i] seconds, costs less: adds its number to `left`. Pre: they can be
  /// asked.
  void find(const EditPatterns& patterns, std::span<const std::uint32_t> which,
            std::span<const double> scan_costs, const EditRequest& request,
            const ThreadShare::Call& call, std::span<EndCollector> collectors,
            std::vector<std::uint32_t>& left) const;

 private:
  template <class Pos>
  class Run;

  SeedCosts costs(std::uint64_t length, std::uint32_t edits) const;

  HugePageFm fm_;
  TextView text_;
  EditSeedTuning tuning_;
  bool dna_;
  bool wide_;
  CpuPath path_;
};

}  // namespace gsx

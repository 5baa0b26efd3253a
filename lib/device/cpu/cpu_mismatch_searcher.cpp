#include "device/cpu/cpu_mismatch_searcher.hpp"

#include "search/mismatches/scan_searcher.hpp"
#include "search/mismatches/seed_searcher.hpp"
#include "search/sites/site_searcher.hpp"

namespace gsx {

CpuMismatchSearcher::CpuMismatchSearcher(const MismatchTarget& target, int threads,
                                         const SearchMemory& memory, CpuPath path) {
  ways_.push_back(std::make_unique<ScanSearcher>(target.text, threads, memory, path));
  const MismatchWay& scan = *ways_.front();
  ways_.push_back(std::make_unique<ScanSearcher>(target.text, threads, memory, path, ScanBy::keys));
  if (target.index == nullptr) return;
  ways_.push_back(std::make_unique<SeedSearcher>(*target.index, scan, memory, path));
}

std::unique_ptr<MismatchSearcher> make_cpu_mismatch_searcher(const MismatchTarget& target,
                                                             int threads,
                                                             const SearchMemory& memory,
                                                             CpuPath path) {
  auto searcher = std::make_unique<CpuMismatchSearcher>(target, threads, memory, path);
  if (memory.site_tables == 0) return searcher;
  return std::make_unique<SiteSearcher>(target.text, std::move(searcher), threads, memory,
                                        memory.site_tables, path);
}

}  // namespace gsx

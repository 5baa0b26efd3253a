// Searches many guides beside one PAM by a table of its sites.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/cpu_path.hpp"
#include "search/mismatches/mismatches.hpp"
#include "search/mismatches/thread_share.hpp"
#include "search/sites/site_hits.hpp"
#include "search/sites/site_table.hpp"

namespace gsx {

/// Answers patterns that have a shape (site_shape_of()) from a table of the sites of their PAM, if
/// there are so many of them that the table pays. All others go to another searcher, and so does a
/// pattern with more places than may be held, which must be sorted.
///
/// A table that takes more memory than it may is made in parts of the text, one after
/// another, for each call; a smaller one is kept for the calls to come.
class SiteSearcher final : public MismatchSearcher {
 public:
  /// Fewer patterns of a shape in one call are not worth a table.
  static constexpr std::size_t worth_a_table = 128;

  /// Tables take at most `table_bytes` at a time.
  SiteSearcher(const TextView& text, std::unique_ptr<MismatchSearcher> other, int threads,
               const SearchMemory& memory, std::uint64_t table_bytes, CpuPath path,
               std::size_t least = worth_a_table);

  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override;
  void stream(const SetPatterns& patterns, const MismatchRequest& request,
              const HitSink& sink) const override;
  /// Makes each part of a table once.
  void stream_unordered(const SetPatterns& patterns, const MismatchRequest& request,
                        const HitSink& sink) const override;

 private:
  /// How the table of a shape is made: its parts, and for one part the table, once it is there.
  struct Plan {
    SiteShape shape;
    std::vector<SitePart> slices;
    std::vector<SliceRun> parts;
    std::uint64_t bytes = 0;  ///< to build the largest of them
    std::shared_ptr<const SiteTable> whole;
  };
  using UseTable = std::function<void(const SiteTable&)>;
  using Plans = std::vector<std::shared_ptr<const Plan>>;  ///< of patterns
  using Groups = std::vector<std::pair<const Plan*, std::vector<std::size_t>>>;

  Plans plans_of(const SetPatterns& patterns, const MismatchRequest& request) const;
  static Groups by_plan(const Plans& plans, std::size_t first, std::size_t last);
  std::shared_ptr<const Plan> plan_for(const SiteShape& shape) const;
  std::shared_ptr<const Plan> known_plan(const SiteShape& shape) const;
  void cut(Plan& plan) const;
  void for_each_part(const Plan& plan, const UseTable& use) const;
  void count_sites_of(const Plan& plan, const SetPatterns& patterns,
                      const std::vector<std::size_t>& which, const MismatchRequest& request,
                      MismatchCounts& counts) const;
  void stream_some(const Plans& plans, const SetPatterns& patterns, std::size_t first,
                   std::size_t last, const MismatchRequest& request, const HitSink& sink) const;
  void collect_others(const SetPatterns& patterns, const std::vector<std::size_t>& which,
                      std::size_t first, const MismatchRequest& request, SiteHits& hits) const;
  void stream_part(const Plan& plan, const SiteTable& table, const SetPatterns& patterns,
                   const MismatchRequest& request, const HitSink& sink) const;
  void stream_one(const Plan& plan, const SiteTable& table, const SetPatterns& patterns,
                  std::size_t which, const MismatchRequest& request, const HitSink& sink) const;
  void look_up(const Plan& plan, const SiteTable& table, const SetPatterns& patterns,
               std::span<const std::size_t> which, std::size_t first,
               const MismatchRequest& request, SiteHits& hits) const;
  void stream_others(const SetPatterns& patterns, std::size_t first, std::size_t last,
                     const MismatchRequest& request, const HitSink& sink) const;

  TextView text_;
  std::unique_ptr<MismatchSearcher> other_;
  int threads_;
  SearchMemory memory_;
  std::uint64_t table_bytes_;
  CpuPath path_;
  std::size_t least_;
  mutable ThreadShare share_;
  mutable std::mutex planning_;  ///< guards the plans, and one table being built at a time
  mutable std::vector<std::shared_ptr<const Plan>> plans_;
};

}  // namespace gsx

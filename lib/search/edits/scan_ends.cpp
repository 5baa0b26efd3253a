#include "search/edits/scan_ends.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "base/parallel.hpp"

namespace gsx {
namespace {

/// Seconds to load a symbol of the text into planes.
constexpr double load_cost = 0.09e-9;

/// The end of the patterns from `first` on that are searched together: their pieces should stay in
/// a second-level cache, and long patterns, which need long parts, should not be with short ones.
std::size_t end_of_scan(const EditPatterns& patterns, std::span<const std::uint32_t> order,
                        std::size_t first) {
  constexpr std::uint64_t most_symbols = 1 << 18, short_pattern = 1 << 12;
  std::uint64_t symbols = 0;
  std::size_t end = first;
  const std::uint64_t longest = std::max(short_pattern, 2 * patterns[order[first]].size());
  while (end < order.size() && (end == first || symbols < most_symbols) &&
         patterns[order[end]].size() <= longest)
    symbols += patterns[order[end++]].size();
  return end;
}

}  // namespace

double EndScan::cost(std::span<const std::uint8_t> pattern, const EditRequest& request) const {
  const double strands = request.strands == Strands::both && target_.dna ? 2 : 1;
  double symbol = edit_column_cost(pattern.size(), request.edits);
  if (target_.dna)
    symbol =
        std::min(symbol, plan_filter(pattern, request.edits, path_, symbol).cost + load_cost / 8);
  return strands * static_cast<double>(target_.text.length()) * symbol;
}

/// Symbols of a part: so many that loading what lies around it costs little, and so few that all
/// threads have some.
std::uint64_t EndScan::part_of(const ScanGroup& group, int threads) const {
  const std::uint64_t around = group.before() + group.behind() + group.request().edits;
  const std::uint64_t share =
      target_.text.length() / (4 * static_cast<std::uint64_t>(std::max(1, threads)));
  const std::uint64_t least = std::min<std::uint64_t>(part_, 1 << 14);
  return std::max(std::clamp(share, least, part_), 4 * around);
}

void EndScan::find(const EditPatterns& patterns, std::span<const std::uint32_t> which,
                   const EditRequest& request, const ThreadShare::Call& call,
                   std::span<EndCollector> collectors) const {
  std::vector<std::uint32_t> order(which.begin(), which.end());
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return patterns[a].size() < patterns[b].size();
  });
  for (std::size_t first = 0; first < order.size();) {
    const std::size_t end = end_of_scan(patterns, order, first);
    const ScanGroup group(target_, patterns, std::span(order).subspan(first, end - first), request,
                          path_);
    const std::uint64_t part = part_of(group, call.threads());
    const std::uint64_t length = target_.text.length(), parts = (length + part - 1) / part;
    std::vector<std::unique_ptr<ScanWorker>> workers(collectors.size());
    parallel_for(call.threads(), parts, [&](std::uint64_t task, int thread) {
      const auto number = static_cast<std::size_t>(thread);
      if (!workers[number]) workers[number] = std::make_unique<ScanWorker>(group, part);
      workers[number]->find({task * part, std::min(length, (task + 1) * part)},
                            EndsOf::floors_that_begin, collectors[number]);
    });
    first = end;
  }
}

void EndScan::find_in_order(const EditPatterns& pattern, const EditRequest& request,
                            EndCollector& collector, const EndsFound& found) const {
  const std::uint32_t which = 0;
  const ScanGroup group(target_, pattern, {&which, 1}, request, path_);
  const std::uint64_t part = part_of(group, 1), length = target_.text.length();
  ScanWorker worker(group, part);
  for (std::uint64_t begin = 0; begin < length; begin += part) {
    const std::uint64_t end = std::min(length, begin + part);
    worker.find({begin, end}, EndsOf::floors_that_end, collector);
    if (!found(end)) return;
  }
}

}  // namespace gsx

#include "kernels/analysis/mappability/near_collector.hpp"

#include "base/log.hpp"
#include "base/resources.hpp"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda {
namespace {

NearWindows windows_of(const NearKmers& near) {
  return {static_cast<std::int64_t>(near.k), near.mismatches};
}

}  // namespace

template <class Pos>
bool NearCollector<Pos>::can_count(const TextView& text, const NearKmers& near) {
  const auto seed = static_cast<std::uint64_t>(windows_of(near).seed());
  return text.symbols.bits == 2 && seed * text.symbols.bits >= tuning::prefix_bits &&
         near.k <= tuning::most_compared;
}

template <class Pos>
NearCollector<Pos>::NearCollector(const BothStrandsView& d_text, const NearKmers& near,
                                  std::span<const std::uint16_t> exact, Transfer& transfer,
                                  DeviceStream stream)
    : text_(d_text),
      windows_(windows_of(near)),
      stream_(stream),
      counts_(d_text, windows_, near.cap, exact, transfer, stream),
      pairs_(d_text, windows_, counts_, stream) {}

template <class Pos>
void NearCollector<Pos>::take(const FinishedRows<Pos>& rows) {
  const NearRows<Pos> near = find_near_rows(text_, windows_, counts_.open(), rows, stream_);
  const std::uint64_t before = pairs_.pairs();
  pairs_.add(near.view());
  log().debug("near k-mers: {} of {} rows share a seed, in {} pairs", near.rows.size(), rows.count,
              pairs_.pairs() - before);
}

template <class Pos>
Buffer<std::uint16_t> NearCollector<Pos>::result(Transfer& transfer) {
  const Stopwatch watch;
  Buffer<std::uint16_t> totals = counts_.result(transfer);
  log().debug("near k-mers: {} pairs; counts back in {:.3f} s", pairs_.pairs(), watch.seconds());
  return totals;
}

template class NearCollector<std::uint32_t>;
template class NearCollector<std::uint64_t>;

}  // namespace gsx::cuda

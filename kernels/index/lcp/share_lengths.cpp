#include "kernels/index/lcp/share_lengths.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "kernels/index/lcp/shared_lengths_collector.hpp"
#include "kernels/index/sa/sort_ladder.hpp"
#include "kernels/index/sa/suffix_sorter.hpp"
#include "kernels/text/device_text.hpp"

namespace gsx::cuda {
namespace {

std::uint64_t finishing_bytes_for(const BothStrandsView& text, std::uint64_t pairs) {
  return DeviceText::bytes(text.text) + sizeof(SharedAt) * text.half + 8 * pairs +
         SharedLengthsCollector<std::uint32_t>::result_bytes(text.half, pairs);
}

/// How many pairs there is room for, beside what sorting takes and at the end.
std::uint64_t room_for_pairs(const BothStrandsView& text, std::uint64_t sorting,
                             std::uint64_t available) {
  const std::uint64_t planned = SharedLengthsCollector<std::uint32_t>::planned_pairs(text.half);
  const std::uint64_t least = finishing_bytes_for(text, 0);
  const std::uint64_t bytes_per_pair = finishing_bytes_for(text, 1) - least;
  const std::uint64_t while_sorting = available > sorting ? (available - sorting) / 16 : 0;
  const std::uint64_t at_the_end = available > least ? (available - least) / bytes_per_pair : 0;
  return std::max(planned, std::min(planned + while_sorting, at_the_end));
}

}  // namespace

SortShape sharing_shape(const BothStrandsView& text, SortShape shape) {
  shape.result_bytes = SharedLengthsCollector<std::uint32_t>::bytes(text.half);
  shape.result_bytes_in_batch = SharedLengthsCollector<std::uint32_t>::bytes_per_row_of_batch;
  return shape;
}

std::uint64_t finishing_bytes(const BothStrandsView& text) {
  return finishing_bytes_for(text, SharedLengthsCollector<std::uint32_t>::planned_pairs(text.half));
}

template <class Pos>
bool can_share(const BothStrandsView& text, const SortShape& shape, std::uint64_t available) {
  return SharedLengthsCollector<Pos>::can_collect(text) && finishing_bytes(text) <= available &&
         !sort_plans(shape, available).empty();
}

template <class Pos>
std::optional<SharedLengths> share_lengths(const BothStrandsView& text, const SortShape& shape,
                                           const BuildOptions& options, DeviceLink& link) {
  const std::uint64_t available = link.pool()->available();
  const RequireMemory require =
      options.memory.require_as_needed("a text whose suffixes have so much in common");
  Transfer& transfer = link.transfer(options.threads);
  try {
    Stopwatch watch;
    const auto plans = choose_plans(shape, available);
    const DeviceText d_text(text.text, transfer, link.stream());
    log().debug("text on the device in {:.3f} s", watch.lap());
    std::optional<SharedLengthsCollector<Pos>> lengths;
    try_plans(plans, [&](const SortPlan& plan) {
      lengths.reset();
      lengths.emplace(d_text.view(), text.half,
                      room_for_pairs(text, sorting_bytes(shape, plan), available), link.stream());
      sort_suffixes<Pos>(d_text.view(), plan, *lengths, link.stream(), options.progress);
    });
    log().debug("sorted and compared in {:.3f} s", watch.lap());
    SharedLengths result = lengths->result(options.threads, transfer, require);
    log().debug("shared lengths on the host in {:.3f} s", watch.lap());
    return result;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::resources) throw;
    log().info("{}; comparing the rows of the suffix array on the CPU", error.what());
    return std::nullopt;
  }
}

template bool can_share<std::uint32_t>(const BothStrandsView&, const SortShape&, std::uint64_t);
template bool can_share<std::uint64_t>(const BothStrandsView&, const SortShape&, std::uint64_t);
template std::optional<SharedLengths> share_lengths<std::uint32_t>(const BothStrandsView&,
                                                                   const SortShape&,
                                                                   const BuildOptions&,
                                                                   DeviceLink&);
template std::optional<SharedLengths> share_lengths<std::uint64_t>(const BothStrandsView&,
                                                                   const SortShape&,
                                                                   const BuildOptions&,
                                                                   DeviceLink&);

}  // namespace gsx::cuda

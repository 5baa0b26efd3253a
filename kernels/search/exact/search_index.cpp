#include "kernels/search/exact/search_index.hpp"

#include <utility>

#include "base/bits.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "kernels/base/copies.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/fm/kmer_table.hpp"

namespace gsx::cuda {
namespace {

std::uint64_t kmer_bytes(const FmView& fm, std::uint32_t k) {
  return PackedView::bytes_for(kmer_bound_count(fm.sigma, k), bits_for(fm.rows()));
}

/// The largest k with at most tuning::kmers_per_row k-mers per row, if it is more than the index's.
std::uint32_t best_kmer_length(const FmView& fm) {
  std::uint32_t k = fm.kmers.k;
  if (fm.sigma < 2) return k;
  std::uint64_t kmers = 1;
  for (std::uint32_t i = 0; i < k; ++i)
    kmers *= fm.sigma;
  while (k < tuning::longest_kmer && kmers * fm.sigma <= fm.rows() * tuning::kmers_per_row) {
    kmers *= fm.sigma;
    ++k;
  }
  return k;
}

}  // namespace

DevicePlacement plan_placement(const Index& index, std::uint32_t position_bytes,
                               std::uint64_t available) {
  const FmView fm = index.fm();
  DevicePlacement plan;
  plan.kmer_length = fm.kmers.k;
  plan.bytes = DeviceText::bytes(index.text()) + DeviceFm::bytes(fm) + kmer_bytes(fm, fm.kmers.k);
  // A fifth is left for the batches.
  const std::uint64_t room = available - available / 5;
  const std::uint64_t rows = fm.rows() * position_bytes;
  if (plan.bytes + rows > room) return plan;
  plan.whole_suffix_array = true;
  plan.bytes += rows;
  const std::uint32_t k = best_kmer_length(fm);
  // Half as much again while it is built from the one before.
  const std::uint64_t larger = k > fm.kmers.k ? kmer_bytes(fm, k) : 0;
  if (plan.bytes + larger + larger / 2 > room) return plan;
  plan.kmer_length = k;
  plan.bytes += larger;
  return plan;
}

template <class Pos>
SearchIndex<Pos>::SearchIndex(const Index& index, const DevicePlacement& placement,
                              Transfer& transfer, DeviceStream stream)
    : placement_(placement),
      text_(index.text(), transfer, stream),
      fm_(index.fm(), transfer, stream),
      kmers_(index.fm().kmers) {
  const PackedView bounds = kmers_.bounds;
  kmer_bounds_ = copy_to_device(bounds.bytes, PackedView::bytes_for(bounds.size, bounds.bits),
                                transfer, stream);
  kmers_.bounds.bytes = kmer_bounds_.data();
}

template <class Pos>
void SearchIndex<Pos>::add_kmers(DeviceStream stream) {
  if (!lacks_kmers()) return;
  Stopwatch watch;
  const FmView fm = fm_.view(text_.view().segments);
  KmerView longer = kmers_;
  longer.k = placement_.kmer_length;
  longer.bounds.size = kmer_bound_count(fm.sigma, longer.k);
  DeviceBuffer<std::uint8_t> bounds = kmer_bounds_async(fm, longer.k, stream);
  longer.bounds.bytes = bounds.data();
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  longer_kmers_ = longer;
  longer_bounds_ = std::move(bounds);
  log().debug("k-mer table for k = {} in {:.3f} s", longer.k, watch.lap());
}

template <class Pos>
void SearchIndex<Pos>::add_suffix_array(DeviceStream stream) {
  if (!lacks_suffix_array()) return;
  Stopwatch watch;
  sa_ = expand_suffix_array<Pos>(fm_.view(text_.view().segments), stream);
  log().debug("whole suffix array in {:.3f} s", watch.lap());
}

template <class Pos>
SearchView<Pos> SearchIndex<Pos>::view() const {
  SearchView<Pos> view;
  view.text = text_.view();
  view.fm = fm_.view(view.text.segments);
  view.fm.kmers = longer_bounds_.size() != 0 ? longer_kmers_ : kmers_;
  if (sa_.size() != 0) view.sa = sa_.data();
  return view;
}

template class SearchIndex<std::uint32_t>;
template class SearchIndex<std::uint64_t>;

}  // namespace gsx::cuda

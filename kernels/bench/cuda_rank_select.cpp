#include "kernels/bench/cuda_rank_select.hpp"

#include <algorithm>

#include "kernels/arrays/rank/wavelet_kernels.hpp"
#include "kernels/base/current_device.hpp"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda {

CudaRankSelect::CudaRankSelect(const WaveletMatrixView& bwt, std::shared_ptr<MemoryPool> pool,
                               Transfer& transfer)
    : pool_(std::move(pool)) {
  lanes_.emplace(*pool_);
  const auto lane = lanes_->take();
  bwt_.emplace(bwt, transfer, (*lane).stream());
}

CudaRankSelect::~CudaRankSelect() {
  const CurrentDevice current(pool_->device(), std::nothrow);
  bwt_.reset();
  lanes_.reset();
}

/// Calls work(lane, begin, count) for the pieces of a batch.
template <class Work>
void CudaRankSelect::for_each_piece(std::uint64_t size, const Work& work) const {
  constexpr std::uint64_t piece = tuning::transfer_bytes / sizeof(std::uint64_t);
  const CurrentDevice current(pool_->device());
  const SearchLanes::Guard lane = lanes_->take();
  (*lane).begin(0, tuning::transfer_bytes);
  for (std::uint64_t begin = 0; begin < size; begin += piece)
    work(*lane, begin, std::min(piece, size - begin));
}

void CudaRankSelect::access(std::span<const std::uint64_t> rows, std::uint8_t* codes) const {
  for_each_piece(rows.size(), [&](SearchLane& lane, std::uint64_t begin, std::uint64_t count) {
    DeviceBuffer<std::uint64_t> d_rows(count, lane.stream());
    DeviceBuffer<std::uint8_t> d_codes(count, lane.stream());
    lane.to_device(d_rows.data(), rows.data() + begin, d_rows.bytes());
    access_async(bwt_->view(), d_rows.data(), count, d_codes.data(), lane.stream());
    lane.to_host(codes + begin, d_codes.data(), d_codes.bytes());
  });
}

template <class Launch>
void CudaRankSelect::query(const Launch& launch, std::span<const std::uint8_t> codes,
                           const std::uint64_t* numbers, std::uint64_t* results) const {
  for_each_piece(codes.size(), [&](SearchLane& lane, std::uint64_t begin, std::uint64_t count) {
    DeviceBuffer<std::uint8_t> d_codes(count, lane.stream());
    DeviceBuffer<std::uint64_t> d_numbers(count, lane.stream()), d_results(count, lane.stream());
    lane.to_device(d_codes.data(), codes.data() + begin, d_codes.bytes());
    lane.to_device(d_numbers.data(), numbers + begin, d_numbers.bytes());
    launch(bwt_->view(), d_codes.data(), d_numbers.data(), count, d_results.data(), lane.stream());
    lane.to_host(results + begin, d_results.data(), d_results.bytes());
  });
}

void CudaRankSelect::rank(std::span<const std::uint8_t> codes, const std::uint64_t* rows,
                          std::uint64_t* ranks) const {
  query(rank_async<std::uint64_t>, codes, rows, ranks);
}

void CudaRankSelect::select(std::span<const std::uint8_t> codes, const std::uint64_t* ranks,
                            std::uint64_t* rows) const {
  query(select_async<std::uint64_t>, codes, ranks, rows);
}

}  // namespace gsx::cuda

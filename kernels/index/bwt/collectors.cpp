#include "kernels/index/bwt/collectors.hpp"

#include <algorithm>
#include <utility>

#include "base/bits.hpp"

namespace gsx::cuda {

template <class Pos>
SuffixArrayCollector<Pos>::SuffixArrayCollector(std::uint64_t length, Transfer& transfer,
                                                DeviceStream stream)
    : rows_(length, "suffix array"), copy_(rows_.data(), rows_.bytes(), transfer, stream) {
  copy_.make_pages();
}

template <class Pos>
void SuffixArrayCollector<Pos>::take(const FinishedRows<Pos>& rows) {
  copy_.start(rows_.data() + rows.first_row, rows.d_rows, rows.count * sizeof(Pos));
}

template <class Pos>
void DeviceRowsCollector<Pos>::take(const FinishedRows<Pos>& rows) {
  const std::uint64_t left_out = std::min(rows.count, first_ - std::min(first_, rows.first_row));
  if (left_out == rows.count) return;
  GSX_CUDA_CHECK(cudaMemcpyAsync(d_target_ + (rows.first_row + left_out - first_),
                                 rows.d_rows + left_out, (rows.count - left_out) * sizeof(Pos),
                                 cudaMemcpyDeviceToDevice, stream_));
}

template <class Pos>
BwtCollector<Pos>::BwtCollector(const TextView& d_text, int at_once, Transfer& transfer,
                                DeviceStream stream)
    : text_(d_text),
      stream_(stream),
      codes_(d_text.length(), "BWT"),
      d_codes_(static_cast<std::size_t>(at_once)),
      copy_(codes_.data(), codes_.bytes(), transfer, stream) {
  copy_.make_pages();
}

template <class Pos>
void BwtCollector<Pos>::take(const FinishedRows<Pos>& rows) {
  copy_.wait(d_codes_.size() - 1);
  DeviceBuffer<std::uint8_t>& d_codes = d_codes_[taken_++ % d_codes_.size()];
  if (d_codes.size() < rows.count) {
    d_codes = DeviceBuffer<std::uint8_t>();
    d_codes = DeviceBuffer<std::uint8_t>(rows.count, stream_);
  }
  bwt_codes_async(text_, rows, d_codes.data(), {}, stream_);
  copy_.start(codes_.data() + rows.first_row, d_codes.data(), rows.count);
}

SeparatorRows::SeparatorRows(std::uint64_t count, DeviceStream stream)
    : stream_(stream), rows_(count, stream), positions_(count, stream), count_(1, stream) {
  GSX_CUDA_CHECK(cudaMemsetAsync(count_.data(), 0, count_.bytes(), stream));
}

SeparatorList SeparatorRows::to_fill() {
  return {count_.data(), rows_.data(), positions_.data()};
}

auto SeparatorRows::list() const -> std::vector<Separator> {
  std::vector<std::uint64_t> rows(rows_.size()), positions(rows_.size());
  rows_.copy_to_async(rows.data());
  positions_.copy_to_async(positions.data());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream_));
  std::vector<Separator> separators(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k)
    separators[k] = {rows[k], positions[k]};
  std::sort(separators.begin(), separators.end(),
            [](const Separator& a, const Separator& b) { return a.row < b.row; });
  return separators;
}

template <class Pos>
DeviceBwtCollector<Pos>::DeviceBwtCollector(const TextView& d_text, DeviceStream stream)
    : text_(d_text),
      stream_(stream),
      codes_(d_text.length(), stream),
      separators_(d_text.segments.count, stream) {}

template <class Pos>
void DeviceBwtCollector<Pos>::take(const FinishedRows<Pos>& rows) {
  bwt_codes_async(text_, rows, codes_.data() + rows.first_row, separators_.to_fill(), stream_);
}

template <class Pos>
IndexCollector<Pos>::IndexCollector(const TextView& d_text, std::uint32_t sample_rate,
                                    DeviceStream stream)
    : text_(d_text),
      stream_(stream),
      sampling_(sample_rate),
      separators_(d_text.segments.count, stream),
      samples_(sampling_.count(d_text.length()), stream) {
  if (is_packed(text_)) {
    digits_.emplace(text_.length(), stream);
  } else {
    codes_ = DeviceBuffer<std::uint8_t>(text_.length(), stream);
  }
}

template <class Pos>
void IndexCollector<Pos>::take(const FinishedRows<Pos>& rows) {
  sample_rows_async(rows, sampling_, samples_.data(), stream_);
  DeviceBuffer<std::uint8_t> batch(digits_ ? rows.count : 0, stream_);
  std::uint8_t* d_codes = digits_ ? batch.data() : codes_.data() + rows.first_row;
  bwt_codes_async(text_, rows, d_codes, separators_.to_fill(), stream_);
  if (digits_) digits_->pack_async(d_codes, rows.count, rows.first_row);
}

template <class Pos>
BuiltWaveletMatrix IndexCollector<Pos>::build_wavelet_matrix(std::span<const std::uint64_t> holes,
                                                             Transfer& transfer) {
  if (!digits_) {
    return cuda::build_wavelet_matrix(std::move(codes_), text_.symbols.bits, holes, transfer,
                                      stream_);
  }
  return finish_wavelet_matrix(digits_->finish_async(separators_.rows()), text_.length(), holes,
                               transfer, stream_);
}

template <class Pos>
bool IndexCollector<Pos>::is_packed(const TextView& text) {
  return WaveletMatrix::level_count(text.symbols.bits) == 1;
}

template <class Pos>
std::uint64_t IndexCollector<Pos>::bytes(const TextView& text, std::uint32_t sample_rate) {
  const std::uint64_t rows = text.length();
  const std::uint64_t bwt = is_packed(text) ? DigitPacker::bytes(rows) : rows;
  return bwt + RowSampling(sample_rate).count(rows) * sizeof(Pos);
}

template <class Pos>
std::uint32_t IndexCollector<Pos>::bytes_per_row_of_batch(const TextView& text) {
  return is_packed(text) ? 1 : 0;
}

template class SuffixArrayCollector<std::uint32_t>;
template class SuffixArrayCollector<std::uint64_t>;
template class DeviceRowsCollector<std::uint32_t>;
template class DeviceRowsCollector<std::uint64_t>;
template class BwtCollector<std::uint32_t>;
template class BwtCollector<std::uint64_t>;
template class DeviceBwtCollector<std::uint32_t>;
template class DeviceBwtCollector<std::uint64_t>;
template class IndexCollector<std::uint32_t>;
template class IndexCollector<std::uint64_t>;

}  // namespace gsx::cuda

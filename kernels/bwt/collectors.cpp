#include "kernels/bwt/collectors.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/bits.hpp"
#include "kernels/bwt/bwt.hpp"
#include "kernels/runtime/current_device.hpp"

namespace gsx::cuda {

BackgroundCopy::~BackgroundCopy() {
  try {
    wait();
  } catch (const std::exception&) {
    // Whoever cared has waited.
  }
}

void BackgroundCopy::start(void* h_target, const void* d_source, std::uint64_t bytes) {
  ready_.record(stream_);
  copy_ = std::async(std::launch::async, [this, h_target, d_source, bytes] {
    const CurrentDevice current(transfer_.device());
    ready_.wait();
    transfer_.to_host(h_target, d_source, bytes);
  });
}

void BackgroundCopy::wait() {
  if (copy_.valid()) copy_.get();
}

template <class Pos>
SuffixArrayCollector<Pos>::SuffixArrayCollector(std::uint64_t length, Transfer& transfer,
                                                DeviceStream stream)
    : rows_(length, "suffix array"), copy_(transfer, stream) {}

template <class Pos>
void SuffixArrayCollector<Pos>::take(const FinishedRows<Pos>& rows) {
  copy_.wait();
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
BwtCollector<Pos>::BwtCollector(const TextView& d_text, Transfer& transfer, DeviceStream stream)
    : text_(d_text), stream_(stream), codes_(d_text.length(), "BWT"), copy_(transfer, stream) {}

template <class Pos>
void BwtCollector<Pos>::take(const FinishedRows<Pos>& rows) {
  copy_.wait();
  if (d_codes_.size() < rows.count) {
    d_codes_ = DeviceBuffer<std::uint8_t>();
    d_codes_ = DeviceBuffer<std::uint8_t>(rows.count, stream_);
  }
  bwt_codes_async(text_, rows, d_codes_.data(), stream_);
  copy_.start(codes_.data() + rows.first_row, d_codes_.data(), rows.count);
}

template <class Pos>
DeviceBwtCollector<Pos>::DeviceBwtCollector(const TextView& d_text, DeviceStream stream)
    : text_(d_text),
      stream_(stream),
      codes_(d_text.length(), stream),
      separator_rows_(d_text.segments.count, stream),
      separator_positions_(d_text.segments.count, stream) {}

template <class Pos>
void DeviceBwtCollector<Pos>::take(const FinishedRows<Pos>& rows) {
  std::uint8_t* d_codes = codes_.data() + rows.first_row;
  bwt_codes_async(text_, rows, d_codes, stream_);
  if (found_ == separator_rows_.size()) return;
  found_ += find_separators(rows, d_codes, separator_rows_.data() + found_,
                            separator_positions_.data() + found_, stream_);
}

template <class Pos>
auto DeviceBwtCollector<Pos>::separators() const -> std::vector<Separator> {
  std::vector<std::uint64_t> rows(separator_rows_.size()), positions(separator_rows_.size());
  separator_rows_.copy_to_async(rows.data());
  separator_positions_.copy_to_async(positions.data());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream_));
  std::vector<Separator> separators(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k)
    separators[k] = {rows[k], positions[k]};
  // Batches that waited for their repeats came last.
  std::sort(separators.begin(), separators.end(),
            [](const Separator& a, const Separator& b) { return a.row < b.row; });
  return separators;
}

template <class Pos>
IndexCollector<Pos>::IndexCollector(const TextView& d_text, std::uint32_t sample_rate,
                                    DeviceStream stream)
    : DeviceBwtCollector<Pos>(d_text, stream),
      sampling_(sample_rate),
      samples_(sampling_.count(d_text.length()), stream) {}

template <class Pos>
void IndexCollector<Pos>::take(const FinishedRows<Pos>& rows) {
  sample_rows_async(rows, sampling_, samples_.data(), this->stream());
  DeviceBwtCollector<Pos>::take(rows);
}

template <class Pos>
std::uint64_t IndexCollector<Pos>::bytes(std::uint64_t length, std::uint32_t sample_rate) {
  return length + RowSampling(sample_rate).count(length) * sizeof(Pos);
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

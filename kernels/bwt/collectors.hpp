// What is made of sorted rows: a suffix array, a BWT, or the parts of an index.
#pragma once

#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "fm/row_sampling.hpp"
#include "kernels/runtime/background_copy.hpp"
#include "kernels/runtime/device_buffer.hpp"
#include "kernels/sa/suffix_sorter.hpp"

namespace gsx::cuda {

/// Brings the suffix array to the host.
template <class Pos>
class SuffixArrayCollector final : public RowConsumer<Pos> {
 public:
  SuffixArrayCollector(std::uint64_t length, Transfer& transfer, DeviceStream stream);
  void take(const FinishedRows<Pos>& rows) override;
  void wait(std::uint64_t open) override { copy_.wait(open); }
  Buffer<Pos> result() { return std::move(rows_); }

 private:
  Buffer<Pos> rows_;
  BackgroundCopy copy_;
};

/// Copies the suffix array to where the caller wants it on the device, without its first rows.
template <class Pos>
class DeviceRowsCollector final : public RowConsumer<Pos> {
 public:
  /// Row `first` goes to d_target[0].
  DeviceRowsCollector(Pos* d_target, std::uint64_t first, cudaStream_t stream)
      : d_target_(d_target), first_(first), stream_(stream) {}
  void take(const FinishedRows<Pos>& rows) override;
  void wait(std::uint64_t) override {}

 private:
  Pos* d_target_;
  std::uint64_t first_;
  cudaStream_t stream_;
};

/// Brings the BWT to the host, one byte per row.
template <class Pos>
class BwtCollector final : public RowConsumer<Pos> {
 public:
  /// Cost: a byte of device memory for each row of the `at_once` largest batches, whose codes may
  /// be on their way at the same time.
  BwtCollector(const TextView& d_text, int at_once, Transfer& transfer, DeviceStream stream);
  void take(const FinishedRows<Pos>& rows) override;
  bool wants_codes() const override { return true; }
  void wait(std::uint64_t open) override { copy_.wait(open); }
  Buffer<std::uint8_t> result() { return std::move(codes_); }

  static constexpr std::uint32_t bytes_per_row_of_batch = 1;

 private:
  TextView text_;
  DeviceStream stream_;
  Buffer<std::uint8_t> codes_;
  std::vector<DeviceBuffer<std::uint8_t>> d_codes_;
  std::size_t taken_ = 0;
  BackgroundCopy copy_;
};

/// Keeps the BWT on the device, and notes the separators' rows.
template <class Pos>
class DeviceBwtCollector : public RowConsumer<Pos> {
 public:
  DeviceBwtCollector(const TextView& d_text, DeviceStream stream);
  void take(const FinishedRows<Pos>& rows) override;
  bool wants_codes() const override { return true; }
  void wait(std::uint64_t) override {}

  /// One code per row, 0xFF for a separator.
  DeviceBuffer<std::uint8_t>& codes() { return codes_; }
  /// A row whose BWT symbol is a separator, and its text position.
  struct Separator {
    std::uint64_t row;
    std::uint64_t position;
  };
  /// All of them, by row. Waits.
  std::vector<Separator> separators() const;

 protected:
  DeviceStream stream() const { return stream_; }

 private:
  TextView text_;
  DeviceStream stream_;
  DeviceBuffer<std::uint8_t> codes_;
  DeviceBuffer<std::uint64_t> separator_rows_;
  DeviceBuffer<std::uint64_t> separator_positions_;
  std::uint64_t found_ = 0;
};

/// Keeps the suffix array's samples beside the BWT.
template <class Pos>
class IndexCollector final : public DeviceBwtCollector<Pos> {
 public:
  IndexCollector(const TextView& d_text, std::uint32_t sample_rate, DeviceStream stream);
  void take(const FinishedRows<Pos>& rows) override;

  DeviceBuffer<Pos>& samples() { return samples_; }

  /// Device bytes of the result.
  static std::uint64_t bytes(std::uint64_t length, std::uint32_t sample_rate);

 private:
  RowSampling sampling_;
  DeviceBuffer<Pos> samples_;
};

}  // namespace gsx::cuda

// What is made of sorted rows: a suffix array, a BWT, or the parts of an index.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/buffer.hpp"
#include "index/fm/row_sampling.hpp"
#include "kernels/arrays/rank/rank_blocks.hpp"
#include "kernels/arrays/rank/wavelet_levels.hpp"
#include "kernels/base/background_copy.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/index/bwt/bwt.hpp"
#include "kernels/index/sa/suffix_sorter.hpp"

namespace gsx::cuda {

/// Brings the suffix array to the host.
template <class Pos>
class SuffixArrayCollector final : public RowConsumer<Pos> {
 public:
  SuffixArrayCollector(std::uint64_t length, Transfer& transfer, DeviceStream stream);
  void take(const FinishedRows<Pos>& rows) override;
  void wait(std::uint64_t open) override { open == 0 ? copy_.end() : copy_.wait(open); }
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
  bool wants_order() const override { return false; }
  void wait(std::uint64_t open) override { open == 0 ? copy_.end() : copy_.wait(open); }
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

/// The rows whose BWT symbol is a separator.
class SeparatorRows {
 public:
  SeparatorRows(std::uint64_t count, DeviceStream stream);
  /// To be filled on the stream.
  SeparatorList to_fill();

  /// Such a row, and its text position.
  struct Separator {
    std::uint64_t row;
    std::uint64_t position;
  };
  /// All of them, by row. Waits.
  std::vector<Separator> list() const;
  /// The rows alone, in any order. Pre: all have been found.
  const DeviceBuffer<std::uint64_t>& rows() const { return rows_; }

 private:
  DeviceStream stream_;
  DeviceBuffer<std::uint64_t> rows_;
  DeviceBuffer<std::uint64_t> positions_;
  DeviceBuffer<unsigned long long> count_;
};

/// Keeps the BWT on the device, and notes the separators' rows.
template <class Pos>
class DeviceBwtCollector final : public RowConsumer<Pos> {
 public:
  DeviceBwtCollector(const TextView& d_text, DeviceStream stream);
  void take(const FinishedRows<Pos>& rows) override;
  bool wants_codes() const override { return true; }
  void wait(std::uint64_t) override {}

  /// One code per row, 0xFF for a separator.
  DeviceBuffer<std::uint8_t>& codes() { return codes_; }
  std::vector<SeparatorRows::Separator> separators() const { return separators_.list(); }

 private:
  TextView text_;
  DeviceStream stream_;
  DeviceBuffer<std::uint8_t> codes_;
  SeparatorRows separators_;
};

/// Keeps the BWT as a wavelet matrix needs it, and the suffix array's samples, on the device.
template <class Pos>
class IndexCollector final : public RowConsumer<Pos> {
 public:
  IndexCollector(const TextView& d_text, std::uint32_t sample_rate, DeviceStream stream);
  void take(const FinishedRows<Pos>& rows) override;
  bool wants_codes() const override { return true; }
  void wait(std::uint64_t) override {}

  /// To be called once, at the end. `holes` are the rows of the separators, ascending.
  BuiltWaveletMatrix build_wavelet_matrix(std::span<const std::uint64_t> holes, Transfer& transfer);
  std::vector<SeparatorRows::Separator> separators() const { return separators_.list(); }
  DeviceBuffer<Pos>& samples() { return samples_; }

  /// Device bytes of the result of a text like this one, and for each row of a batch beside it.
  static std::uint64_t bytes(const TextView& text, std::uint32_t sample_rate);
  static std::uint32_t bytes_per_row_of_batch(const TextView& text);

 private:
  /// Codes of up to two bits make one level of digits, which takes a third of a byte per row.
  static bool is_packed(const TextView& text);

  TextView text_;
  DeviceStream stream_;
  RowSampling sampling_;
  std::optional<DigitPacker> digits_;
  DeviceBuffer<std::uint8_t> codes_;  ///< where they are not packed
  SeparatorRows separators_;
  DeviceBuffer<Pos> samples_;
};

}  // namespace gsx::cuda

#include "index/fm/block_index.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "arrays/packing/stream_codec.hpp"
#include "base/bits.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/resources.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t symbols_per_task = std::uint64_t{1} << 16;
static_assert(symbols_per_task % PackedArray::slice_unit == 0);

/// Writes value i of a packed array whose bytes it may share with other values. Pre: the value is
/// 0.
void add_value(PackedArray& array, std::uint64_t i, std::uint64_t value) {
  const std::uint32_t bits = array.bits();
  for (std::uint32_t k = 0; k < bits; ++k) {
    const std::uint64_t bit = i * bits + k;
    const std::uint64_t set = value >> (bits - 1 - k) & 1;
    array.data()[bit / 8] |= static_cast<std::uint8_t>(set << (7 - bit % 8));
  }
}

/// Writes values [begin, end) on several threads: fill(first, last, out) writes those of [first,
/// last) to out[0 ..]. The values before `begin` are already written; those from `begin` on are
/// still 0.
template <class Value, class Fill>
void pack_range(PackedArray& array, std::uint64_t begin, std::uint64_t end, int threads,
                const Fill& fill) {
  const std::uint64_t first_task = begin / symbols_per_task;
  const std::uint64_t tasks = divide_up(end, symbols_per_task) - std::min(first_task, end);
  if (begin >= end) return;
  parallel_for(threads, tasks, [&](std::uint64_t t, int) {
    const std::uint64_t task = first_task + t;
    const std::uint64_t first = std::max(begin, task * symbols_per_task);
    const std::uint64_t last = std::min(end, (task + 1) * symbols_per_task);
    std::vector<Value> values(last - first);
    fill(first, last, values.data());
    // Only the first task may share a byte with values that are already written.
    std::uint64_t i = first;
    for (; i < last && i % PackedArray::slice_unit != 0; ++i)
      add_value(array, i, values[i - first]);
    pack_stream(values.data() + (i - first), last - i, array.bits(),
                array.data() + i * array.bits() / 8);
  });
}

class BlockIndex {
 public:
  BlockIndex(const TextView& text, const FmOptions& options, int threads)
      : text_(text),
        options_(options),
        threads_(threads),
        bwt_(text.length(), text.symbols.bits, "packed BWT"),
        samples_(RowSampling(options.sample_rate).count(text.length()), bits_for(text.length()),
                 "suffix array samples") {}

  /// Takes the next rows.
  void take(const SuffixArray& rows) {
    rows.visit([&](const auto* entries) { take(entries, rows.size()); });
  }

  FmIndex finish() {
    FmSource source;
    source.bwt = wavelet();
    source.samples = std::move(samples_);
    for (const Separator& separator : separators_)
      source.separator_positions.push_back(separator.position);
    return {text_, std::move(source), options_, threads_};
  }

 private:
  /// A row whose BWT symbol is a separator.
  struct Separator {
    std::uint64_t row;
    std::uint64_t position;
  };

  template <class Pos>
  void take(const Pos* rows, std::uint64_t size) {
    const std::uint64_t begin = rows_taken_, end = begin + size;
    const std::uint64_t tasks = divide_up(end, symbols_per_task);
    std::vector<std::vector<Separator>> found(tasks - begin / symbols_per_task);
    pack_range<std::uint8_t>(bwt_, begin, end, threads_,
                             [&](std::uint64_t first, std::uint64_t last, std::uint8_t* codes) {
                               bwt_codes(text_, rows + (first - begin), last - first, codes);
                               auto& here =
                                   found[first / symbols_per_task - begin / symbols_per_task];
                               for (std::uint64_t row = first; row < last; ++row) {
                                 if (codes[row - first] != Bwt::separator) continue;
                                 here.push_back({row, rows[row - begin]});
                                 codes[row - first] = 0;
                               }
                             });
    for (const auto& some : found)
      separators_.insert(separators_.end(), some.begin(), some.end());
    const RowSampling sampling(options_.sample_rate);
    pack_range<std::uint64_t>(samples_, sampling.count(begin), sampling.count(end), threads_,
                              [&](std::uint64_t first, std::uint64_t last, std::uint64_t* values) {
                                for (std::uint64_t i = first; i < last; ++i)
                                  values[i - first] = rows[sampling.row(i) - begin];
                              });
    rows_taken_ = end;
  }

  WaveletMatrix wavelet() {
    const std::uint64_t n = text_.length();
    const std::uint32_t bits = text_.symbols.bits;
    const auto codes_at = [this](std::uint64_t begin, std::uint64_t end, std::uint8_t* out) {
      unpack(begin, end, out);
    };
    if (WaveletMatrix::level_count(bits) == 1) {
      WaveletMatrix levels(n, bits, codes_at, threads_);
      bwt_ = {};
      return levels;
    }
    Buffer<std::uint8_t> codes(n, "symbols of the BWT");
    parallel_for(threads_, divide_up(n, symbols_per_task), [&](std::uint64_t task, int) {
      const std::uint64_t begin = task * symbols_per_task;
      unpack(begin, std::min(n, begin + symbols_per_task), codes.data() + begin);
    });
    bwt_ = {};
    return {std::move(codes), bits, threads_};
  }

  void unpack(std::uint64_t begin, std::uint64_t end, std::uint8_t* out) const {
    const PackedView bwt = bwt_.view();
    for (std::uint64_t row = begin; row < end; ++row)
      out[row - begin] = static_cast<std::uint8_t>(bwt[row]);
    auto separator =
        std::lower_bound(separators_.begin(), separators_.end(), begin,
                         [](const Separator& some, std::uint64_t row) { return some.row < row; });
    for (; separator != separators_.end() && separator->row < end; ++separator)
      out[separator->row - begin] = Bwt::separator;
  }

  TextView text_;
  FmOptions options_;
  int threads_;
  PackedArray bwt_;  ///< 0 for separators
  PackedArray samples_;
  std::vector<Separator> separators_;  ///< by row
  std::uint64_t rows_taken_ = 0;
};

}  // namespace

FmIndex build_index_in_blocks(const TextView& text, const FmOptions& options,
                              const BlockRows& block_rows, int threads, PositionWidth width,
                              const ProgressReport& progress) {
  Stopwatch watch;
  BlockIndex index(text, options, threads);
  build_suffix_blocks(
      text, block_rows, threads, width, [&](const SuffixArray& rows) { index.take(rows); },
      progress);
  log().debug("suffix array built in blocks in {:.3f} s", watch.lap());
  FmIndex built = index.finish();
  log().debug("FM-index built in {:.3f} s", watch.lap());
  return built;
}

}  // namespace gsx

// gsx on a GPU: arrays in device memory, in and out, and an index for the caller's own kernels.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "base/export.hpp"
#include "gsx/index.hpp"
#include "index/fm/fm_view.hpp"
#include "kernels/base/device_memory.cuh"
#include "search/exact/hits.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// The suffix array of `size` bytes in device memory, as suffix_array (gsx/suffix_array.hpp) has
/// it, to d_rows, [size] in device memory. Waits for the stream. Throws UsageError for more than
/// 255 different byte values, and for 2^32 - 1 bytes or more where entries have 32 bits;
/// ResourceError, DeviceError. Cost: kernels/README.md has device memory by stage.
GSX_API void suffix_array(const std::uint8_t* d_bytes, std::uint64_t size, std::uint32_t* d_rows,
                          cudaStream_t stream, const DeviceMemory& memory = {});
GSX_API void suffix_array(const std::uint8_t* d_bytes, std::uint64_t size, std::uint64_t* d_rows,
                          cudaStream_t stream, const DeviceMemory& memory = {});

/// The Burrows-Wheeler transform of `size` bytes, as BytesBwt has it, to d_bwt, [size]; returns the
/// primary row. Waits for the stream. Throws what suffix_array throws.
GSX_API std::uint64_t bwt(const std::uint8_t* d_bytes, std::uint64_t size, std::uint8_t* d_bwt,
                          cudaStream_t stream, const DeviceMemory& memory = {});

/// The `size` bytes whose transform has the bytes d_bwt and the primary row `primary`, to d_bytes,
/// [size], which does not overlap d_bwt. Waits for the stream. Throws InputError if no bytes have
/// it, UsageError for 256 different byte values, ResourceError, DeviceError. Cost: one random
/// sector per byte; 1.4 bytes of device memory per byte for at most four different ones, else 6 (11
/// from 2^32 on); below 140 million bytes up to 2 and 5 more, so that the whole device has work.
GSX_API void inverse_bwt(const std::uint8_t* d_bwt, std::uint64_t size, std::uint64_t primary,
                         std::uint8_t* d_bytes, cudaStream_t stream,
                         const DeviceMemory& memory = {});

/// The LCP array of `size` bytes and their suffix array, both in device memory, to d_lcp, [size]:
/// entry i is what the suffixes d_rows[i - 1] and d_rows[i] have in common; entry 0 is 0. Waits for
/// the stream. Throws UsageError for more than 255 different byte values, ResourceError,
/// DeviceError. Pre: d_rows is that suffix array. Cost: two random lines of memory per entry, and
/// as many loads for each further 29 bases, or 7 letters, up to 256; few for what is longer, even
/// in a text of one letter. Memory: the packed text, and 16 or 32 bytes for each entry above 255.
GSX_API void lcp_array(const std::uint8_t* d_bytes, std::uint64_t size, const std::uint32_t* d_rows,
                       std::uint32_t* d_lcp, cudaStream_t stream, const DeviceMemory& memory = {});
GSX_API void lcp_array(const std::uint8_t* d_bytes, std::uint64_t size, const std::uint64_t* d_rows,
                       std::uint64_t* d_lcp, cudaStream_t stream, const DeviceMemory& memory = {});

/// The inverse of a suffix array: d_inverse[d_rows[i]] = i. Both are [size] and do not overlap.
/// Pre: d_rows is a permutation of 0 .. size - 1. Asynchronous. Cost: `size` scattered writes.
/// Throws DeviceError.
GSX_API void inverse_suffix_array(const std::uint32_t* d_rows, std::uint64_t size,
                                  std::uint32_t* d_inverse, cudaStream_t stream);
GSX_API void inverse_suffix_array(const std::uint64_t* d_rows, std::uint64_t size,
                                  std::uint64_t* d_inverse, cudaStream_t stream);

/// An array in device memory, freed in the order of the stream that made it. Moves only.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  DeviceArray(std::shared_ptr<void> owner, T* data, std::size_t size)
      : owner_(std::move(owner)), data_(data), size_(size) {}
  DeviceArray(DeviceArray&& other) noexcept { *this = std::move(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    owner_ = std::move(other.owner_);
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::shared_ptr<void> owner_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// An index in device memory, to be passed to kernels by value. Valid while its DeviceIndex lives:
/// wait for the kernels that use it before that goes.
/// Pos is std::uint32_t, which is faster, for an index of less than 2^32 rows, or std::uint64_t.
struct DeviceIndexView {
  FmView fm;
  TextView text;
  const std::uint8_t* codes = nullptr;         ///< [256] code of each letter
  const std::uint32_t* narrow_rows = nullptr;  ///< the whole suffix array, or null
  const std::uint64_t* wide_rows = nullptr;    ///< the same of 2^32 rows and more

  /// Code of a letter of a pattern; one that is not below fm.sigma matches nothing.
  GSX_HD std::uint32_t code(char letter) const { return codes[static_cast<unsigned char>(letter)]; }
  /// All rows: those of the empty pattern, separators' included.
  template <class Pos = std::uint64_t>
  GSX_HD Interval<Pos> all() const {
    return fm.all<Pos>();
  }
  /// How often a code occurs in BWT rows [0, row). Pre: code < fm.sigma, row <= fm.rows().
  /// Cost: one sector per level of the wavelet matrix.
  template <class Pos>
  GSX_HD Pos rank(std::uint32_t code, Pos row) const {
    return fm.bwt.rank(code, row);
  }
  /// From the rows of the suffixes that start with w to those that start with `code` w: one step of
  /// backward search. Cost: two ranks.
  template <class Pos>
  GSX_HD Interval<Pos> extend(Interval<Pos> rows, std::uint32_t code) const {
    return code < fm.sigma && rows.begin < rows.end ? fm.extend(rows, code) : Interval<Pos>{0, 0};
  }
  /// Rows of the suffixes that start with a pattern. Cost: one access to the k-mer table, and an
  /// extension for each letter before the last k.
  template <class Pos = std::uint64_t>
  GSX_HD Interval<Pos> search(const char* letters, std::uint64_t length) const {
    return length == 0 ? Interval<Pos>{0, 0}
                       : fm.search<Pos>([&](std::uint64_t i) { return code(letters[i]); }, length);
  }
  /// Text position of the suffix in `row`. Pre: row < fm.rows(). Cost: one read where the whole
  /// suffix array is on the device, else about sample_rate steps.
  template <class Pos>
  GSX_HD std::uint64_t locate(Pos row) const {
    if (narrow_rows != nullptr) return narrow_rows[row];
    if (wide_rows != nullptr) return wide_rows[row];
    return fm.locate(row);
  }
};
static_assert(std::is_trivially_copyable_v<DeviceIndexView>);

/// Patterns in device memory: pattern i is letters[ends[i - 1], ends[i]), the first one from 0 on.
struct DevicePatterns {
  const char* letters = nullptr;        ///< [size]
  const std::uint64_t* ends = nullptr;  ///< [count], ascending
  std::uint64_t size = 0;               ///< letters of all patterns
  std::uint64_t count = 0;
};

/// What a search found, in device memory.
struct DeviceHits {
  DeviceArray<StrandCounts> counts;  ///< all occurrences of each pattern
  DeviceArray<std::uint64_t> ends;   ///< of each pattern's hits in `hits`
  DeviceArray<Hit> hits;             ///< those reported, each pattern's in output order
};

struct DeviceIndexOptions {
  DeviceMemory memory = {};
  int threads = 0;  ///< that copy; 0: as many as this process may run
  /// Whether to keep the whole suffix array, if half of the free memory is enough for the index
  /// with it: 4 or 8 bytes per row, for which a hit is located by one read. A longer k-mer table
  /// follows where there is room for that too.
  bool whole_suffix_array = true;
};

/// An index on the current device: the FM-index, the text, and what speeds up searches where there
/// is room. Refers to nothing of the Index. Several threads may call.
class GSX_API DeviceIndex {
 public:
  /// Throws ResourceError when the index does not fit, CorruptIndexError, DeviceError.
  explicit DeviceIndex(const Index& index, const DeviceIndexOptions& options = {});
  DeviceIndex(DeviceIndex&&) noexcept;
  DeviceIndex& operator=(DeviceIndex&&) noexcept;
  ~DeviceIndex();

  DeviceIndexView view() const;
  /// Bytes of device memory that it takes.
  std::uint64_t bytes() const;

  /// d_counts[i], [patterns.count]: how often pattern i occurs. As BatchSearcher::count.
  /// Asynchronous: patterns and d_counts are used until the stream has done the work. An index that
  /// goes before waits for it. Throws UsageError for 2^31 patterns or more and for
  /// the reverse strand alone of an alphabet without complement, ResourceError, DeviceError.
  void count(const DevicePatterns& patterns, StrandCounts* d_counts, cudaStream_t stream,
             Strands strands = Strands::both) const;

  /// The hits of all patterns. Waits for the stream. Throws what count throws, and
  /// CorruptIndexError. Cost: 8 bytes per hit, twice where a pattern has many.
  DeviceHits locate(const DevicePatterns& patterns, const LocateRequest& request,
                    cudaStream_t stream) const;

  /// Waits for the stream; throws CorruptIndexError when a search has found that the index leads
  /// outside itself, so that its counts are wrong. Only an index that was forged does.
  void check(cudaStream_t stream) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gsx

#include <algorithm>
#include <cmath>
#include <cub/device/device_scan.cuh>

#include "base/bits.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/text/text_batches.hpp"
#include "kernels/text/text_scan.hpp"

namespace gsx::cuda {
namespace {

using tuning::prefix_bits;
using tuning::tile_positions;

/// Leading bits by which most suffixes of a text are told apart, as far as the entropy of their
/// prefixes tells: enough for `spare` times as many as there are.
std::uint32_t telling_bits(const std::vector<unsigned long long>& counts, std::uint64_t total) {
  if (total == 0) return 0;
  double entropy = 0;
  for (const unsigned long long count : counts) {
    const double share = static_cast<double>(count) / static_cast<double>(total);
    if (count != 0) entropy -= share * std::log2(share);
  }
  const double wanted = std::log2(static_cast<double>(total)) + tuning::spare_key_bits;
  const double per_bit = std::max(entropy, 0.1) / prefix_bits;
  return static_cast<std::uint32_t>(std::min(64.0, std::ceil(wanted / per_bit)));
}

/// Keys of the batch with prefixes [first, last): at least the first `wanted` bits, in whole digits
/// of the radix sort, as far as `key_bits` can hold them and they are valid.
BatchKeys keys_between(std::uint32_t first, std::uint32_t last, std::uint32_t wanted,
                       std::uint32_t key_bits, std::uint32_t valid_bits) {
  const std::uint32_t range_bits = bits_for(last - first - 1);
  const std::uint32_t known = prefix_bits - range_bits;  // the same for all suffixes of the batch
  const auto digits = static_cast<std::uint32_t>(
      divide_up(std::max(wanted, prefix_bits) - known, tuning::digit_bits));
  BatchKeys keys;
  keys.bits = std::min(valid_bits, known + std::min(key_bits, digits * tuning::digit_bits));
  keys.begin = std::uint64_t{first} << (keys.bits - prefix_bits);
  keys.end = std::uint64_t{last} << (keys.bits - prefix_bits);
  return keys;
}

}  // namespace

template <class Key>
template <class Scan>
std::vector<unsigned long long> TextBatches<Key>::count_prefixes(const Scan& scan,
                                                                 DeviceStream stream) const {
  DeviceBuffer<unsigned long long> d_counts(prefixes, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(d_counts.data(), 0, d_counts.bytes(), stream));
  count_prefixes_async(scan, d_counts.data(), stream);
  std::vector<unsigned long long> counts(prefixes);
  d_counts.copy_to_async(counts.data());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  return counts;
}

template <class Key>
std::vector<std::uint8_t> TextBatches<Key>::cut(const std::vector<unsigned long long>& counts,
                                                std::uint64_t limit) {
  const std::uint64_t total = text_.length() - text_.segments.count;
  // Fewer, larger batches than asked for rather than more than can be numbered.
  limit = std::max(limit, 2 * total / tuning::max_batches + 1);
  constexpr std::uint32_t key_bits = 8 * sizeof(Key) - carried_bits_of<Key>;
  // A load that begins one symbol early is sure to give these bits only.
  const std::uint32_t valid_bits =
      code_ ? 62 : LeadingBits{text_}.valid() - (sizeof(Key) == 4 ? text_.symbols.bits : 0);
  // Texts whose words are short repeat themselves in ways that prefixes do not tell.
  const std::uint32_t wanted = sizeof(Key) == 4 || code_ ? 64 : telling_bits(counts, total);
  std::vector<std::uint8_t> batch_of(prefixes);
  // Cut where the batches come out even, the last one too.
  const std::uint64_t even = total / std::max<std::uint64_t>(1, divide_up(total, limit));
  std::uint32_t first = 0;
  std::uint64_t size = 0, done = 0;
  for (std::uint32_t prefix = 0; prefix <= prefixes; ++prefix) {
    const bool end = prefix == prefixes;
    if (size == 0) first = prefix;
    const bool full = !end && (done + counts[prefix] / 2 >= (count() + 1) * even ||
                               size + counts[prefix] > limit + limit / 16);
    if (size > 0 && (end || full) && (end || count() + 1 < tuning::max_batches)) {
      bases_.push_back(done - size);
      sizes_.push_back(size);
      keys_.push_back(keys_between(first, prefix, wanted, key_bits, valid_bits));
      first = prefix;
      size = 0;
    }
    if (end) break;
    size += counts[prefix];
    done += counts[prefix];
    batch_of[prefix] = static_cast<std::uint8_t>(count());
  }
  return batch_of;
}

template <class Key>
TextBatches<Key>::TextBatches(const TextView& d_text, std::uint64_t limit, Keying keying,
                              DeviceStream stream)
    : text_(d_text) {
  if (sizeof(Key) == 8 && keying != Keying::packed) {
    code_.emplace(text_, stream);
    const double much_shorter = tuning::short_words * text_.symbols.bits;
    if (keying == Keying::shorter && code_->mean_bits() > much_shorter) code_.reset();
  }
  const auto lay_out = [&](const auto& scan) {
    const std::vector<std::uint8_t> batch_of = cut(count_prefixes(scan, stream), limit);
    if (count() == 0) return;
    offsets_ =
        DeviceBuffer<std::uint64_t>(divide_up(text_.length(), tile_positions) * count(), stream);
    DeviceBuffer<std::uint8_t> d_batch_of(prefixes, stream);
    d_batch_of.copy_from_async(batch_of.data());
    count_suffixes_async(scan, d_batch_of.data(), count(), offsets_.data(), stream);
    run_cub_async(
        [&](void* workspace, std::size_t& bytes) {
          return cub::DeviceScan::ExclusiveSum(workspace, bytes, offsets_.data(), offsets_.data(),
                                               offsets_.size(), stream);
        },
        stream);
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream));  // the copied table lives here
  };
  if (code_) {
    lay_out(CodedScan{text_, code_->view()});
  } else {
    lay_out(PackedScan{text_});
  }
}

template <class Key>
std::uint32_t TextBatches<Key>::key_bits(std::uint32_t batch) const {
  return bits_for(keys_[batch].end - keys_[batch].begin - 1) + carried_bits_of<Key>;
}

template <class Key>
template <class Pos>
void TextBatches<Key>::collect_async(std::uint32_t batch, Key* d_keys, Pos* d_positions,
                                     cudaStream_t stream) const {
  const std::uint64_t* d_offsets =
      offsets_.data() + batch * divide_up(text_.length(), tile_positions);
  if constexpr (sizeof(Key) == 8) {
    if (code_) {
      return collect_suffixes_async(CodedScan{text_, code_->view()}, keys_[batch], d_offsets,
                                    bases_[batch], d_keys, d_positions, stream);
    }
  }
  collect_suffixes_async(PackedScan{text_}, keys_[batch], d_offsets, bases_[batch], d_keys,
                         d_positions, stream);
}

template class TextBatches<std::uint32_t>;
template class TextBatches<std::uint64_t>;
template void TextBatches<std::uint32_t>::collect_async(std::uint32_t, std::uint32_t*,
                                                        std::uint32_t*, cudaStream_t) const;
template void TextBatches<std::uint32_t>::collect_async(std::uint32_t, std::uint32_t*,
                                                        std::uint64_t*, cudaStream_t) const;
template void TextBatches<std::uint64_t>::collect_async(std::uint32_t, std::uint64_t*,
                                                        std::uint32_t*, cudaStream_t) const;
template void TextBatches<std::uint64_t>::collect_async(std::uint32_t, std::uint64_t*,
                                                        std::uint64_t*, cudaStream_t) const;

}  // namespace gsx::cuda

#include "kernels/search/matches/query_symbols.hpp"

#include <cstring>

#include "base/base_packing.hpp"
#include "kernels/search/exact/packed_patterns.hpp"

namespace gsx::cuda {

void QuerySymbols::add_sent(Layout& layout) {
  const std::uint64_t size = codes_.size();
  symbols_ = layout.add<std::uint8_t>(packed_ ? packed_bases_bytes(size) + PackedView::slack
                                              : size + PackedPatterns::readable);
  if (packed_) return;
  end_ = layout.add<std::uint64_t>(1);
  foreign_ = layout.add<std::uint8_t>(1);
}

void QuerySymbols::add_kept(Layout& layout) {
  words_ = layout.add<std::uint32_t>(packed_ ? 0 : packed_words(codes_.size(), bits_));
}

void QuerySymbols::write(const SearchLane& lane) const {
  std::uint8_t* const host = lane.host();
  const std::uint64_t size = codes_.size();
  if (packed_) {
    pack_bases(codes_, host + symbols_, [](std::size_t) {});
    std::memset(host + symbols_ + packed_bases_bytes(size), 0, PackedView::slack);
    return;
  }
  if (size != 0) std::memcpy(host + symbols_, codes_.data(), size);
  std::memset(host + symbols_ + size, 0, PackedPatterns::readable);
  std::memcpy(host + end_, &size, sizeof size);
  host[foreign_] = 0;
}

PackedView QuerySymbols::pack(SearchLane& lane) const {
  std::uint8_t* const device = lane.device();
  const std::uint64_t size = codes_.size();
  if (packed_) return {device + symbols_, size, bits_};
  auto* const d_words = reinterpret_cast<std::uint32_t*>(device + words_);
  pack_async(device + symbols_, size, bits_, sigma_,
             reinterpret_cast<const std::uint64_t*>(device + end_), 1, d_words, device + foreign_,
             lane.stream());
  return {reinterpret_cast<const std::uint8_t*>(d_words), size, bits_};
}

}  // namespace gsx::cuda

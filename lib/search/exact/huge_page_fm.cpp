#include "search/exact/huge_page_fm.hpp"

#include <cstring>

#include "arrays/rank/quad_vector.hpp"
#include "base/error.hpp"

namespace gsx {
namespace {

/// Searching a symbol is some 10 ns faster on huge pages, and copying a symbol of the index takes
/// about 0.1 ns.
constexpr std::uint64_t symbols_per_search = 64;

template <class T>
const T* copy_array(const T* from, std::uint64_t count, std::vector<Buffer<T>>& copies) {
  Buffer<T> copy(count, "ranks on huge pages");
  std::memcpy(copy.data(), from, copy.bytes());
  copies.push_back(std::move(copy));
  return copies.back().data();
}

}  // namespace

HugePageFm::HugePageFm(const FmView& mapped, std::uint64_t most_bytes, std::uint64_t least_bytes)
    : mapped_(mapped), on_huge_pages_(mapped) {
  const std::uint64_t bytes =
      mapped.bwt.level_count * QuadVector::block_count(mapped.rows()) * sizeof(QuadBlock);
  if (bytes >= least_bytes && bytes <= most_bytes) worth_ = 1 + mapped.rows() / symbols_per_search;
}

FmView HugePageFm::view(std::uint64_t symbols) const {
  if (is_copied()) return on_huge_pages_;
  if (worth_ == 0) return mapped_;
  // Only the call that passes the threshold copies. Others meanwhile use the mapped blocks.
  const std::uint64_t before = searched_.fetch_add(symbols, std::memory_order_relaxed);
  if (before >= worth_ || before + symbols < worth_) return mapped_;
  copy();
  return is_copied() ? on_huge_pages_ : mapped_;
}

void HugePageFm::copy() const {
  try {
    for (std::uint32_t k = 0; k < mapped_.bwt.level_count; ++k) {
      QuadView& level = on_huge_pages_.bwt.levels[k];
      level.blocks = copy_array(level.blocks, QuadVector::block_count(level.size), blocks_);
      level.superblocks =
          copy_array(level.superblocks, QuadVector::superblock_count(level.size), superblocks_);
    }
    copied_.store(true, std::memory_order_release);
  } catch (const ResourceError&) {
    blocks_.clear();  // keep using the mapped blocks, which are only slower
    superblocks_.clear();
  }
}

}  // namespace gsx

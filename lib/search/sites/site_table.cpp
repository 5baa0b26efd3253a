#include "search/sites/site_table.hpp"

#include <algorithm>
#include <cstring>

#include "base/parallel.hpp"

namespace gsx {
namespace {

/// A site on its way to its bucket.
struct Entry {
  std::uint32_t bucket;
  std::uint32_t rest;
  std::uint32_t place;
};

/// Bits of a bucket's number by which sites are parted before each part is sorted: so few parts
/// that all of them are written at once, and so many that each fits the cache.
constexpr std::uint32_t parting_bits = 10;

constexpr std::uint64_t slice_places = std::uint64_t{1} << 18;

constexpr const char* purpose = "the table of PAM sites";

}  // namespace

/// Sites in text order.
struct SiteTable::Unsorted {
  Buffer<std::uint64_t> keys;
  Buffer<std::uint32_t> places;
};

std::uint32_t SiteTable::half_bases(std::uint64_t sites, std::uint32_t guide) {
  const std::uint32_t most = std::min(most_half, guide / 2);
  // The other bases must fit 32 bits.
  std::uint32_t half = guide > 16 ? guide - 16 : 1;
  while (half < most && std::uint64_t{1} << (2 * half) < sites)
    ++half;
  return half;
}

std::uint64_t SiteTable::bytes_to_build(std::uint64_t sites, std::uint32_t guide) {
  const std::uint64_t buckets = std::uint64_t{1} << (2 * half_bases(sites, guide));
  return sites * 40 + buckets * 8 + (std::uint64_t{1} << 20);
}

std::vector<SitePart> count_sites(const TextView& text, const SiteShape& shape, int threads) {
  std::vector<SitePart> slices;
  for (std::uint64_t begin = 0; begin < text.length(); begin += slice_places)
    slices.push_back({{begin, std::min(begin + slice_places, text.length())}});
  const SiteScan scan(text, shape);
  parallel_for(threads, slices.size(),
               [&](std::uint64_t i, int) { slices[i].sites = scan.count(slices[i].starts); });
  return slices;
}

SiteTable::SiteTable(const TextView& text, const SiteShape& shape, std::span<const SitePart> slices,
                     int threads)
    : guide_(shape.guide) {
  std::vector<std::uint64_t> first(slices.size() + 1, 0);  // number of the first site of each slice
  for (std::size_t i = 0; i < slices.size(); ++i)
    first[i + 1] = first[i] + slices[i].sites;
  half_ = half_bases(first.back(), guide_);
  if (!slices.empty()) begin_ = slices.front().starts.begin;
  Unsorted sites{{first.back(), purpose}, {first.back(), purpose}};
  const SiteScan scan(text, shape);
  parallel_for(threads, slices.size(), [&](std::uint64_t i, int) {
    std::uint64_t* key_to = sites.keys.data() + first[i];
    std::uint32_t* place_to = sites.places.data() + first[i];
    scan.for_each(slices[i].starts, [&](std::uint64_t start, bool reverse, std::uint64_t key) {
      *key_to++ = key;
      *place_to++ = static_cast<std::uint32_t>((start - begin_) << 1 | (reverse ? 1 : 0));
    });
  });
  first_ = sort(sites, false, threads);
  last_ = sort(sites, true, threads);
}

/// Sorts sites by the bases at one end of their guides: first into parts, by the highest bits of
/// their buckets' numbers, then each part.
SiteHalf SiteTable::sort(const Unsorted& sites, bool last, int threads) const {
  const SiteSplit split{guide_, half_, last};
  const std::uint32_t bits = 2 * half_;
  const std::uint32_t low_bits = bits - std::min(bits, parting_bits);
  const std::size_t parts = std::size_t{1} << (bits - low_bits);
  const std::uint64_t count = sites.keys.size();
  const auto entry_of = [&](std::uint64_t i) {
    const std::uint64_t key = sites.keys[i];
    return Entry{split.bucket(key), split.rest(key), sites.places[i]};
  };
  // Where each slice of the sites writes those of each part.
  const auto slices = static_cast<std::uint64_t>(threads);
  std::vector<std::uint64_t> next(slices * parts, 0);
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    std::uint64_t* counts = next.data() + s * parts;
    const Slice slice = slice_of(count, slices, s);
    for (std::uint64_t i = slice.begin; i < slice.end; ++i)
      ++counts[entry_of(i).bucket >> low_bits];
  });
  std::vector<std::uint64_t> begins(parts + 1, count);
  std::uint64_t sum = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    begins[part] = sum;
    for (std::uint64_t s = 0; s < slices; ++s)
      sum += std::exchange(next[s * parts + part], sum);
  }
  Buffer<Entry> parted(count, purpose);
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    std::uint64_t* to = next.data() + s * parts;
    const Slice slice = slice_of(count, slices, s);
    for (std::uint64_t i = slice.begin; i < slice.end; ++i) {
      const Entry entry = entry_of(i);
      parted[to[entry.bucket >> low_bits]++] = entry;
    }
  });

  const std::size_t buckets = std::size_t{1} << bits, low_buckets = std::size_t{1} << low_bits;
  SiteHalf half{{buckets + 1, purpose}, {count + padding, purpose}, {count, purpose}};
  half.offsets[buckets] = static_cast<std::uint32_t>(count);
  std::memset(half.rest.data() + count, 0, padding * sizeof(std::uint32_t));
  parallel_for(threads, parts, [&](std::uint64_t part, int) {
    const auto in_part = parted.span().subspan(begins[part], begins[part + 1] - begins[part]);
    std::vector<std::uint32_t> to(low_buckets, 0);
    const std::uint32_t mask = static_cast<std::uint32_t>(low_buckets - 1);
    for (const Entry& entry : in_part)
      ++to[entry.bucket & mask];
    auto begin = static_cast<std::uint32_t>(begins[part]);
    for (std::size_t bucket = 0; bucket < low_buckets; ++bucket) {
      half.offsets[part * low_buckets + bucket] = begin;
      begin += std::exchange(to[bucket], begin);
    }
    for (const Entry& entry : in_part) {
      const std::uint32_t at = to[entry.bucket & mask]++;
      half.rest[at] = entry.rest;
      half.places[at] = entry.place;
    }
  });
  return half;
}

}  // namespace gsx

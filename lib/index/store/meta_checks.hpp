// Checks that the numbers of an index fit one another, and the sizes of its sections.
#pragma once

#include <cstdint>

#include "index/fm/row_sampling.hpp"
#include "index/store/format.hpp"
#include "index/store/section_table.hpp"
#include "text/alphabet.hpp"

namespace gsx {

/// More symbols than any machine holds; keeps products of sizes within 64 bits.
inline constexpr std::uint64_t length_limit = RowSampling::most_rows;

/// The section `meta`. Throws CorruptIndexError for numbers that no index has, for bytes where
/// zeros belong, and where a section that the file must have is missing or has another size than
/// the numbers say. Reads the bytes of this section only, whose checksum the caller checks. Cost:
/// some microseconds.
Meta meta_of(const SectionTable& table);

/// The alphabet with the bytes of section `symbols`, which the caller has checked. Throws
/// CorruptIndexError if it is not that of `meta`.
Alphabet alphabet_of(const SectionTable& table, const Meta& meta);

/// What shards of one index have in common, besides the policy of their alphabets.
struct IndexTraits {
  std::uint32_t policy, sample_rate, soft_mask_split;
  bool keeps_case, has_md5, has_files, names_by_file, whole_header;
  bool operator==(const IndexTraits&) const = default;
};
IndexTraits traits_of(const SectionTable& table, const Meta& meta);

/// Adds the numbers of a shard to those of the shards before it.
void add_shard(Meta& all, const Meta& shard);

}  // namespace gsx

#include "index/store/meta_checks.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "index/store/corrupt_index.hpp"
#include "index/store/page_sums.hpp"
#include "index/store/sections.hpp"
#include "records/symbol_scan.hpp"

namespace gsx {
namespace {

/// The first field of `meta` whose value no index can have; null if there is none.
const char* impossible_field(const Meta& meta) {
  if (meta.length > length_limit) return "length";
  if (meta.segments == 0 || meta.segments > meta.length) return "segments";
  if (meta.records == 0) return "records";
  if (meta.policy > 3 || name_of(static_cast<SymbolPolicy>(meta.policy)) == "?") return "policy";
  if (meta.sigma == 0 || meta.sigma > Alphabet::none) return "sigma";
  if (meta.sample_rate == 0 || meta.sample_rate > RowSampling::most_rate) return "sample_rate";
  return meta.kmer_length > longest_kmer(meta.sigma) ? "kmer_length" : nullptr;
}

bool keeps_case(const SectionTable& table) {
  return table.has(Section::case_runs) || table.has(Section::case_ends);
}

bool has_right_size(const SectionEntry& entry, const SectionKind& kind, const Meta& meta) {
  if (kind.items == nullptr) return entry.bytes % kind.item_bytes == 0;
  const std::uint64_t items = kind.items(meta);
  if (kind.item_bytes != 0)  // a product could overflow
    return entry.bytes % kind.item_bytes == 0 && entry.bytes / kind.item_bytes == items;
  return items <= length_limit && entry.bytes == kind.bytes(meta);
}

void require_sizes(const SectionTable& table, const Meta& meta) {
  for (const SectionPlace& place : sections_in_order(meta)) {
    const SectionKind& kind = kind_of(place.section);
    const SectionEntry* const entry =
        kind.is_optional ? table.find(place.section) : &table.at(place.section, place.level);
    if (entry != nullptr && !has_right_size(*entry, kind, meta))
      table.corrupt("section '" + name_of(place.section, place.level) + "' has the wrong size");
  }
  using Pair = std::pair<Section, Section>;
  for (const auto& [one, other] : {Pair{Section::name_hashes, Section::name_records},
                                   Pair{Section::case_runs, Section::case_ends}})
    if (table.has(one) != table.has(other)) table.at(table.has(one) ? other : one);
  PageSums::of(table);
}

}  // namespace

Meta meta_of(const SectionTable& table) {
  const auto bytes = table.bytes(table.at(Section::meta));
  Meta meta;
  if (bytes.size() != sizeof meta) table.corrupt("section 'meta' has the wrong size");
  std::memcpy(&meta, bytes.data(), sizeof meta);
  if (const char* field = impossible_field(meta))
    table.corrupt("section 'meta' has an impossible " + std::string(field));
  if (!is_zero_padded(meta.gsx_version) ||
      std::ranges::any_of(meta.zero, [](auto value) { return value != 0; }))
    table.corrupt("section 'meta' has bytes where zeros belong");
  const bool masked =
      meta.soft_mask_split == 1 && static_cast<SymbolPolicy>(meta.policy) == SymbolPolicy::dna;
  if ((meta.soft_mask_split != 0 && !masked) ||
      (!keeps_case(table) && meta.counts.lower_case != meta.literals)) {
    table.corrupt("section 'meta' contradicts itself about soft-masked bases");
  }
  if (keeps_case(table) && (static_cast<SymbolPolicy>(meta.policy) == SymbolPolicy::bytes ||
                            meta.soft_mask_split != 0)) {
    table.corrupt("it keeps lower case for a text that does not fold it");
  }
  const SectionEntry& symbols = table.at(Section::symbols);
  if (symbols.bytes != meta.sigma)
    table.corrupt("section 'symbols' is not the alphabet that 'meta' describes");
  require_sizes(table, meta);
  return meta;
}

Alphabet alphabet_of(const SectionTable& table, const Meta& meta) {
  const auto policy = static_cast<SymbolPolicy>(meta.policy);
  const auto bytes = table.bytes(table.at(Section::symbols));
  const std::string_view symbols(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (all_symbols(symbols)) {
    Alphabet alphabet =
        policy == SymbolPolicy::dna ? Alphabet::dna() : Alphabet::of(policy, symbols);
    if (alphabet.symbols() == symbols) return alphabet;
  }
  table.corrupt("section 'symbols' is not the alphabet that 'meta' describes");
}

IndexTraits traits_of(const SectionTable& table, const Meta& meta) {
  return {meta.policy,
          meta.sample_rate,
          meta.soft_mask_split,
          keeps_case(table),
          table.has(Section::md5),
          table.has(Section::file_names),
          table.has(Section::names_by_file),
          table.has(Section::whole_header)};
}

void add_shard(Meta& all, const Meta& shard) {
  all.length += shard.length;
  all.segments += shard.segments;
  all.records += shard.records;
  all.gaps += shard.gaps;
  all.literals += shard.literals;
  all.counts.base += shard.counts.base;
  all.counts.n += shard.counts.n;
  all.counts.iupac += shard.counts.iupac;
  all.counts.gap += shard.counts.gap;
  all.counts.other += shard.counts.other;
  all.counts.lower_case += shard.counts.lower_case;
}

}  // namespace gsx

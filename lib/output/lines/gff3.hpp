// What GFF3 has of its own: names with percent signs, and lines before the features.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/text.hpp"

namespace gsx {

/// Appends a name as the first field of a line, where bytes other than a-z, A-Z, 0-9 and
/// .:^*$@!+_?-| become %HH. An empty name becomes '.', and the name "." becomes %2E.
void append_gff3_target(std::string& out, std::string_view name);

/// Appends a name as the value of an attribute, where control bytes, '%', ';', '=', '&' and ',',
/// and bytes that are not UTF-8, become %HH. An empty name becomes '.', and the name "." becomes
/// %2E.
void append_gff3_value(std::string& out, std::string_view name);

/// Whether append_gff3_value() writes every piece of `text` as it is that has at least two bytes.
bool are_plain_gff3_values(std::string_view text);

inline constexpr const char* gff3_version = "##gff-version 3\n";

/// A region, which lets readers know that features may end behind the end of a circular record.
struct Gff3Region {
  std::uint64_t record;
  std::string line;
};
/// Those of circular records, in the order of the records: one per name, and none of an empty
/// record, which has no place.
std::vector<Gff3Region> gff3_regions(const RecordsView& records,
                                     std::span<const std::uint64_t> circular);

/// The line of the version, and the regions of the circular records.
std::string gff3_header(const RecordsView& records, std::span<const std::uint64_t> circular = {});

}  // namespace gsx

#include "output/lines/gff3.hpp"

#include <unordered_set>
#include <utility>

#include "base/utf8.hpp"
#include "output/lines/text_format.hpp"
#include "records/symbol_scan.hpp"

namespace gsx {
namespace {

void append_percent(std::string& out, char c) {
  constexpr const char* digits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  out += {'%', digits[byte >> 4], digits[byte & 15]};
}

/// Whether a name is written by itself, and not by its bytes.
bool append_odd(std::string& out, std::string_view name) {
  if (name.empty()) out += '.';
  if (name == ".") append_percent(out, '.');
  return name.empty() || name == ".";
}

bool is_of_target(char c) {
  constexpr std::string_view marks = ".:^*$@!+_?-|";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         marks.find(c) != marks.npos;
}

/// Whether a byte may have to be encoded in the value of an attribute.
constexpr auto needs_escapes = [](auto b) {
  return (b < 0x20) | (b >= 0x7f) | (b == '%') | (b == ';') | (b == '=') | (b == '&') | (b == ',');
};

}  // namespace

void append_gff3_target(std::string& out, std::string_view name) {
  if (append_odd(out, name)) return;
  for (const char c : name) {
    if (is_of_target(c)) {
      out += c;
    } else {
      append_percent(out, c);
    }
  }
}

void append_gff3_value(std::string& out, std::string_view name) {
  if (append_odd(out, name)) return;
  while (!name.empty()) {
    const std::size_t length = utf8_length(name);
    if (length > 1) {
      out += name.substr(0, length);
    } else if (length == 0 || needs_escapes(static_cast<unsigned char>(name[0]))) {
      append_percent(out, name[0]);
    } else {
      out += name[0];
    }
    name.remove_prefix(length > 1 ? length : 1);
  }
}

bool are_plain_gff3_values(std::string_view text) {
  return !scan_detail::any_byte(text, needs_escapes);
}

std::vector<Gff3Region> gff3_regions(const RecordsView& records,
                                     std::span<const std::uint64_t> circular) {
  std::vector<Gff3Region> regions;
  std::unordered_set<std::string_view> named;
  for (const std::uint64_t record : circular) {
    const std::uint64_t length = records.infos[record].length;
    if (length == 0 || !named.insert(records.name(record)).second) continue;
    std::string line;
    append_gff3_target(line, records.name(record));
    line += "\tgsx\tregion\t1\t";
    append_number(line, length);
    line += "\t.\t.\t.\tIs_circular=true\n";
    regions.push_back({record, std::move(line)});
  }
  return regions;
}

std::string gff3_header(const RecordsView& records, std::span<const std::uint64_t> circular) {
  std::string header = gff3_version;
  for (const Gff3Region& region : gff3_regions(records, circular))
    header += region.line;
  return header;
}

}  // namespace gsx

#include "output/summary/absent_symbols.hpp"

#include <numeric>

namespace gsx {
void AbsentSymbols::add(const std::string& symbols, std::uint64_t queries) {
  if (too_many_) return;
  sets_[symbols] += queries;
  if (sets_.size() <= most_sets) return;
  sets_.clear();
  too_many_ = true;
}

void AbsentSymbols::add(const AbsentSymbols& later) {
  for (const auto& [symbols, queries] : later.sets_)
    add(symbols, queries);
  if (!later.too_many_) return;
  sets_.clear();
  too_many_ = true;
}

std::uint64_t AbsentSymbols::queries() const {
  return std::accumulate(sets_.begin(), sets_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& set) { return sum + set.second; });
}

AbsentSymbols AbsentSymbols::without(std::string_view symbols) const {
  AbsentSymbols left;
  left.too_many_ = too_many_;
  for (const auto& [all, queries] : sets_) {
    std::string absent = all;
    std::erase_if(absent, [&](char symbol) { return symbols.find(symbol) != symbols.npos; });
    if (!absent.empty()) left.add(absent, queries);
  }
  return left;
}

JsonValue AbsentSymbols::as_json() const {
  if (too_many_) return {};
  JsonMembers sets;
  for (const auto& [symbols, queries] : sets_)
    sets.push_back({symbols, queries});
  return sets;
}

std::optional<AbsentSymbols> AbsentSymbols::of_json(const JsonValue& value) {
  AbsentSymbols read;
  read.too_many_ = value.kind == JsonValue::Kind::null;
  if (read.too_many_) return read;
  if (value.kind != JsonValue::Kind::object || value.members.size() > most_sets) return {};
  for (const auto& [name, count] : value.members) {
    const std::optional<std::string> symbols = bytes_of_json(name);
    const std::optional<std::uint64_t> queries = count.whole_number();
    if (!symbols || !queries || !read.sets_.emplace(*symbols, *queries).second) return {};
  }
  return read;
}

std::optional<std::string> bytes_of_json(std::string_view text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    if (lead < 0x80) {
      bytes += text[at];
    } else if (lead < 0xC4 && at + 1 < text.size()) {  // a byte in two of UTF-8
      bytes += static_cast<char>((lead & 0x03) << 6 | (text[++at] & 0x3F));
    } else {
      return {};
    }
  }
  return bytes;
}

}  // namespace gsx

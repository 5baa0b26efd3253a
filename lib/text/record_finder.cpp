#include "text/record_finder.hpp"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/messages.hpp"
#include "text/alphabet.hpp"

namespace gsx {
namespace {

std::uint64_t hash_of(std::string_view name) {
  return XXH3_64bits(name.data(), name.size());
}

/// Edit distance of two names, ignoring case; `most` + 1 if it is larger than `most`.
std::size_t distance(std::string_view a, std::string_view b, std::size_t most) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > most) return most + 1;
  std::vector<std::size_t> row(a.size() + 1);
  for (std::size_t i = 0; i < row.size(); ++i)
    row[i] = i;
  for (std::size_t j = 1; j <= b.size(); ++j) {
    std::size_t diagonal = std::exchange(row[0], j);
    std::size_t least = row[0];
    for (std::size_t i = 1; i < row.size(); ++i) {
      const std::size_t changed = diagonal + (to_upper(a[i - 1]) == to_upper(b[j - 1]) ? 0 : 1);
      diagonal = row[i];
      row[i] = std::min({changed, row[i] + 1, row[i - 1] + 1});
      least = std::min(least, row[i]);
    }
    if (least > most) return most + 1;
  }
  return row.back();
}

/// Whether one name is the other with a few letters added in front or behind.
bool extends(std::string_view a, std::string_view b) {
  constexpr std::size_t most = 8;
  if (a.size() > b.size()) std::swap(a, b);
  if (a.empty() || b.size() - a.size() > most) return false;
  const auto same = [](char x, char y) { return to_upper(x) == to_upper(y); };
  return std::equal(a.begin(), a.end(), b.begin(), same) ||
         std::equal(a.rbegin(), a.rend(), b.rbegin(), same);
}

}  // namespace

RecordFinder::RecordFinder(const RecordsView& records, const std::vector<std::string_view>& wanted)
    : slots_(std::bit_ceil(2 * wanted.size() + 1)) {
  for (const std::string_view name : wanted) {
    const std::uint64_t hash = hash_of(name);
    Slot& slot = slots_[slot_of(name, hash)];
    slot.hash = hash;
    slot.name = name;
    slot.used = true;
  }
  std::vector<std::pair<std::size_t, std::uint64_t>> matches;  // slot, record
  for (std::uint64_t r = 0; !wanted.empty() && r < records.size(); ++r) {
    const std::string_view name = records.name(r);
    const std::size_t at = slot_of(name, hash_of(name));
    if (slots_[at].used) matches.emplace_back(at, r);
  }
  for (const auto& match : matches)
    ++slots_[match.first].end;
  std::uint64_t begin = 0;
  for (Slot& slot : slots_) {
    slot.begin = begin;
    begin += slot.end;
    slot.end = slot.begin;
  }
  found_.resize(matches.size());
  for (const auto& [slot, record] : matches)
    found_[slots_[slot].end++] = record;
}

std::size_t RecordFinder::slot_of(std::string_view name, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].used && (slots_[at].hash != hash || slots_[at].name != name))
    at = (at + 1) & mask;
  return at;
}

std::span<const std::uint64_t> RecordFinder::find(std::string_view name) const {
  const Slot& slot = slots_[slot_of(name, hash_of(name))];
  return std::span(found_).subspan(slot.begin, slot.end - slot.begin);
}

namespace {

/// A name of a chromosome as any database has it: "chrM", "MT" and "Mito" are one.
std::string plain_chromosome(std::string_view name) {
  std::string plain(name);
  for (char& c : plain)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 'a' - 'A');
  if (plain.starts_with("chr")) plain.erase(0, 3);
  return plain == "mt" || plain == "mito" ? "m" : plain;
}

}  // namespace

std::string_view nearest_name(const RecordsView& records, std::string_view name) {
  const std::string chromosome = plain_chromosome(name);
  for (std::uint64_t r = 0; r < records.size(); ++r)
    if (plain_chromosome(records.name(r)) == chromosome) return records.name(r);
  constexpr std::size_t longest = 64;  // the edit distance costs the product of the lengths
  const std::size_t most = name.size() > longest ? 0 : std::min<std::size_t>(3, name.size() / 3);
  std::size_t least = most + 1;
  std::string_view best, extended;
  for (std::uint64_t r = 0; r < records.size() && least > 0; ++r) {
    const std::string_view other = records.name(r);
    if (other.size() <= longest) {
      const std::size_t apart = distance(name, other, least - 1);
      if (apart < least) {
        least = apart;
        best = other;
      }
    }
    if (extended.empty() && extends(name, other)) extended = other;
  }
  // For "1", suggest "chr1" rather than another name of one letter.
  return (best.empty() || least > 1) && !extended.empty() ? extended : best;
}

namespace {

/// Joins items, at most some of them, of which there are `count`.
template <class Item>
std::string listed(std::uint64_t count, const Item& item) {
  constexpr std::uint64_t most = 4;
  std::string list;
  const std::uint64_t shown = count > most ? most - 1 : count;
  for (std::uint64_t i = 0; i < shown; ++i) {
    if (i > 0) list += i + 1 == count ? " and " : ", ";
    list += item(i);
  }
  if (count > shown) list += " and " + std::to_string(count - shown) + " others";
  return list;
}

}  // namespace

std::string advice_on_name(const RecordsView& records, std::string_view name) {
  std::vector<std::uint64_t> ending;
  const std::string end = '#' + std::string(name);
  for (std::uint64_t r = 0; r < records.size(); ++r)
    if (records.name(r).ends_with(end)) ending.push_back(r);
  const std::string_view nearest = ending.empty() ? nearest_name(records, name) : "";
  if (!nearest.empty()) return "the nearest name is '" + shown_name(nearest) + '\'';
  const std::uint64_t count = ending.empty() ? records.size() : ending.size();
  if (count == 0) return "there are no records";
  return (count == 1 ? "there is " : "there are ") + listed(count, [&](std::uint64_t i) {
           return '\'' + shown_name(records.name(ending.empty() ? i : ending[i])) + '\'';
         });
}

std::string shown_records(const RecordsView& records, std::span<const std::uint64_t> numbers) {
  return listed(numbers.size(), [&](std::uint64_t i) {
    const std::uint64_t record = numbers[i];
    std::string text = "record " + std::to_string(record + 1);
    if (!records.files.empty())
      text += " of file '" + shown_name(records.files.name(records.files.file_of(record))) + '\'';
    return text + " (" + std::to_string(records.infos[record].length) + " symbols)";
  });
}

std::string several_records(const RecordsView& records, std::span<const std::uint64_t> numbers) {
  const bool cut = std::ranges::any_of(numbers, [&](std::uint64_t record) {
    return records.comment(record) != records.comment(numbers.front());
  });
  return "several records have the name '" + shown_name(records.name(numbers.front())) +
         "': " + shown_records(records, numbers) +
         (cut ? "; --whole-header, with gsx index or -r, takes whole header lines as names, or "
              : "; ") +
         (records.files.empty()
              ? "gsx index --files names records by their files, too"
              : "give the records of a file different names and make the index again");
}

}  // namespace gsx

#include "text/symbol_runs.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "records/symbol_scan.hpp"

namespace gsx {
namespace {

constexpr std::size_t width = sizeof(ByteLanes);

ByteLanes load(const char* at) {
  ByteLanes lanes;
  std::memcpy(&lanes, at, width);
  return lanes;
}

/// Number of the first lane that is not zero; `width` if all are zero.
template <class Lanes>
std::size_t first_lane(Lanes lanes) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t halves[2];
  std::memcpy(halves, &lanes, width);
  if (halves[0] != 0) return static_cast<std::size_t>(std::countr_zero(halves[0])) / 8;
  return 8 + static_cast<std::size_t>(std::countr_zero(halves[1])) / 8;
}

/// End of the run of bytes from `begin` on for which `same` holds; `same` takes a ByteLanes or a
/// byte.
template <class Same>
std::size_t end_of_same(std::string_view symbols, std::size_t begin, Same same) {
  std::size_t at = begin;
  const auto odd = [&](std::size_t place) { return ~same(load(symbols.data() + place)); };
  for (; at + 4 * width <= symbols.size(); at += 4 * width) {
    const auto any = (odd(at) | odd(at + width)) | (odd(at + 2 * width) | odd(at + 3 * width));
    if (first_lane(any) != width) break;
  }
  for (; at + width <= symbols.size(); at += width) {
    const std::size_t lane = first_lane(odd(at));
    if (lane != width) return at + lane;
  }
  while (at < symbols.size() && same(static_cast<std::uint8_t>(symbols[at])))
    ++at;
  return at;
}

constexpr auto is_upper_base = [](auto b) {
  return (b == 'A') | (b == 'C') | (b == 'G') | (b == 'T') | (b == 'U');
};
constexpr auto is_lower_base = [](auto b) {
  return (b == 'a') | (b == 'c') | (b == 'g') | (b == 't') | (b == 'u');
};
constexpr auto is_base = [](auto b) { return is_lower_base(b | 0x20); };

constexpr auto is_lower_case = [](auto b) { return (b >= 'a') & (b <= 'z'); };
constexpr auto is_not_lower_case = [](auto b) { return (b < 'a') | (b > 'z'); };

std::uint64_t count_lower_case(std::string_view symbols) {
  std::uint64_t count = 0;
  std::size_t at = 0;
  while (at + width <= symbols.size()) {
    // A lane counts up to 255; then it must be emptied.
    const std::size_t stop = std::min(symbols.size() - at, 255 * width) / width * width + at;
    ByteLanes counts{};
    for (; at != stop; at += width) {
      const ByteLanes lanes = load(symbols.data() + at);
      counts -= reinterpret_cast<ByteLanes>((lanes >= 'a') & (lanes <= 'z'));
    }
    for (std::size_t lane = 0; lane < width; ++lane)
      count += counts[lane];
  }
  for (; at < symbols.size(); ++at)
    count += symbols[at] >= 'a' && symbols[at] <= 'z';
  return count;
}

bool is_nucleotide(char symbol) {
  const SymbolClass kind = dna_class(symbol);
  return kind == SymbolClass::base || kind == SymbolClass::n;
}

bool is_protein(char upper) {
  return upper == '*' || (upper >= 'A' && upper <= 'Z');
}

}  // namespace

void SymbolRuns::clear() {
  runs.clear();
  lower_case = 0;
  lower.clear();
  raw.fill(false);
}

void SymbolRuns::add(std::uint64_t length, std::uint16_t kind) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  for (; length > most; length -= most)
    runs.push_back({static_cast<std::uint32_t>(most), kind, false});
  runs.push_back({static_cast<std::uint32_t>(length), kind, false});
}

RunFinder::RunFinder(SymbolPolicy policy, SoftMaskPolicy soft_mask)
    : policy_(policy),
      split_masked_(policy == SymbolPolicy::dna && soft_mask == SoftMaskPolicy::split),
      keep_case_(policy != SymbolPolicy::bytes && soft_mask == SoftMaskPolicy::keep) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const char symbol = static_cast<char>(byte);
    char upper = policy == SymbolPolicy::bytes ? symbol : to_upper(symbol);
    if (policy == SymbolPolicy::dna && upper == 'U') upper = 'T';
    normal_[byte] = upper;
    const bool in_text = policy == SymbolPolicy::dna       ? dna_class(symbol) == SymbolClass::base
                         : policy == SymbolPolicy::protein ? is_protein(upper)
                                                           : true;
    const bool masked = split_masked_ && symbol != to_upper(symbol);
    kinds_[byte] = masked ? masked_run : plain_run;
    if (!in_text) kinds_[byte] = static_cast<unsigned char>(upper);
  }
}

std::size_t RunFinder::run_end(std::string_view symbols, std::size_t begin) const {
  const std::uint16_t what = kind(symbols[begin]);
  if (what == plain_run && !split_masked_) return end_of_same(symbols, begin, is_base);
  if (what == plain_run) return end_of_same(symbols, begin, is_upper_base);
  if (what == masked_run) return end_of_same(symbols, begin, is_lower_base);
  const auto symbol = static_cast<std::uint8_t>(what);
  if (symbol >= 'A' && symbol <= 'Z') {
    const auto lower = static_cast<std::uint8_t>(symbol | 0x20);
    return end_of_same(symbols, begin, [=](auto b) { return (b | 0x20) == lower; });
  }
  return end_of_same(symbols, begin, [=](auto b) { return b == symbol; });
}

void RunFinder::find_dna(std::string_view symbols, SymbolRuns& found) const {
  for (std::size_t begin = 0; begin < symbols.size();) {
    const std::size_t end = run_end(symbols, begin);
    found.add(end - begin, kind(symbols[begin]));
    begin = end;
  }
}

/// One run, or two if a symbol is not allowed: nothing after that symbol matters. Leading
/// nucleotides are a run of their own where they may belong to a DNA record.
void RunFinder::find_general(std::string_view symbols, bool continues, SymbolRuns& found) const {
  for (const char symbol : symbols)
    found.raw[static_cast<unsigned char>(symbol)] = true;
  std::size_t plain = symbols.size();
  if (policy_ == SymbolPolicy::protein) {
    plain = 0;
    while (plain < symbols.size() && kind(symbols[plain]) == plain_run)
      ++plain;
  }
  std::size_t nucleotides = 0;
  if (policy_ == SymbolPolicy::protein) {
    const std::size_t most = std::min<std::size_t>(plain, dna_prefix);
    while (nucleotides < most && is_nucleotide(symbols[nucleotides]))
      ++nucleotides;
    if (nucleotides < most && !continues) nucleotides = 0;
  }
  if (nucleotides != 0) found.add(nucleotides, nucleotide_run);
  if (plain != nucleotides) found.add(plain - nucleotides, plain_run);
  if (plain != symbols.size()) found.add(1, kind(symbols[plain]));
}

void RunFinder::find_lower_case(const RecordBatch& batch, SymbolRuns& found) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::string_view symbols = batch.sequence(i);
    for (std::size_t begin = 0; begin < symbols.size();) {
      begin = end_of_same(symbols, begin, is_not_lower_case);
      const std::size_t end = end_of_same(symbols, begin, is_lower_case);
      if (end != begin) found.lower.push_back({i, begin, end});
      begin = end;
    }
  }
}

void RunFinder::find(const RecordBatch& batch, SymbolRuns& found) const {
  found.clear();
  found.lower_case = count_lower_case(batch.symbols);
  if (keep_case_ && found.lower_case != 0) find_lower_case(batch, found);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (i > 0 || !batch.continues) found.add(0, record_run);
    if (policy_ == SymbolPolicy::dna) {
      find_dna(batch.sequence(i), found);
    } else {
      find_general(batch.sequence(i), i == 0 && batch.continues, found);
    }
  }
}

}  // namespace gsx

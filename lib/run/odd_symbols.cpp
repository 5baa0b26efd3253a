#include "run/odd_symbols.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "records/symbol_scan.hpp"

namespace gsx {
namespace {

/// Position of the next code `none` in [begin, end); `end` if there is none.
std::uint64_t find_none(const Patterns& patterns, std::uint64_t begin, std::uint64_t end) {
  if (begin == end)
    return end;  // there may be no codes at all, and memchr must not get a null pointer
  const std::uint8_t* codes = patterns.codes.data();
  const void* found = std::memchr(codes + begin, Alphabet::none, end - begin);
  if (found == nullptr) return end;
  return static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(found) - codes);
}

bool is_letter(char symbol) {
  const char upper = to_upper(symbol);
  return upper >= 'A' && upper <= 'Z';
}

/// The symbols of a query that have no code, each once, in ascending order.
std::string absent_symbols(const Alphabet& alphabet, std::string_view query) {
  std::array<bool, 256> absent{};
  for (const char symbol : query) {
    if (alphabet.code(symbol) != Alphabet::none) continue;
    const bool folds = alphabet.policy() == SymbolPolicy::protein;
    absent[static_cast<unsigned char>(folds ? to_upper(symbol) : symbol)] = true;
  }
  std::string symbols;
  for (std::size_t byte = 0; byte < absent.size(); ++byte)
    if (absent[byte]) symbols += static_cast<char>(byte);
  return symbols;
}

/// Which symbols are ambiguous or foreign. A table, because a whole read may be a run of N.
using WrongSymbols = std::array<bool, 256>;

WrongSymbols wrong_symbols(const Alphabet& alphabet) {
  const auto is_wrong = [](OddSymbol kind) {
    return kind == OddSymbol::ambiguous || kind == OddSymbol::foreign;
  };
  WrongSymbols wrong;
  for (std::size_t byte = 0; byte < wrong.size(); ++byte) {
    const char symbol = static_cast<char>(byte);
    wrong[byte] = alphabet.code(symbol) == Alphabet::none && is_wrong(kind_of(alphabet, symbol));
  }
  return wrong;
}

/// find_odd_queries() of a batch that has its bases packed.
OddQueries find_odd_bases(const RecordBatch& queries, const WrongSymbols& wrong) {
  OddQueries found;
  std::size_t counted = queries.size(), counted_wrong = queries.size();  // the last ones
  queries.for_each_foreign([&](std::size_t query, char symbol) {
    const auto here = [&] { return SymbolOfQuery{std::string(queries.name(query)), symbol}; };
    if (std::exchange(counted, query) != query && found.count++ == 0) found.first = here();
    if (!wrong[static_cast<unsigned char>(symbol)]) return;
    if (std::exchange(counted_wrong, query) != query && found.wrong++ == 0)
      found.first_wrong = here();
  });
  return found;
}

}  // namespace

bool looks_like_dna(std::string_view query) {
  const auto is_nucleotide = [](char symbol) {
    const SymbolClass found = dna_class(symbol);
    return found == SymbolClass::base || found == SymbolClass::n;
  };
  return !query.empty() && std::ranges::all_of(query, is_nucleotide);
}

OddSymbol kind_of(const Alphabet& alphabet, char symbol) {
  switch (alphabet.policy()) {
    case SymbolPolicy::dna: {
      const SymbolClass found = dna_class(symbol);
      return found == SymbolClass::n       ? OddSymbol::any
             : found == SymbolClass::iupac ? OddSymbol::ambiguous
                                           : OddSymbol::foreign;
    }
    case SymbolPolicy::protein:
      return is_letter(symbol) || symbol == '*' ? OddSymbol::absent : OddSymbol::foreign;
    case SymbolPolicy::bytes:
      break;
  }
  return all_symbols({&symbol, 1}) ? OddSymbol::absent : OddSymbol::foreign;
}

void OddQueries::add(const OddQueries& later) {
  if (count == 0) first = later.first;
  if (wrong == 0) first_wrong = later.first_wrong;
  count += later.count;
  wrong += later.wrong;
  absent.add(later.absent);
}

OddQueries find_odd_queries(const RecordBatch& queries, const Patterns& patterns,
                            const Alphabet& alphabet) {
  OddQueries found;
  const WrongSymbols wrong = wrong_symbols(alphabet);
  if (patterns.are_packed()) return find_odd_bases(queries, wrong);
  const std::uint64_t end = patterns.ends.empty() ? 0 : patterns.ends.back();
  std::size_t query = 0;
  for (std::uint64_t at = find_none(patterns, 0, end); at < end;
       at = find_none(patterns, at, end)) {
    while (patterns.ends[query] <= at)
      ++query;
    const auto here = [&] {
      return SymbolOfQuery{std::string(queries.name(query)), queries.symbols[at]};
    };
    if (found.count++ == 0) found.first = here();
    if (alphabet.policy() != SymbolPolicy::dna)
      found.absent.add(absent_symbols(alphabet, queries.sequence(query)));
    const std::uint64_t query_end = patterns.ends[query];
    while (at < query_end && !wrong[static_cast<unsigned char>(queries.symbols[at])])
      ++at;
    if (at < query_end && found.wrong++ == 0) found.first_wrong = here();
    at = query_end;
  }
  return found;
}

std::string least_part(const Alphabet& alphabet, std::uint64_t length, std::string_view index) {
  const std::string part =
      length == 1 ? "symbol that is " : std::to_string(length) + " symbols in a row that are ";
  if (alphabet.policy() == SymbolPolicy::dna) return part + "A, C, G, T or U";
  return part + "in the alphabet of " + std::string(index);
}

bool has_stretch(std::span<const std::uint8_t> codes, std::uint64_t length) {
  while (codes.size() >= length) {
    const void* none = std::memchr(codes.data(), Alphabet::none, length);
    if (none == nullptr) return true;
    const auto at = static_cast<const std::uint8_t*>(none) - codes.data();
    codes = codes.subspan(static_cast<std::size_t>(at) + 1);
  }
  return false;
}

StretchCheck::StretchCheck(const Alphabet& alphabet, std::uint64_t length)
    : wrong_(wrong_symbols(alphabet)), length_(length) {}

void StretchCheck::add(OddQueries& found, const RecordBatch& queries, const Patterns& patterns,
                       std::size_t i) const {
  const std::span<const std::uint8_t> codes = patterns[i];
  if (codes.empty() || has_stretch(codes, length_)) return;
  const std::string_view symbols = queries.sequence(i);
  const auto here = [&](std::size_t at) {
    return SymbolOfQuery{std::string(queries.name(i)), at < symbols.size() ? symbols[at] : '\0'};
  };
  if (found.count++ == 0) {
    const auto none = std::ranges::find(codes, Alphabet::none);
    found.first = here(static_cast<std::size_t>(none - codes.begin()));
  }
  std::size_t first_wrong = symbols.size();
  std::uint64_t stretch = 0;
  for (std::size_t at = 0; at < symbols.size(); ++at) {
    const bool is_wrong = wrong_[static_cast<unsigned char>(symbols[at])];
    if (is_wrong) first_wrong = std::min(first_wrong, at);
    stretch = is_wrong ? 0 : stretch + 1;
    if (stretch == length_) return;
  }
  const bool unknown = std::ranges::all_of(codes, [](auto code) { return code == Alphabet::none; });
  if (unknown && first_wrong == symbols.size()) return;
  if (found.wrong++ == 0) found.first_wrong = here(first_wrong);
}

}  // namespace gsx

#include "run/patterns.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "records/base_codes.hpp"

namespace gsx {
namespace {

#ifdef __x86_64__
/// Writes codes with 32 symbols per step, for as many as whole steps take; returns how many.
__attribute__((target("avx2"))) std::size_t encode_dna_avx2(std::string_view symbols,
                                                            std::uint8_t* codes) {
  constexpr std::size_t width = sizeof(__m256i);
  std::size_t at = 0;
  for (; at + width <= symbols.size(); at += width) {
    const BaseCodes32 group = base_codes_32(symbols.data() + at);
    const __m256i none = _mm256_andnot_si256(group.bases, _mm256_set1_epi8(-1));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(codes + at), _mm256_or_si256(group.codes, none));
  }
  return at;
}
#endif

static_assert(Alphabet::none == 0xFF, "as base_codes() has it");

void encode_dna(std::string_view symbols, std::uint8_t* codes, const Alphabet& alphabet,
                [[maybe_unused]] CpuPath path) {
  constexpr std::size_t width = sizeof(ByteLanes);
  std::size_t at = 0;
#ifdef __x86_64__
  if (path == CpuPath::avx2) at = encode_dna_avx2(symbols, codes);
#endif
  for (; at + width <= symbols.size(); at += width) {
    ByteLanes lanes;
    std::memcpy(&lanes, symbols.data() + at, width);
    lanes = base_codes(lanes);
    std::memcpy(codes + at, &lanes, width);
  }
  for (; at < symbols.size(); ++at)
    codes[at] = alphabet.code(symbols[at]);
}

void encode_symbols(std::string_view symbols, std::uint8_t* codes, const Alphabet& alphabet,
                    CpuPath path) {
  if (alphabet.policy() == SymbolPolicy::dna) return encode_dna(symbols, codes, alphabet, path);
  std::transform(symbols.begin(), symbols.end(), codes,
                 [&alphabet](char symbol) { return alphabet.code(symbol); });
}

}  // namespace

void PatternBuffer::encode(const RecordBatch& batch, const Alphabet& alphabet, CpuPath path) {
  packed_ = {};
  foreign_.clear();
  if (batch.bases.are_kept()) return take_bases(batch);
  codes_.reserve(batch.symbols.capacity());  // a batch that is a little larger needs no new memory
  codes_.resize(batch.symbols.size());
  encode_symbols(batch.symbols, codes_.data(), alphabet, path);
  ends_.assign(batch.symbol_ends.begin(), batch.symbol_ends.end());
}

void PatternBuffer::take_bases(const RecordBatch& batch) {
  codes_.clear();
  ends_.assign(batch.symbol_ends.begin(), batch.symbol_ends.end());
  packed_ = batch.bases.view();
  foreign_.assign(batch.size(), 0);
  batch.for_each_foreign([&](std::size_t query, char) { foreign_[query] = 1; });
}

void PatternBuffer::encode(std::span<const std::string_view> patterns, const Alphabet& alphabet,
                           CpuPath path) {
  packed_ = {};
  foreign_.clear();
  ends_.clear();
  std::uint64_t end = 0;
  for (const std::string_view pattern : patterns)
    ends_.push_back(end += pattern.size());
  codes_.resize(end);
  std::uint8_t* to = codes_.data();
  for (const std::string_view pattern : patterns) {
    encode_symbols(pattern, to, alphabet, path);
    to += pattern.size();
  }
}

}  // namespace gsx

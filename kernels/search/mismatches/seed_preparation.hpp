// Makes, on the device, what a search by pieces needs of patterns beside their entries and pieces.
#pragma once

#include <cstdint>

#include "kernels/base/stream.hpp"
#include "search/mismatches/seed_patterns.hpp"

namespace gsx::cuda {

/// Patterns of a batch and what is made of them, all in device memory.
struct SeedPreparation {
  const BaseSet* sets;  ///< of all patterns; `readable` bytes behind the last one can be read
  std::uint64_t symbols;
  const SeedEntry* entries;
  const SeedPiece* pieces;
  std::uint32_t patterns;
  const std::uint64_t* set_words;  ///< the first of SeedPatterns::words(), of patterns with sets

  std::uint32_t* packed;        ///< [packed_words(symbols, 2)], the symbols
  std::uint64_t* words;         ///< [SeedPatterns::all_words()]
  std::uint64_t* piece_begins;  ///< of each piece, in the symbols
  std::uint64_t* piece_ends;
  std::uint8_t* foreign;  ///< of each piece, 0: it has bases only

  static constexpr std::uint64_t readable = 16;
};

/// Packs the symbols, and makes of them the words of all strands; tells where each piece lies.
/// Positions that do not match one base are packed as some base: no piece has one. Asynchronous.
/// Throws DeviceError.
void prepare_seeds_async(const SeedPreparation& seeds, DeviceStream stream);

}  // namespace gsx::cuda

// Suffix arrays and BWTs from a back end: as a whole, or in chunks of a bounded size.
#pragma once

#include <cstdint>
#include <span>

#include "device/backend.hpp"
#include "index/sa/chunks.hpp"

namespace gsx {

/// The whole suffix array. Throws ResourceError where options.memory has no room for it.
SuffixArray build_suffix_array(Backend& backend, const TextView& text, BuildOptions options);

/// Adds all rows of the suffix array to a builder, as they come.
template <template <class> class Builder, class Pos>
void add_all_rows(Backend& backend, const TextView& text, const BuildOptions& options,
                  Builder<Pos>& builder) {
  backend.build_rows(text, options, [&](const SuffixArray& rows) {
    const std::span<const Pos> some = rows.entries<Pos>();
    builder.add(some.data(), some.size());
  });
}

/// The whole BWT, one code per row, Bwt::separator for separators.
Buffer<std::uint8_t> build_bwt(Backend& backend, const TextView& text, BuildOptions options);

/// Gives `sink` the suffix array in chunks of at most `most` rows. All of it is sorted before the
/// first call, unless options.memory has no room for that. Pre: most > 0.
void stream_suffix_array(Backend& backend, const TextView& text, const BuildOptions& options,
                         std::uint64_t most, const RowSink& sink);

/// Gives `sink` the codes of the BWT in such chunks.
void stream_bwt(Backend& backend, const TextView& text, const BuildOptions& options,
                std::uint64_t most, const CodeSink& sink);

}  // namespace gsx

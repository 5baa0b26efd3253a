// What a report says of k-mers: the table of gsx mappability --spectrum.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/text_view.hpp"

namespace gsx {

/// The k-mers of one length.
struct SpectrumPoint {
  std::uint64_t k;
  std::uint64_t distinct;
  std::uint64_t unique;
  std::uint64_t total;
};

/// Reads the table, plain or gzip; its rows are in the order of k. Throws InputError with the line
/// for anything else.
std::vector<SpectrumPoint> read_spectrum(const std::string& path);

/// Throws InputError if the first row cannot be of this text: the number of places of k-mers is
/// that of the text. Cost: one pass over the segments.
void require_spectrum_of(const SegmentsView& segments, const std::vector<SpectrumPoint>& rows,
                         const std::string& label);

/// Some of the rows: at most `most`, denser where k is small, and the first and the last.
std::vector<SpectrumPoint> thinned(const std::vector<SpectrumPoint>& rows, std::uint64_t most);

}  // namespace gsx

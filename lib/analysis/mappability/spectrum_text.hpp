// The spectrum of k-mers as a table and as a picture.
#pragma once

#include <string>
#include <string_view>

#include "analysis/mappability/unique_lengths.hpp"

namespace gsx {

/// The first line of a spectrum as TSV, and the line of one k.
inline constexpr std::string_view spectrum_header = "k\tdistinct\tunique\ttotal\n";
void append_spectrum_line(std::string& out, const KmerCounts& at);

/// An SVG image: the shares of distinct and of unique k-mers among all, over the logarithm of k.
std::string spectrum_plot(const KmerSpectrum& spectrum);

}  // namespace gsx

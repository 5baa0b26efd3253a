// The spectrum of k-mers as a table and as a picture.
#pragma once

#include <string>
#include <vector>

#include "mappability/unique_lengths.hpp"

namespace gsx {

/// TSV with the header `k distinct unique total`.
std::string spectrum_table(const std::vector<KmerCounts>& counts);

/// An SVG image: the shares of distinct and of unique k-mers among all, over the logarithm of k.
std::string spectrum_plot(const std::vector<KmerCounts>& counts);

}  // namespace gsx

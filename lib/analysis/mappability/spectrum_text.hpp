// The spectrum of k-mers as a table and as a picture.
#pragma once

#include <string>

#include "analysis/mappability/unique_lengths.hpp"
#include "base/columns.hpp"

namespace gsx {

/// A row is of one k.
using SpectrumColumns =
    Columns<Column<"k", &KmerCounts::k>, Column<"distinct", &KmerCounts::distinct>,
            Column<"unique", &KmerCounts::unique>, Column<"total", &KmerCounts::total>>;

/// An SVG image: the shares of distinct and of unique k-mers among all, over the logarithm of k.
std::string spectrum_plot(const KmerSpectrum& spectrum);

}  // namespace gsx

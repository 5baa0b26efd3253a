// Writers of reads that come in pairs.
#pragma once

#include <memory>

#include "run/filter_writer.hpp"

namespace gsx {

/// As make_filter_writer(). Pre: reads do not stand alone.
std::unique_ptr<FilterWriter> make_pair_writer(const FilterTask& task);

}  // namespace gsx

// Intervals of the suffix array.
#pragma once

#include "base/host_device.hpp"

namespace gsx {

/// Rows [begin, end) of the suffix array, whose suffixes start with some pattern.
template <class Pos>
struct Interval {
  Pos begin;
  Pos end;
  GSX_HD Pos count() const { return end - begin; }
};

}  // namespace gsx

// How many queries a run has, as far as the first of them tell.
#pragma once

#include "run/query_source.hpp"

namespace gsx {

struct QuerySample {
  double queries = 0;      ///< about; infinity if it is not known
  double mean_length = 0;  ///< in symbols
};

/// Reads the first 64 KB of the largest file, and goes from these and the sizes of all. Nothing is
/// read of what is no regular file. What cannot be read counts as unknown: the run will say why.
/// Takes little memory, whatever the files hold.
QuerySample sample_queries(const QueryInputs& inputs);

}  // namespace gsx

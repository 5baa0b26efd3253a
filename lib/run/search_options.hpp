// What a searcher may use of the machine.
#pragma once

#include <cstdint>
#include <string>

#include "search/exact/hits.hpp"

namespace gsx {

struct SearchOptions {
  /// auto, cpu, cuda, cuda:N, cuda:N,M,..., cuda:all. auto takes a GPU if there is one that
  /// is estimated to finish first, its start included; where queries come later, if the text is so
  /// large that they will be many: more than 17 million symbols per thread, of guides 29 million.
  std::string device = "auto";
  int threads = 0;                       ///< 0: as many as this process may run
  std::uint64_t gpu_memory = unlimited;  ///< bytes of a GPU's memory to use
  SearchMemory memory = {};              ///< for each thread
};

}  // namespace gsx

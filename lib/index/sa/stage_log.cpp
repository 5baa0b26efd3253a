#include "index/sa/stage_log.hpp"

#include "base/log.hpp"

namespace gsx {

void log_stage(Stopwatch& watch, const std::string& stage) {
  log().debug("suffix array: {} in {:.3f} s", stage, watch.lap());
}

}  // namespace gsx

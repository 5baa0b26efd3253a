#include "quiet_htslib.hpp"

#include <htslib/hts_log.h>

#include <mutex>

namespace gsx::python {
namespace {

std::mutex mutex;
int living = 0;
htsLogLevel before = HTS_LOG_WARNING;

}  // namespace

QuietHtslib::QuietHtslib() {
  const std::lock_guard<std::mutex> lock(mutex);
  if (living++ > 0) return;
  before = hts_get_log_level();
  hts_set_log_level(HTS_LOG_OFF);
}

QuietHtslib::~QuietHtslib() {
  const std::lock_guard<std::mutex> lock(mutex);
  if (--living == 0) hts_set_log_level(before);
}

}  // namespace gsx::python

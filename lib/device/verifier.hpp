// Checking on a device what was built.
#pragma once

#include <cstdint>
#include <optional>

#include "base/progress.hpp"
#include "device/device.hpp"
#include "index/sa/suffix_array.hpp"
#include "index/store/index.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Finds the same faults on every device, and names them in the same words.
class Verifier : public Device {
 public:
  /// What gsx::find_wrong_row (index/sa/checker.hpp) finds.
  virtual std::optional<std::uint64_t> find_wrong_row(const TextView& text, const SuffixArray& rows,
                                                      int threads) = 0;
  /// What gsx::verify_bwt (index/store/verify.hpp) does.
  virtual std::uint64_t verify_bwt(const Index& index, int threads,
                                   const ProgressReport& progress) = 0;
};

}  // namespace gsx

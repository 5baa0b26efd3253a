// Keeps htslib from printing.
#pragma once

namespace gsx::python {

/// While one lives, htslib writes no messages of its own to standard error: errors say what is
/// wrong. Its log level belongs to the process; when the last one goes, it is what it was before
/// the first.
class [[nodiscard]] QuietHtslib {
 public:
  QuietHtslib();
  ~QuietHtslib();
  QuietHtslib(const QuietHtslib&) = delete;
  QuietHtslib& operator=(const QuietHtslib&) = delete;
};

}  // namespace gsx::python

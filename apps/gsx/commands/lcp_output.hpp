// The file of gsx sa --lcp.
#pragma once

#include <memory>

#include "bytes/output.hpp"
#include "device/backend.hpp"
#include "index/lcp/lcp_array.hpp"
#include "index/sa/suffix_array.hpp"
#include "text/text_view.hpp"

namespace gsx::app {

/// How the values are written, and which.
struct LcpFormat {
  int width = 4;            ///< bytes per value
  bool text = false;        ///< a header, and one value per line, instead
  bool separators = false;  ///< the rows of the separators, too
};

/// Compares the rows of a suffix array as they come, and writes the LCP array once all have come.
class LcpOutput {
 public:
  /// Refers to the output.
  LcpOutput(Output& out, int threads);
  ~LcpOutput();
  LcpOutput(const LcpOutput&) = delete;

  /// Takes the memory for the array of a text from what a build may take. Long repeats take more:
  /// add() and finish() throw ResourceError where that is short.
  void begin(const TextView& text, BuildOptions& build);
  /// Takes the next rows.
  void add(const SuffixArray& rows);
  /// The array. Call it once, after all rows.
  LcpArray finish();
  void write(const LcpArray& lcp, const TextView& text, const LcpFormat& format);

 private:
  class Builder;
  template <class Pos>
  class BuilderOf;

  Output& out_;
  int threads_;
  std::unique_ptr<Builder> builder_;
};

}  // namespace gsx::app

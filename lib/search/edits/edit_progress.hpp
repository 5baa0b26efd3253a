// How far chunks of hits with edits have got, so that another searcher can go on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/edits/edits.hpp"

namespace gsx {

/// Passes chunks on and remembers how far they got, as HitProgress does.
class EditProgress {
 public:
  explicit EditProgress(const EditSink& sink) : sink_(sink) {}
  /// Leaves out hits that have been passed on. Pre: chunk.first <= pattern().
  void pass_on(EditChunk chunk);

  /// The first pattern whose hits have not all been passed on.
  std::size_t pattern() const { return pattern_; }
  /// Whether the sink is running or has thrown.
  bool in_sink() const { return in_sink_; }

 private:
  const EditSink& sink_;
  std::size_t pattern_ = 0;
  std::uint64_t hits_ = 0;  ///< hits of that pattern that have been passed on
  bool in_sink_ = false;
  std::vector<std::uint64_t> ends_;
};

}  // namespace gsx

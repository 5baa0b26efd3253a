#include "search/edits/edit_progress.hpp"

#include <algorithm>

namespace gsx {

void EditProgress::pass_on(EditChunk chunk) {
  if (chunk.first == pattern_ && chunk.before < hits_) {
    const std::uint64_t known = std::min(hits_ - chunk.before, chunk.ends[0]);
    const std::size_t whole = known == chunk.ends[0] ? 1 : 0;  // the pattern is left out
    if (whole == chunk.patterns()) return;
    ends_.assign(chunk.ends.begin() + static_cast<std::ptrdiff_t>(whole), chunk.ends.end());
    for (std::uint64_t& end : ends_)
      end -= known;
    chunk.before = whole == 1 ? 0 : chunk.before + known;
    chunk.first += whole;
    chunk.counts = chunk.counts.subspan(whole);
    chunk.ends = ends_;
    chunk.hits = chunk.hits.subspan(known);
  }
  in_sink_ = true;
  sink_(chunk);
  in_sink_ = false;
  const std::size_t last = chunk.patterns() - 1;
  const std::uint64_t begin = last == 0 ? 0 : chunk.ends[last - 1];
  const std::uint64_t done = (last == 0 ? chunk.before : 0) + chunk.ends[last] - begin;
  const bool complete = done == chunk.reported(last);
  pattern_ = chunk.first + last + (complete ? 1 : 0);
  hits_ = complete ? 0 : done;
}

}  // namespace gsx

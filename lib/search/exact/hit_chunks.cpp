#include "search/exact/hit_chunks.hpp"

namespace gsx {

void HitProgress::pass_on(HitChunk chunk) {
  if (chunk.first == pattern_ && chunk.before < hits_) {
    const std::uint64_t known = std::min(hits_ - chunk.before, chunk.ends[0]);
    if (known == chunk.ends[0] && chunk.patterns() == 1) return;
    leave_out_first_hits(chunk, known);
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

void HitProgress::leave_out_first_hits(HitChunk& chunk, std::uint64_t count) {
  const bool whole = count == chunk.ends[0];
  ends_.assign(chunk.ends.begin() + (whole ? 1 : 0), chunk.ends.end());
  for (std::uint64_t& end : ends_)
    end -= count;
  chunk.before = whole ? 0 : chunk.before + count;
  chunk.first += whole ? 1 : 0;
  chunk.counts = chunk.counts.subspan(whole ? 1 : 0);
  chunk.ends = ends_;
  chunk.hits = chunk.hits.subspan(count);
}

void give_in_pieces(
    const HitChunk& chunk, std::uint64_t most,
    const std::function<std::span<const Hit>(std::uint64_t begin, std::uint64_t count)>& fetch,
    const HitSink& sink) {
  std::vector<std::uint64_t> ends;
  std::uint64_t begin = 0;  // first hit of the next piece
  for (std::size_t i = 0; i < chunk.patterns();) {
    HitChunk piece = chunk;
    piece.first += i;
    piece.before = begin - (i == 0 ? 0 : chunk.ends[i - 1]);
    ends.clear();
    std::size_t next = i;
    std::uint64_t end = begin;
    for (; next < chunk.patterns() && chunk.ends[next] - begin <= most; ++next) {
      end = chunk.ends[next];
      ends.push_back(end - begin);
    }
    if (next < chunk.patterns() && end - begin < most) {  // and some hits of the next pattern
      end = begin + most;
      ends.push_back(most);
    }
    piece.counts = chunk.counts.subspan(i, ends.size());
    piece.ends = ends;
    piece.hits = fetch(begin, end - begin);
    sink(piece);
    begin = end;
    i = next;
  }
}

}  // namespace gsx

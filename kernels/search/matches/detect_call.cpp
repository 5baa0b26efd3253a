#include "kernels/search/matches/detect_call.hpp"

#include <algorithm>
#include <new>
#include <vector>

#include "base/error.hpp"
#include "kernels/search/matches/detect_slice.hpp"
#include "search/matches/detect_pieces.hpp"

namespace gsx::cuda {
namespace {

template <class Offset, class Pos>
class DetectCall {
 public:
  DetectCall(const DetectCallContext<Pos>& context, const Patterns& queries,
             const MatchRequest& request, std::span<std::uint8_t> matched)
      : context_(context), matched_(matched), most_symbols_(context.options.cutting.group_symbols) {
    asked_.codes = queries.codes.subspan(queries.begin, queries.symbols());
    asked_.forward = request.strands != Strands::reverse;
    asked_.reverse = context.complements && request.strands != Strands::forward;
    if (!asked_.forward && !asked_.reverse) return;
    const std::uint64_t min_length = std::max<std::uint64_t>(request.min_length, 1);
    asked_.min_length = static_cast<Offset>(min_length);  // which is shorter than every piece
    pieces_ =
        detect_pieces<Offset>(queries, context.index.fm.sigma, min_length, context.options.cutting);
  }

  void run() {
    for (std::size_t first = 0; first < pieces_.size();) {
      if (matched_[pieces_[first].query] != 0) {
        ++first;
        continue;
      }
      const std::size_t last = end_of_slice(first);
      if (search(first, last)) {
        first = last;
      } else if (last - first > 1) {
        most_symbols_ = symbols(first, last) / 2;
      } else {
        throw ResourceError("too little GPU memory for the " +
                            std::to_string(symbols(first, last)) +
                            " symbols of a piece of a query; free some, or use --device cpu");
      }
    }
  }

 private:
  /// Symbols from the first of these pieces to the last.
  std::uint64_t symbols(std::size_t first, std::size_t last) const {
    return pieces_[last - 1].begin + pieces_[last - 1].length - pieces_[first].begin;
  }
  /// The end of the pieces that are searched together with the first one.
  std::size_t end_of_slice(std::size_t first) const {
    std::size_t last = first + 1;
    while (last < pieces_.size() && symbols(first, last + 1) <= most_symbols_ &&
           pieces_[last].query - pieces_[first].query < tuning::patterns_at_once)
      ++last;
    return last;
  }
  /// Searches pieces [first, last) all at once. False if there is too little memory for so many.
  bool search(std::size_t first, std::size_t last) {
    asked_.pieces = std::span(pieces_).subspan(first, last - first);
    try {
      const DetectSlice slice(context_.lane, context_.index, asked_);
      const auto found = slice.matched();
      for (std::size_t i = 0; i < found.size(); ++i)
        matched_[pieces_[first].query + i] |= found[i];
      return true;
    } catch (const ResourceError&) {
    } catch (const std::bad_alloc&) {
    }
    context_.lane.release();
    context_.lanes.release_idle();
    return false;
  }

  DetectCallContext<Pos> context_;
  std::span<std::uint8_t> matched_;
  std::uint64_t most_symbols_;  ///< of pieces that are searched together, of more than one
  DetectSliceRequest<Offset> asked_;
  std::vector<DetectPiece<Offset>> pieces_;
};

}  // namespace

template <class Offset, class Pos>
void detect_matches(const DetectCallContext<Pos>& context, const Patterns& queries,
                    const MatchRequest& request, std::span<std::uint8_t> matched) {
  DetectCall<Offset, Pos>(context, queries, request, matched).run();
}

#define GSX_INSTANTIATE(Offset, Pos)                                                        \
  template void detect_matches<Offset, Pos>(const DetectCallContext<Pos>&, const Patterns&, \
                                            const MatchRequest&, std::span<std::uint8_t>)
GSX_INSTANTIATE(std::uint32_t, std::uint32_t);
GSX_INSTANTIATE(std::uint64_t, std::uint32_t);
GSX_INSTANTIATE(std::uint64_t, std::uint64_t);
#undef GSX_INSTANTIATE

}  // namespace gsx::cuda

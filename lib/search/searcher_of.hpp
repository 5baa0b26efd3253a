// What all searches have in common, of whatever kind and on whatever device.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace gsx {

/// What is asked of a batch as a whole.
template <class Kind>
struct StartRequest {
  typename Kind::Request what;
  bool streams = false;  ///< whether the results are asked for, not only their numbers
};

/// A kind of search is a struct that names
///   Batch         what is searched for at a time, and
///   Request       what is asked of it;
///   CountRequest  what matters of a request if only numbers are asked for, as it is passed;
///   Counts        numbers of results, by pattern of the batch;
///   Sink          a function that takes results, chunk by chunk;
///   Progress      what knows how far chunks have got, to go on elsewhere, as HitProgress;
///   Searcher      the class derived from this one, and
///   Setup         what one is opened with.
///
/// Such a searcher gives the same results on any device. Several threads may call const member
/// functions at once.
template <class Kind>
class SearcherOf {
 public:
  virtual ~SearcherOf() = default;
  /// Sets the numbers of results of each pattern.
  virtual void count(const typename Kind::Batch& batch, typename Kind::CountRequest request,
                     typename Kind::Counts& counts) const = 0;
  /// Gives `sink` the results, chunk by chunk, in the order of the batch. A call holds a bounded
  /// number of them, however many there are. Exceptions of the sink pass through.
  virtual void stream(const typename Kind::Batch& batch, const typename Kind::Request& request,
                      const typename Kind::Sink& sink) const = 0;
  /// Begins a search and returns at once what waits for it: a searcher for one call, of count() or
  /// stream() as `request` says, with the same batch. The batch must stay as it is until that
  /// returns, or until the started search is destroyed. Null if nothing would go on meanwhile: call
  /// the function of this searcher instead, which must outlive what it starts. Both calls may throw
  /// what those functions throw.
  virtual std::unique_ptr<typename Kind::Searcher> start(const typename Kind::Batch& batch,
                                                         const StartRequest<Kind>& request) const {
    static_cast<void>(batch), static_cast<void>(request);
    return nullptr;
  }
  /// How many patterns a call should hold where there are so many: enough to hide the latency of
  /// memory or of a device's driver, few enough for all threads to have some.
  virtual std::size_t best_batch() const { return 4096; }
  /// Whether it takes batches of packed patterns, too. Only an exact searcher of DNA does.
  virtual bool takes_packed() const { return false; }
};

namespace detail {
template <class Kind>
Kind kind_of(const SearcherOf<Kind>&);  // for its type only
}

/// The kind of search of a class of searchers.
template <class Some>
using KindOf = decltype(detail::kind_of(std::declval<const Some&>()));

}  // namespace gsx

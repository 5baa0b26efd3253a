#include "device/multi_device.hpp"

#include <algorithm>
#include <functional>
#include <mutex>
#include <type_traits>
#include <utility>

#include "base/parallel.hpp"
#include "device/forwarding_backend.hpp"
#include "device/forwarding_searcher.hpp"

namespace gsx {
namespace {

/// Searchers of the same texts, of which each batch takes the least busy one.
template <class Some>
class SearcherTurns {
 public:
  explicit SearcherTurns(std::vector<std::unique_ptr<Some>> searchers)
      : searchers_(std::move(searchers)), at_work_(searchers_.size()) {}
  /// At the same time, because each gives much memory back.
  ~SearcherTurns() {
    run_threads(static_cast<int>(searchers_.size()),
                [&](int thread) { searchers_[static_cast<std::size_t>(thread)].reset(); });
  }
  SearcherTurns(const SearcherTurns&) = delete;
  SearcherTurns& operator=(const SearcherTurns&) = delete;

  /// One batch's hold on the least busy searcher; of equally busy ones, on that after the last.
  class Turn {
   public:
    explicit Turn(const SearcherTurns& all) : all_(all) {
      const std::lock_guard lock(all.mutex_);
      const std::size_t count = all.searchers_.size();
      number_ = all.next_;
      for (std::size_t i = 1; i < count; ++i) {
        const std::size_t other = (all.next_ + i) % count;
        if (all.at_work_[other] < all.at_work_[number_]) number_ = other;
      }
      ++all.at_work_[number_];
      all.next_ = (number_ + 1) % count;
    }
    ~Turn() {
      const std::lock_guard lock(all_.mutex_);
      --all_.at_work_[number_];
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    const Some& searcher() const { return *all_.searchers_[number_]; }
    /// Lets the next batch have this one's turn.
    void pass() {
      const std::lock_guard lock(all_.mutex_);
      all_.next_ = number_;
    }

   private:
    const SearcherTurns& all_;
    std::size_t number_;
  };
  struct Started {
    std::unique_ptr<Turn> turn;  ///< the searcher counts as at work until this goes
    std::unique_ptr<Some> searcher;
  };

  const Some& front() const { return *searchers_.front(); }
  template <class Holds>
  bool all_are(const Holds& holds) const {
    return std::ranges::all_of(searchers_, [&](const auto& searcher) { return holds(*searcher); });
  }

  template <class Call>
  void ask(const Call& call, const Some* started = nullptr) const {
    if (started != nullptr) return call(*started);
    const Turn turn(*this);
    call(turn.searcher());
  }
  template <class Progress, class Sink, class Give>
  void stream(const Sink& sink, const Give& give, const Some* started = nullptr) const {
    ask([&](const Some& searcher) { give(searcher, sink, 0); }, started);
  }
  template <class Begin>
  Started start(const Begin& begin) const {
    auto turn = std::make_unique<Turn>(*this);
    auto searcher = begin(turn->searcher());
    if (!searcher) turn->pass();
    return {std::move(turn), std::move(searcher)};
  }
  void tell(const std::function<void(Some&)>& what) {
    for (const auto& searcher : searchers_)
      what(*searcher);
  }

 private:
  std::vector<std::unique_ptr<Some>> searchers_;
  mutable std::mutex mutex_;
  mutable std::vector<int> at_work_;
  mutable std::size_t next_ = 0;
};

/// Back ends of which the first builds and all search.
class SharingBackends {
 public:
  explicit SharingBackends(std::vector<std::unique_ptr<Backend>> backends)
      : backends_(std::move(backends)) {}

  std::string name() const {
    std::string names;
    for (const auto& backend : backends_)
      names += (names.empty() ? "" : " and ") + backend->name();
    return names;
  }
  /// Of the device that used most.
  std::uint64_t peak_bytes() const {
    std::uint64_t most = 0;
    for (const auto& backend : backends_)
      most = std::max(most, backend->peak_device_bytes());
    return most;
  }
  const Backend& searching() const { return *backends_.front(); }

  template <class Request>
  auto ask(const Request& request) {
    return request(*backends_.front());
  }
  template <class Take, class Build>
  void hand_over(const Take& take, const Build& build) {
    build(*backends_.front(), take);
  }
  /// Neighbours are found on the first device.
  template <class Kind>
  std::unique_ptr<typename Kind::Searcher> open(const typename Kind::Setup& setup) {
    if constexpr (std::is_same_v<Kind, NeighborSearch>) {
      return backends_.front()->open<Kind>(setup);
    } else {
      std::vector<std::unique_ptr<typename Kind::Searcher>> searchers(backends_.size());
      run_threads(static_cast<int>(backends_.size()), [&](int thread) {
        const auto i = static_cast<std::size_t>(thread);
        searchers[i] = backends_[i]->open<Kind>(setup);
      });
      return std::make_unique<ForwardingSearcher<Kind, SearcherTurns>>(std::in_place,
                                                                       std::move(searchers));
    }
  }

 private:
  std::vector<std::unique_ptr<Backend>> backends_;
};

}  // namespace

std::unique_ptr<Searcher> make_multi_device_searcher(
    std::vector<std::unique_ptr<Searcher>> searchers) {
  return std::make_unique<ForwardingSearcher<ExactSearch, SearcherTurns>>(std::in_place,
                                                                          std::move(searchers));
}

std::unique_ptr<Backend> make_multi_device_backend(std::vector<std::unique_ptr<Backend>> backends) {
  return std::make_unique<ForwardingBackend<SharingBackends>>(std::move(backends));
}

}  // namespace gsx

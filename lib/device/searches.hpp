// The searches of a device: a table, by kind, of how their searchers are opened.
#pragma once

#include <functional>
#include <memory>
#include <tuple>
#include <utility>

#include "search/exact/searcher.hpp"
#include "search/matches/matches.hpp"
#include "search/matches/pair_searcher.hpp"
#include "search/mismatches/mismatches.hpp"
#include "search/sets/neighbors.hpp"
#include "search/sets/prefix_finder.hpp"

namespace gsx {

/// Opens a searcher of a kind.
template <class Kind>
using OpenSearcher =
    std::function<std::unique_ptr<typename Kind::Searcher>(const typename Kind::Setup& setup)>;

/// How a device opens a searcher of each kind. What is opened must not outlive the device.
class Searches {
 public:
  /// Replaces the way to open searchers of a kind.
  template <class Kind>
  void set(OpenSearcher<Kind> open) {
    of<Kind>() = std::move(open);
  }
  template <class Kind>
  std::unique_ptr<typename Kind::Searcher> open(const typename Kind::Setup& setup) const {
    return std::get<Entry<Kind>>(table_).open(setup);
  }
  /// Calls make(kind, open) for each kind, where `kind` is a value of it and `open` its entry.
  template <class Make>
  void for_each(const Make& make) {
    std::apply([&](auto&... entries) { (make(entries.kind, entries.open), ...); }, table_);
  }

 private:
  template <class Kind>
  struct Entry {
    Kind kind;
    OpenSearcher<Kind> open;
  };
  template <class Kind>
  OpenSearcher<Kind>& of() {
    return std::get<Entry<Kind>>(table_).open;
  }

  /// A new kind of search stands here, and in the tables of the devices that have it.
  std::tuple<Entry<ExactSearch>, Entry<MismatchSearch>, Entry<MatchSearch>, Entry<PairSearch>,
             Entry<NeighborSearch>, Entry<PrefixSearch>>
      table_;
};

}  // namespace gsx

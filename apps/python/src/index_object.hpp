// An index as Python has it: with its searchers, which are made when they are first needed.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "background.hpp"
#include "gsx/batch.hpp"
#include "gsx/index.hpp"
#include "gsx/matches.hpp"
#include "gsx/mismatches.hpp"
#include "gsx/offtarget.hpp"

namespace gsx::python {

/// Makes a searcher once, when it is first asked for. Several threads may ask.
template <class Searcher>
class MadeOnce {
 public:
  const Searcher& get(const Index& index, const SearchOptions& options) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!searcher_) searcher_ = std::make_unique<Searcher>(index, options);
    return *searcher_;
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<Searcher> searcher_;
};

/// Several threads may call const functions. Functions that make searchers may take long, so call
/// them in the background.
class IndexObject {
 public:
  IndexObject(Index index, SearchOptions options)
      : index_(std::move(index)), options_(std::move(options)) {}

  const Index& index() const { return index_; }
  const SearchOptions& options() const { return options_; }

  const BatchSearcher& searcher() const { return exact_.get(index_, options_); }
  const MismatchBatchSearcher& mismatch_searcher() const { return near_.get(index_, options_); }
  const MatchBatchSearcher& match_searcher() const { return matches_.get(index_, options_); }
  const GuideSearcher& guide_searcher() const { return guides_.get(index_, options_); }

 private:
  Index index_;
  SearchOptions options_;
  mutable MadeOnce<BatchSearcher> exact_;
  mutable MadeOnce<MismatchBatchSearcher> near_;
  mutable MadeOnce<MatchBatchSearcher> matches_;
  mutable MadeOnce<GuideSearcher> guides_;
};

/// The strands that a word of Python means. Throws UsageError.
Strands strands_named(const std::string& word);

/// A number of at least `least`, or `otherwise` for None. Throws UsageError that names it.
std::uint64_t number_or(const std::optional<std::int64_t>& value, std::uint64_t otherwise,
                        const char* name, std::int64_t least = 1);

/// A number in [least, most]. Throws UsageError that names it.
std::uint32_t number_within(std::int64_t value, std::int64_t least, std::int64_t most,
                            const char* name);

/// As `-t`: 0 for as many as the process may run, 4096 at most. Throws UsageError.
inline int threads_within(int threads) {
  return static_cast<int>(number_within(threads, 0, 4096, "threads"));
}

using IndexClass = nanobind::class_<IndexObject>;

// Each adds functions to the module or to the class Index.
void register_sorting(nanobind::module_& module);
void register_building(nanobind::module_& module, IndexClass& index);
void register_records(nanobind::module_& module, IndexClass& index);
void register_counting(IndexClass& index);
void register_locating(IndexClass& index);
void register_matching(IndexClass& index);
void register_guides(IndexClass& index);
void register_mappability(IndexClass& index);

}  // namespace gsx::python

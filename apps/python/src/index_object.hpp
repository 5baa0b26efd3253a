// An index as Python has it: with its searchers, which are made when they are first needed.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "background.hpp"
#include "gsx/batch.hpp"
#include "gsx/error.hpp"
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
  void reset() { searcher_.reset(); }

 private:
  std::mutex mutex_;
  std::unique_ptr<Searcher> searcher_;
};

/// Several threads may call const functions. Functions that make searchers may take long, so call
/// them in the background. All but close() throw UsageError when it is closed.
class IndexObject {
 public:
  IndexObject(Index index, SearchOptions options)
      : index_(std::move(index)), options_(std::move(options)) {}

  const Index& index() const {
    if (!index_) throw UsageError("the index is closed");
    return *index_;
  }
  bool is_closed() const { return !index_; }
  const SearchOptions& options() const { return options_; }

  const BatchSearcher& searcher() const { return exact_.get(index(), options_); }
  const MismatchBatchSearcher& mismatch_searcher() const { return near_.get(index(), options_); }
  const MatchBatchSearcher& match_searcher() const { return matches_.get(index(), options_); }
  const GuideSearcher& guide_searcher() const { return guides_.get(index(), options_); }

  /// Lets go of the file and the memory. Throws UsageError while an InUse of it lives. The caller
  /// holds the lock of the interpreter, under which every InUse is made.
  void close() {
    if (users_ != 0)
      throw UsageError("the index is in use by another thread: close it when that is done");
    exact_.reset();
    near_.reset();
    matches_.reset();
    guides_.reset();
    index_.reset();
  }

 private:
  friend class InUse;
  std::optional<Index> index_;
  SearchOptions options_;
  mutable std::atomic<int> users_{0};
  mutable MadeOnce<BatchSearcher> exact_;
  mutable MadeOnce<MismatchBatchSearcher> near_;
  mutable MadeOnce<MatchBatchSearcher> matches_;
  mutable MadeOnce<GuideSearcher> guides_;
};

/// A call that works on an index, which cannot be closed meanwhile. Throws UsageError if it is.
class InUse {
 public:
  explicit InUse(const IndexObject& object) : object_(object) {
    (void)object.index();
    ++object.users_;
  }
  ~InUse() { --object_.users_; }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  const IndexObject& object_;
};

/// The strands that a word of Python means. Throws UsageError for another word.
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
void register_reading(nanobind::module_& module);
void register_building(nanobind::module_& module, IndexClass& index);
void register_opening(nanobind::module_& module, IndexClass& index);
void register_records(nanobind::module_& module, IndexClass& index);
void register_counting(IndexClass& index);
void register_locating(IndexClass& index);
void register_matching(IndexClass& index);
void register_guides(IndexClass& index);
void register_mappability(IndexClass& index);
void register_sets(nanobind::module_& module);

}  // namespace gsx::python

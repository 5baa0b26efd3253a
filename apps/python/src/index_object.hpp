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
#include <vector>

#include "background.hpp"
#include "gsx/error.hpp"
#include "gsx/guides.hpp"
#include "gsx/index.hpp"
#include "gsx/matches.hpp"
#include "gsx/primers.hpp"
#include "gsx/search.hpp"

namespace gsx::python {

/// Which places a call asks for, as SearchOptions has them.
struct Places {
  std::vector<std::uint64_t> circular;
  std::optional<std::vector<RecordRange>> regions;

  bool are_usual() const { return circular.empty() && !regions; }
};

/// Makes a searcher of the usual places once, when it is first asked for; of others, one for each
/// call. Several threads may ask.
template <class Searcher>
class MadeOnce {
 public:
  std::shared_ptr<const Searcher> get(const Index& index, const SearchOptions& options,
                                      const Places& places) {
    if (!places.are_usual()) {
      SearchOptions of_these = options;
      of_these.circular = places.circular;
      of_these.regions = places.regions;
      return std::make_shared<const Searcher>(index, of_these);
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!searcher_) searcher_ = std::make_shared<const Searcher>(index, options);
    return searcher_;
  }
  void reset() { searcher_.reset(); }

 private:
  std::mutex mutex_;
  std::shared_ptr<const Searcher> searcher_;
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

  std::shared_ptr<const BatchSearcher> searcher(const Places& places = {}) const {
    return exact_.get(index(), options_, places);
  }
  std::shared_ptr<const MismatchBatchSearcher> mismatch_searcher(const Places& places = {}) const {
    return near_.get(index(), options_, places);
  }
  std::shared_ptr<const MaximalMatchSearcher> match_searcher() const {
    return matches_.get(index(), options_, {});
  }
  std::shared_ptr<const GuideSearcher> guide_searcher(const Places& places = {}) const {
    return guides_.get(index(), options_, places);
  }
  std::shared_ptr<const AmpliconSearcher> amplicon_searcher(const Places& places = {}) const {
    return primers_.get(index(), options_, places);
  }

  /// Lets go of the file and the memory. Throws UsageError while an InUse of it lives. The caller
  /// holds the lock of the interpreter, under which every InUse is made.
  void close() {
    if (users_ != 0)
      throw UsageError("the index is in use by another thread: close it when that is done");
    exact_.reset();
    near_.reset();
    matches_.reset();
    guides_.reset();
    primers_.reset();
    index_.reset();
  }

 private:
  friend class InUse;
  std::optional<Index> index_;
  SearchOptions options_;
  mutable std::atomic<int> users_{0};
  mutable MadeOnce<BatchSearcher> exact_;
  mutable MadeOnce<MismatchBatchSearcher> near_;
  mutable MadeOnce<MaximalMatchSearcher> matches_;
  mutable MadeOnce<GuideSearcher> guides_;
  mutable MadeOnce<AmpliconSearcher> primers_;
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

/// The numbers of records that an iterable has by number or by name; `what` names it in messages.
/// Throws UsageError, ArgumentTypeError. Cost: one pass over all names if there is a name.
std::vector<std::uint64_t> records_of(const IndexObject& index, const nanobind::object& which,
                                      const char* what);

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
void register_primers(IndexClass& index);
void register_repeats(IndexClass& index);
void register_phrases(IndexClass& index);
void register_sets(nanobind::module_& module);

}  // namespace gsx::python

#include "run/query_tasks.hpp"

#include <optional>

#include "output/lines/record_counts.hpp"
#include "output/lines/sorted_hits.hpp"
#include "output/lines/target_finder.hpp"

namespace gsx {
namespace {

/// A task whose batches are searched and tallied.
class SearchTask : public QueryTask {
 public:
  std::optional<SearchRequest> request() const override { return search_.request(true); }
  std::function<void()> finish() final { return search_.finish(); }
  std::size_t bytes_to_finish() const final { return search_.bytes_to_finish(); }

 protected:
  SearchTask(const QueryRun& run, std::uint64_t max_hits) : search_(run, max_hits) {}

  QuerySearch search_;
};

class CountTask final : public SearchTask {
 public:
  explicit CountTask(const QueryRun& run) : SearchTask(run, unlimited) {}
  std::optional<SearchRequest> request() const override { return search_.request(false); }

  void run(const Searcher* searcher, QueryBatch& batch) override {
    search_.count(searcher, batch, counts_);
    append_counts(batch.text, batch.queries, counts_);
  }

 private:
  std::vector<StrandCounts> counts_;
};

class MismatchCountTask final : public SearchTask {
 public:
  explicit MismatchCountTask(const QueryRun& run) : SearchTask(run, unlimited) {}
  std::optional<SearchRequest> request() const override { return search_.request(false); }

  void run(const Searcher* searcher, QueryBatch& batch) override {
    search_.count_by_mismatches(searcher, batch, counts_);
    append_mismatch_counts(batch.text, batch.queries, counts_);
  }

 private:
  MismatchCounts counts_;
};

class RecordCountTask final : public SearchTask {
 public:
  RecordCountTask(const QueryRun& run, const QueryTargets& targets)
      : SearchTask(run, unlimited), targets_(targets) {}

  void run(const Searcher* searcher, QueryBatch& batch) override {
    RecordCounts counts(batch.text, batch.queries, targets_.records, targets_.segments);
    search_.stream(searcher, batch, [&](const HitChunk& chunk) { counts.add(chunk); });
    counts.finish();
  }

 private:
  QueryTargets targets_;
};

class FileCountTask final : public SearchTask {
 public:
  FileCountTask(const QueryRun& run, const QueryTargets& targets, const FileCountOptions& options)
      : SearchTask(run, unlimited), targets_(targets), options_(options) {}

  void run(const Searcher* searcher, QueryBatch& batch) override {
    FileCounts counts(batch.text, batch.queries, targets_.records, targets_.segments, options_);
    search_.stream(searcher, batch, [&](const HitChunk& chunk) { counts.add(chunk); });
    counts.finish();
  }

 private:
  QueryTargets targets_;
  FileCountOptions options_;
};

class LocateTask final : public SearchTask {
 public:
  LocateTask(const QueryRun& run, const QueryTargets& targets, LocateFormat format,
             LineSorter* sorter, bool with_files)
      : SearchTask(run, run.request.max_hits),
        targets_(targets),
        format_(format),
        with_files_(with_files),
        mismatched_(run.mismatches == nullptr ? nullptr : &run.mismatches->text) {
    const bool splits = format == LocateFormat::bed || format == LocateFormat::paf;
    std::optional<TargetFinder> parts;
    if (targets.circular && splits) parts.emplace(targets.records, targets.segments);
    if (sorter != nullptr) sorted_.emplace(sorter->collector(), parts);
  }

  void run(const Searcher* searcher, QueryBatch& batch) override {
    search_.stream(searcher, batch, [&](const HitChunk& chunk) { report(batch, chunk); });
  }

 private:
  void report(QueryBatch& batch, const HitChunk& chunk) {
    if (sorted_) sorted_->begin(batch.queries, chunk);
    append_hits(sorted_ ? sorted_->lines() : batch.text, batch.queries, chunk, targets_.records,
                targets_.segments, format_, mismatched_, with_files_);
    if (sorted_) sorted_->lines().flush();
  }

  QueryTargets targets_;
  LocateFormat format_;
  bool with_files_;
  const MismatchText* mismatched_;
  std::optional<SortedHits> sorted_;
};

class SilentLocateTask final : public SearchTask {
 public:
  explicit SilentLocateTask(const QueryRun& run) : SearchTask(run, run.request.max_hits) {}

  void run(const Searcher* searcher, QueryBatch& batch) override {
    search_.stream(searcher, batch, [](const HitChunk&) {});
  }
};

class AlignmentTask final : public SearchTask {
 public:
  AlignmentTask(const QueryRun& run, const QueryTargets& targets, const AlignmentHeader& header,
                const MismatchText& text)
      : SearchTask(run, run.request.max_hits),
        alignments_(header, targets.records, targets.segments, text) {}

  void run(const Searcher* searcher, QueryBatch& batch) override {
    search_.stream(searcher, batch, [&](const HitChunk& chunk) {
      alignments_.append(batch.text, batch.queries, chunk);
    });
  }

 private:
  Alignments alignments_;
};

}  // namespace

std::unique_ptr<QueryTask> make_alignment_task(const QueryRun& run, const QueryTargets& targets,
                                               const AlignmentHeader& header,
                                               const MismatchText& text) {
  return std::make_unique<AlignmentTask>(run, targets, header, text);
}

std::unique_ptr<QueryTask> make_count_task(const QueryRun& run) {
  return std::make_unique<CountTask>(run);
}

std::unique_ptr<QueryTask> make_mismatch_count_task(const QueryRun& run) {
  return std::make_unique<MismatchCountTask>(run);
}

std::unique_ptr<QueryTask> make_record_count_task(const QueryRun& run,
                                                  const QueryTargets& targets) {
  return std::make_unique<RecordCountTask>(run, targets);
}

std::unique_ptr<QueryTask> make_file_count_task(const QueryRun& run, const QueryTargets& targets,
                                                const FileCountOptions& options) {
  return std::make_unique<FileCountTask>(run, targets, options);
}

std::unique_ptr<QueryTask> make_locate_task(const QueryRun& run, const QueryTargets& targets,
                                            LocateFormat format, LineSorter* sorter,
                                            bool with_files) {
  return std::make_unique<LocateTask>(run, targets, format, sorter, with_files);
}

std::unique_ptr<QueryTask> make_silent_locate_task(const QueryRun& run) {
  return std::make_unique<SilentLocateTask>(run);
}

}  // namespace gsx

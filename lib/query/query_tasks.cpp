#include "query/query_tasks.hpp"

#include <optional>

#include "report/record_counts.hpp"
#include "report/sorted_hits.hpp"
#include "report/target_finder.hpp"

namespace gsx {
namespace {

class CountTask final : public QueryTask {
 public:
  explicit CountTask(const QueryRun& run) : search_(run, unlimited) {}

  void run(const Searcher* searcher, QueryBatch& batch) override {
    search_.count(searcher, batch, counts_);
    append_counts(batch.text, batch.queries, counts_);
  }
  std::function<void()> finish() override { return search_.finish(); }

 private:
  QuerySearch search_;
  std::vector<StrandCounts> counts_;
};

class MismatchCountTask final : public QueryTask {
 public:
  explicit MismatchCountTask(const QueryRun& run) : search_(run, unlimited) {}

  void run(const Searcher* searcher, QueryBatch& batch) override {
    search_.count_by_mismatches(searcher, batch, counts_);
    append_mismatch_counts(batch.text, batch.queries, counts_);
  }
  std::function<void()> finish() override { return search_.finish(); }

 private:
  QuerySearch search_;
  MismatchCounts counts_;
};

class RecordCountTask final : public QueryTask {
 public:
  RecordCountTask(const QueryRun& run, const QueryTargets& targets)
      : targets_(targets), search_(run, unlimited) {}

  void run(const Searcher* searcher, QueryBatch& batch) override {
    RecordCounts counts(batch.text, batch.queries, targets_.records, targets_.segments);
    search_.stream_hits(searcher, batch, [&](const HitChunk& chunk) { counts.add(chunk); });
    counts.finish();
  }
  std::function<void()> finish() override { return search_.finish(); }

 private:
  QueryTargets targets_;
  QuerySearch search_;
};

class FileCountTask final : public QueryTask {
 public:
  FileCountTask(const QueryRun& run, const QueryTargets& targets, const FileCountOptions& options)
      : targets_(targets), options_(options), search_(run, unlimited) {}

  void run(const Searcher* searcher, QueryBatch& batch) override {
    FileCounts counts(batch.text, batch.queries, targets_.records, targets_.segments, options_);
    search_.stream_hits(searcher, batch, [&](const HitChunk& chunk) { counts.add(chunk); });
    counts.finish();
  }
  std::function<void()> finish() override { return search_.finish(); }

 private:
  QueryTargets targets_;
  FileCountOptions options_;
  QuerySearch search_;
};

class LocateTask final : public QueryTask {
 public:
  LocateTask(const QueryRun& run, const QueryTargets& targets, LocateFormat format,
             LineSorter* sorter, bool with_files)
      : targets_(targets),
        format_(format),
        with_files_(with_files),
        mismatched_(run.mismatches == nullptr ? nullptr : &run.mismatches->text),
        search_(run, run.request.max_hits) {
    const bool splits = format == LocateFormat::bed || format == LocateFormat::paf;
    std::optional<TargetFinder> parts;
    if (targets.circular && splits) parts.emplace(targets.records, targets.segments);
    if (sorter != nullptr) sorted_.emplace(sorter->collector(), parts);
  }

  void run(const Searcher* searcher, QueryBatch& batch) override {
    search_.stream_hits(searcher, batch, [&](const HitChunk& chunk) { report(batch, chunk); });
  }
  std::function<void()> finish() override { return search_.finish(); }

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
  QuerySearch search_;
  std::optional<SortedHits> sorted_;
};

class SilentLocateTask final : public QueryTask {
 public:
  explicit SilentLocateTask(const QueryRun& run) : search_(run, run.request.max_hits) {}

  void run(const Searcher* searcher, QueryBatch& batch) override {
    search_.stream_hits(searcher, batch, [](const HitChunk&) {});
  }
  std::function<void()> finish() override { return search_.finish(); }

 private:
  QuerySearch search_;
};

class AlignmentTask final : public QueryTask {
 public:
  AlignmentTask(const QueryRun& run, const QueryTargets& targets, const AlignmentHeader& header,
                const MismatchText& text)
      : alignments_(header, targets.records, targets.segments, text),
        search_(run, run.request.max_hits) {}

  void run(const Searcher* searcher, QueryBatch& batch) override {
    search_.stream_hits(searcher, batch, [&](const HitChunk& chunk) {
      alignments_.append(batch.text, batch.queries, chunk);
    });
  }
  std::function<void()> finish() override { return search_.finish(); }

 private:
  Alignments alignments_;
  QuerySearch search_;
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

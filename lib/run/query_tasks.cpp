#include "run/query_tasks.hpp"

#include <optional>

#include "output/lines/count_lines.hpp"
#include "output/lines/hit_lines.hpp"
#include "output/lines/place_counts.hpp"
#include "output/parts/part_writer.hpp"

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

/// Gives how often the queries of a batch occur in the places that have hits of them.
void count_places(QuerySearch& search, const Searcher* searcher, QueryBatch& batch, CountPlace by,
                  const QueryTargets& targets, const PlaceCounts::Take& take) {
  PlaceCounts counts(by, targets.records, targets.segments, take);
  search.stream(searcher, batch, [&](const HitChunk& chunk) { counts.add(chunk); });
  counts.finish();
}

class RecordCountTask final : public SearchTask {
 public:
  RecordCountTask(const QueryRun& run, const QueryTargets& targets)
      : SearchTask(run, unlimited), targets_(targets) {}

  void run(const Searcher* searcher, QueryBatch& batch) override {
    RecordCountLines lines(batch.text, batch.queries, targets_.records);
    count_places(search_, searcher, batch, CountPlace::record, targets_,
                 [&](std::size_t query, std::uint64_t record, const StrandCounts& counts) {
                   lines.add(query, record, counts);
                 });
  }

 private:
  QueryTargets targets_;
};

class FileCountTask final : public SearchTask {
 public:
  FileCountTask(const QueryRun& run, const QueryTargets& targets, const FileCountOptions& options)
      : SearchTask(run, unlimited), targets_(targets), options_(options) {}

  void run(const Searcher* searcher, QueryBatch& batch) override {
    FileCountLines lines(batch.text, batch.queries, targets_.records.files, options_);
    count_places(search_, searcher, batch, CountPlace::file, targets_,
                 [&](std::size_t query, std::uint64_t file, const StrandCounts& counts) {
                   lines.add(query, file, counts);
                 });
    lines.finish();
  }

 private:
  QueryTargets targets_;
  FileCountOptions options_;
};

class LocateTask final : public SearchTask {
 public:
  LocateTask(const QueryRun& run, const QueryTargets& targets, const HitLineOptions& options)
      : SearchTask(run, run.request.max_hits), lines_(targets.records, targets.segments, options) {
    if (run.mismatches != nullptr && options.format == ResultFormat::paf)
      finder_.emplace(run.mismatches->text(), targets.records, targets.segments);
  }

  void run(const Searcher* searcher, QueryBatch& batch) override {
    search_.stream(searcher, batch, [&](const HitChunk& chunk) {
      if (finder_) finder_->find(batch.queries, chunk, mismatches_);
      lines_.add(batch.text, batch.queries, chunk, &mismatches_);
    });
  }

 private:
  HitLines lines_;
  std::optional<MismatchFinder> finder_;  ///< where the format tells the mismatches
  MismatchPlaces mismatches_;
};

/// The counts of queries for a partial result.
class PartCountTask final : public SearchTask {
 public:
  PartCountTask(const QueryRun& run, const QueryTargets& targets, PartContent content)
      : SearchTask(run, unlimited), targets_(targets), content_(content) {}
  std::optional<SearchRequest> request() const override {
    return search_.request(content_ == PartContent::record_counts ||
                           content_ == PartContent::file_counts);
  }

  void run(const Searcher* searcher, QueryBatch& batch) override {
    PartCounts part(batch.text, batch.queries);
    const auto add = [&](std::size_t query, std::uint64_t place, const StrandCounts& counts) {
      if (counts.total() != 0) part.add(query, place, counts);
    };
    switch (content_) {
      case PartContent::counts:
        search_.count(searcher, batch, counts_);
        for (std::size_t i = 0; i < counts_.size(); ++i)
          add(i, 0, counts_[i]);
        break;
      case PartContent::mismatch_counts:
        search_.count_by_mismatches(searcher, batch, by_mismatches_);
        for (std::size_t i = 0; i < by_mismatches_.patterns(); ++i)
          for (std::size_t m = 0; m < by_mismatches_.classes(); ++m)
            add(i, m, {by_mismatches_.of(i, false)[m], by_mismatches_.of(i, true)[m]});
        break;
      default:
        count_places(search_, searcher, batch,
                     content_ == PartContent::file_counts ? CountPlace::file : CountPlace::record,
                     targets_, add);
    }
    part.finish();
  }

 private:
  QueryTargets targets_;
  PartContent content_;
  std::vector<StrandCounts> counts_;
  MismatchCounts by_mismatches_;
};

/// The hits of queries for a partial result.
class PartHitTask final : public SearchTask {
 public:
  PartHitTask(const QueryRun& run, const QueryTargets& targets)
      : SearchTask(run, run.request.max_hits) {
    if (run.mismatches != nullptr)
      finder_.emplace(run.mismatches->text(), targets.records, targets.segments);
  }

  void run(const Searcher* searcher, QueryBatch& batch) override {
    PartHits part(batch.text, batch.queries);
    search_.stream(searcher, batch, [&](const HitChunk& chunk) {
      if (finder_) finder_->find(batch.queries, chunk, mismatches_);
      part.add(chunk, finder_ ? &mismatches_ : nullptr);
    });
  }

 private:
  std::optional<MismatchFinder> finder_;
  MismatchPlaces mismatches_;
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
                                            ResultFormat format, LineSorter* sorter,
                                            bool with_files) {
  const HitLineOptions options{format, targets.circular, with_files, sorter};
  return std::make_unique<LocateTask>(run, targets, options);
}

std::unique_ptr<QueryTask> make_part_task(const QueryRun& run, const QueryTargets& targets,
                                          PartContent content) {
  if (holds_hits(content)) return std::make_unique<PartHitTask>(run, targets);
  return std::make_unique<PartCountTask>(run, targets, content);
}

std::unique_ptr<QueryTask> make_silent_locate_task(const QueryRun& run) {
  return std::make_unique<SilentLocateTask>(run);
}

}  // namespace gsx

#include "run/filter_pipeline.hpp"

#include <optional>
#include <utility>

#include "base/ordered_pipeline.hpp"
#include "run/odd_symbols.hpp"
#include "run/patterns.hpp"

namespace gsx {
namespace {

class FilterWorker {
 public:
  FilterWorker(const FilterPipeline& pipeline, FilterWriter& writer)
      : pipeline_(pipeline), writer_(writer), clock_(pipeline.times) {
    if (pipeline.tally != nullptr)
      finder_.emplace(pipeline.searcher, *pipeline.places, pipeline.targets, pipeline.segments);
  }

  FilteredReads& prepare(RecordBatch& batch, const ItemTurn&) {
    clock_.restart();
    patterns_.encode(batch, pipeline_.alphabet, pipeline_.path);
    clock_.done(Stage::encode);
    const Patterns patterns = patterns_.patterns();
    find_matching(pipeline_.searcher, patterns, pipeline_.rules, found_.matched);
    found_.unmatchable =
        count_unmatchable(patterns, pipeline_.rules.request.min_length, found_.matched);
    found_.too_short = count_shorter(patterns, pipeline_.rules.request.min_length);
    if (finder_) finder_->find(patterns, found_.matched, pipeline_.rules.request, found_.records);
    found_.like_dna = 0;
    if (pipeline_.alphabet.policy() == SymbolPolicy::protein) {
      for (std::size_t i = 0; i < batch.size(); ++i)
        found_.like_dna += looks_like_dna(batch.sequence(i)) ? 1 : 0;
    }
    std::swap(batch, found_.reads);
    // The pipeline goes on by the number.
    batch.number = found_.reads.number;
    clock_.done(Stage::search);
    return found_;
  }
  void commit(FilteredReads& found) {
    clock_.done(Stage::wait);
    if (pipeline_.tally != nullptr) pipeline_.tally->add(found.records);
    writer_.take(found);
    writer_.flush_streams();
    if (pipeline_.report) pipeline_.report(writer_.figures());
    clock_.done(Stage::write);
  }

 private:
  const FilterPipeline& pipeline_;
  FilterWriter& writer_;
  StageClock clock_;
  PatternBuffer patterns_;
  std::optional<BestRecordFinder> finder_;
  FilteredReads found_;
};

}  // namespace

void run_filter(const FilterPipeline& pipeline, const NextBatch& next, FilterWriter& writer) {
  run_and_hand_over<FilteredReads, RecordBatch>(
      next, pipeline.threads, [&] { return FilterWorker(pipeline, writer); }, pipeline.times);
  writer.finish();
}

}  // namespace gsx

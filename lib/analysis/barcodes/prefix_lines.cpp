#include "analysis/barcodes/prefix_lines.hpp"

#include <string>
#include <utility>

#include "base/ordered_pipeline.hpp"
#include "base/text_pieces.hpp"
#include "output/lines/line_writer.hpp"
#include "output/lines/query_names.hpp"
#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

constexpr std::uint32_t none = PrefixSetView::none;
constexpr std::string_view none_columns = ".\t0";

/// What is left to be done for a batch when those before it are done.
struct FoundPrefixes {
  std::string text;
  std::vector<std::uint32_t> entries;  ///< of each query, or `none`
};

class PrefixWorker {
 public:
  PrefixWorker(const PrefixPipeline& pipeline, PrefixFigures& all)
      : pipeline_(pipeline),
        all_(all),
        clock_(pipeline.times),
        text_(pipeline.piece_bytes, [this](std::string& text) { write_in_turn(text); }) {}
  PrefixWorker(const PrefixWorker&) = delete;  // text_ refers to this object
  PrefixWorker& operator=(const PrefixWorker&) = delete;

  FoundPrefixes& prepare(const RecordBatch& batch, const ItemTurn& turn) {
    clock_.restart();
    turn_ = &turn;
    queries_.clear();
    for (std::size_t i = 0; i < batch.size(); ++i)
      queries_.push_back(batch.sequence(i));
    found_.entries.resize(batch.size());
    pipeline_.finder.find(queries_, found_.entries);
    clock_.done(Stage::search);
    std::swap(text_.text(), found_.text);  // for its memory
    if (pipeline_.lines) write_lines(batch);
    std::swap(text_.text(), found_.text);
    clock_.done(Stage::format);
    return found_;
  }
  void commit(FoundPrefixes& found) {
    clock_.done(Stage::wait);
    for (const std::uint32_t entry : found.entries) {
      if (entry == none) continue;
      ++all_.matched;
      ++all_.counts[entry];
    }
    all_.queries += found.entries.size();
    if (pipeline_.lines) pipeline_.write(found.text, true);
    found.text.clear();
    if (pipeline_.report) pipeline_.report(all_);
    clock_.done(Stage::write);
  }

 private:
  void write_lines(const RecordBatch& batch) {
    LineWriter lines(text_);
    QueryNames names(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::uint32_t entry = found_.entries[i];
      const std::string_view name = names[i].text;
      const std::string_view columns =
          entry == none ? none_columns : pipeline_.entries.columns[entry];
      char* at = lines.begin(name.size() + columns.size() + 2);
      at = put_text(at, name);
      *at++ = '\t';
      at = put_text(at, columns);
      *at++ = '\n';
      lines.end(at);
    }
    lines.flush();
  }
  /// The batch has more text than may be held: waits for its turn now instead of at its end.
  void write_in_turn(std::string& text) {
    clock_.done(Stage::format);
    turn_->wait();
    clock_.done(Stage::wait);
    pipeline_.write(text, false);
    text.clear();
    clock_.done(Stage::write);
  }

  const PrefixPipeline& pipeline_;
  PrefixFigures& all_;
  StageClock clock_;
  const ItemTurn* turn_ = nullptr;
  TextPieces text_;
  std::vector<std::string_view> queries_;
  FoundPrefixes found_;
};

}  // namespace

PrefixFigures find_prefixes(const PrefixPipeline& pipeline, const NextBatch& next) {
  PrefixFigures all;
  all.counts.resize(pipeline.entries.set.size());
  run_and_hand_over<FoundPrefixes, RecordBatch>(
      next, pipeline.threads, [&] { return PrefixWorker(pipeline, all); }, pipeline.times);
  return all;
}

void write_prefix_counts(const PrefixEntries& entries, const PrefixFigures& figures,
                         const WriteText& write) {
  TextPieces pieces(std::size_t{1} << 16, [&](std::string& text) {
    write(text);
    text.clear();
  });
  const auto add = [&](std::string_view columns, std::uint64_t count) {
    pieces.text() += columns;
    append_column(pieces.text(), count);
    pieces.text() += '\n';
    pieces.check();
  };
  for (std::uint32_t i = 0; i < entries.set.size(); ++i)
    add(entries.columns[i], figures.counts[i]);
  add(none_columns, figures.queries - figures.matched);
  pieces.flush();
}

}  // namespace gsx

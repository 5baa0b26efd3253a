#include "run/prefix_task.hpp"

#include <string>
#include <utility>

#include "base/text_pieces.hpp"
#include "output/lines/line_writer.hpp"
#include "output/lines/query_names.hpp"
#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

constexpr std::uint32_t none = PrefixSetView::none;
constexpr std::string_view none_columns = ".\t0";

class PrefixTask final : public QueryTask {
 public:
  PrefixTask(const PrefixRules& rules, PrefixFigures& all, const std::function<void()>& report)
      : rules_(rules), all_(all), report_(report) {}

  void run(const Searcher*, QueryBatch& batch) override {
    queries_.clear();
    for (std::size_t i = 0; i < batch.queries.size(); ++i)
      queries_.push_back(batch.queries.sequence(i));
    found_.resize(queries_.size());
    rules_.finder.find(queries_, found_);
    batch.clock.done(Stage::search);
    if (rules_.lines) write_lines(batch);
  }
  std::function<void()> finish() override {
    return [&all = all_, &report = report_, found = std::exchange(found_, {})] {
      for (const std::uint32_t entry : found) {
        if (entry == none) continue;
        ++all.matched;
        ++all.counts[entry];
      }
      all.queries += found.size();
      report();
    };
  }
  std::size_t bytes_to_finish() const override { return found_.size() * sizeof(found_[0]); }

 private:
  void write_lines(QueryBatch& batch) const {
    LineWriter lines(batch.text);
    QueryNames names(batch.queries);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      batch.at = i;
      const std::uint32_t entry = found_[i];
      const std::string_view name = names[i].text;
      const std::string_view columns = entry == none ? none_columns : rules_.entries.columns[entry];
      char* at = lines.begin(name.size() + columns.size() + 2);
      at = put_text(at, name);
      *at++ = '\t';
      at = put_text(at, columns);
      *at++ = '\n';
      lines.end(at);
    }
    lines.flush();
  }

  PrefixRules rules_;
  PrefixFigures& all_;
  const std::function<void()>& report_;
  std::vector<std::string_view> queries_;
  std::vector<std::uint32_t> found_;  ///< of each query of the batch, or `none`
};

}  // namespace

std::unique_ptr<QueryTask> make_prefix_task(const PrefixRules& rules, PrefixFigures& all,
                                            const std::function<void()>& report) {
  return std::make_unique<PrefixTask>(rules, all, report);
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

#include "run/query_tally.hpp"

#include <algorithm>
#include <utility>

namespace gsx {

void QueryTally::add(const QueryFigures& figures, const std::string& unmatched) {
  figures_.add(figures);
  if (unmatched_ != nullptr) unmatched_->write(unmatched);
}

void BatchTally::begin(const RecordBatch& queries, const Patterns& patterns) {
  if (run_ == nullptr) return;
  begin(queries);
  figures_.odd = find_odd_queries(queries, patterns, run_->alphabet());
}

void BatchTally::begin(const RecordBatch& queries) {
  if (run_ == nullptr) return;
  figures_ = {};
  if (run_->alphabet().policy() == SymbolPolicy::protein) {
    for (std::size_t i = 0; i < queries.size(); ++i)
      figures_.like_dna += looks_like_dna(queries.sequence(i)) ? 1 : 0;
  }
  unmatched_.clear();
}

void BatchTally::begin(const RecordBatch& queries, const MismatchRules& rules, bool all_asked) {
  if (run_ == nullptr) return;
  figures_ = {};
  unmatched_.clear();
  if (all_asked) return;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (auto why = why_unasked(queries.sequence(i), rules))
      figures_.unasked.add(queries.name(i), std::move(*why));
  }
}

std::function<void()> BatchTally::finish() {
  if (run_ == nullptr) return {};
  return [run = run_, figures = std::move(figures_), unmatched = std::move(unmatched_)] {
    run->add(figures, unmatched);
  };
}

void BatchTally::add_unmatched(const RecordBatch& queries, std::size_t i) {
  unmatched_.append(">").append(queries.name(i));
  if (const auto comment = queries.comment(i); !comment.empty()) {
    const bool has_blank = comment.front() == ' ' || comment.front() == '\t';
    unmatched_.append(has_blank ? "" : " ").append(comment);
  }
  unmatched_.append("\n").append(queries.sequence(i)).append("\n");
}

}  // namespace gsx

#include "query_results.hpp"

#include <spdlog/fmt/fmt.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "report/text_format.hpp"

namespace gsx::app {
namespace {

std::string number_of(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

std::string_view shown_policy(SymbolPolicy policy) {
  return policy == SymbolPolicy::dna ? "DNA" : name_of(policy);
}

QueryResults::QueryResults(const Index& index, const std::string& unmatched,
                           const std::string& summary)
    : index_(index) {
  if (!unmatched.empty()) {
    unmatched_.emplace(unmatched, encoding_for(unmatched));
    unmatched_->check_before_writing([&index] { index.require_unchanged(); });
  }
  if (!summary.empty()) summary_.emplace(summary, encoding_for(summary));
}

void QueryResults::add(const QueryFigures& figures, const std::string& unmatched) {
  figures_.add(figures);
  if (unmatched_) unmatched_->write(unmatched);
}

void QueryResults::commit(const std::string& command, const std::string& options) {
  if (unmatched_) unmatched_->commit();
  if (!summary_) return;
  summary_->write(summary(command, options));  // the last file: where it is, all are
  summary_->commit();
}

std::string QueryResults::summary(const std::string& command, const std::string& options) const {
  return fmt::format(
      "{{\"version\":\"{}\",\"command\":\"{}\",\"queries\":{},\"queries_with_hits\":{},"
      "\"queries_that_cannot_match\":{},\"queries_truncated\":{},\"hits\":{},\"hits_reported\":{},"
      "\"records\":{},\"options\":{{{}}}}}\n",
      GSX_VERSION, command, figures_.queries, figures_.with_hits, figures_.odd.count,
      figures_.truncated, figures_.hits, figures_.reported, index_.records().size(), options);
}

void QueryResults::report() const {
  log().info("{}, {} with hits, {}", number_of(figures_.queries, "query", "queries"),
             figures_.with_hits, number_of(figures_.hits, "hit", "hits"));
  const OddQueries& odd = figures_.odd;
  if (odd.count == 0) return;
  const bool all_wrong = odd.wrong == figures_.queries;
  const SymbolOfQuery& first = all_wrong ? odd.first_wrong : odd.first;
  const std::string what = fmt::format(
      "{} of {} {} symbols that this {} index does not have, so {} (first: '{}' in '{}')",
      odd.count, number_of(figures_.queries, "query", "queries"), odd.count == 1 ? "holds" : "hold",
      shown_policy(index_.alphabet().policy()),
      odd.count == 1 ? "it matches nothing" : "they match nothing", printable({&first.symbol, 1}),
      shown_name(first.name));
  if (all_wrong) {
    throw InputError("no query can match: " + what +
                     "; write out IUPAC codes, and search an index of the same alphabet");
  }
  log().warn(what);
}

void BatchResults::begin(const RecordBatch& queries, const Patterns& patterns,
                         std::size_t tag_length) {
  tag_length_ = tag_length;
  figures_ = {};
  figures_.odd = find_odd_queries(queries, patterns, results_.index().alphabet());
  unmatched_.clear();
}

void BatchResults::add_unmatched(const RecordBatch& queries, std::size_t i) {
  std::string_view name = queries.name(i);
  name.remove_suffix(tag_length_);
  unmatched_.append(">").append(name);
  if (const auto comment = queries.comment(i); !comment.empty()) {
    const bool has_blank = comment.front() == ' ' || comment.front() == '\t';
    unmatched_.append(has_blank ? "" : " ").append(comment);
  }
  unmatched_.append("\n").append(queries.sequence(i)).append("\n");
}

}  // namespace gsx::app

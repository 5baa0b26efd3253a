#include "analysis/primers/primers.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "records/lists/primer_names.hpp"
#include "records/sequence_file.hpp"

namespace gsx {
namespace {

/// The pattern of a primer; a mismatch at its 3' end rules a place out if none may be there.
std::vector<BaseSet> pattern_of(std::string_view primer, const PrimerRules& rules) {
  std::vector<BaseSet> pattern;
  for (const char letter : primer)
    pattern.push_back(iupac_base_set(letter));
  if (rules.end_mismatches != 0) return pattern;
  const std::size_t strict = std::min<std::size_t>(rules.end_bases, pattern.size());
  for (std::size_t i = pattern.size() - strict; i < pattern.size(); ++i)
    pattern[i] |= base_sets::must_match;
  return pattern;
}

/// Places of `length` symbols in so many.
std::uint64_t places_in(std::uint64_t symbols, std::uint64_t length) {
  return symbols < length ? 0 : symbols - length + 1;
}

}  // namespace

std::optional<std::string> why_unasked(const PrimerPair& pair, const PrimerRules& rules) {
  for (const bool reverse : {false, true}) {
    const std::string& primer = reverse ? pair.reverse : pair.forward;
    const char* const which = reverse ? "reverse" : "forward";
    if (auto why = why_unasked(primer, MismatchRules{rules.mismatches, true}))
      return std::string("has a ") + which + " primer that " + *why;
  }
  return std::nullopt;
}

PrimerReader::PrimerReader(std::vector<std::string> paths, std::vector<PrimerPair> first)
    : first_(std::move(first)), reader_(std::move(paths), ListForm::pairs) {}

bool PrimerReader::next(std::vector<PrimerPair>& pairs, std::size_t most,
                        std::uint64_t most_symbols) {
  constexpr std::uint64_t symbol_bytes = 16, least_bytes = std::uint64_t{1} << 20;
  most_waiting_ = std::max(std::min(most_symbols, ~std::uint64_t{0} / symbol_bytes) * symbol_bytes,
                           least_bytes);
  pairs = std::exchange(first_, {});
  if (!pairs.empty()) return true;
  std::uint64_t symbols = 0;
  while (pairs.size() < most && symbols < most_symbols && next_pair(pairs))
    symbols += pairs.back().forward.size() + pairs.back().reverse.size();
  return !pairs.empty();
}

/// Adds the next pair; false if there is none, or if there are some to be given before an error.
bool PrimerReader::next_pair(std::vector<PrimerPair>& pairs) {
  const std::size_t before = pairs.size();
  for (;;) {
    if (auto pair = single_.take()) pairs.push_back(std::move(*pair));
    if (pairs.size() > before) return true;
    if (failure_ && pairs.empty()) std::rethrow_exception(failure_);
    if (failure_ || ended_) return false;
    try {
      read_on(pairs);
    } catch (const Error&) {
      failure_ = std::current_exception();
      single_.give_up();
    }
  }
}

/// Reads the next record: a pair, or a single primer. Ends a file before those of the next one.
void PrimerReader::read_on(std::vector<PrimerPair>& pairs) {
  ended_ = !reader_.has_next(false);
  if (ended_ || reader_.batch().file != file_) {
    single_.finish();
    if (!ended_) file_ = reader_.batch().file;
  } else if (is_list(reader_.batch().format) && !reader_.comment().empty()) {
    pairs.push_back({std::string(reader_.name()), std::string(reader_.sequence()),
                     std::string(reader_.comment())});
    reader_.pass();
  } else {
    single_.add(take_single(), most_waiting_);
  }
}

/// Takes the next record. Pre: there is one.
SinglePrimer PrimerReader::take_single() {
  const RecordBatch& read = reader_.batch();
  const std::size_t at = reader_.at();
  SinglePrimer primer{std::string(reader_.name()),  std::string(reader_.sequence()),
                      primer_names(reader_.name()), read.source,
                      read.first_in_source + at,    is_list(read.format)};
  if (primer.is_line) {
    primer.number = read.lines.line_of(read.symbol_ends[at] - 1);
  } else if (const std::string_view comment = reader_.comment(); !comment.empty()) {
    // The direction may stand behind a blank: ">amp (F)". The whole header is surer.
    primer.name += (comment[0] == ' ' || comment[0] == '\t' ? "" : " ") + std::string(comment);
    auto readings = primer_names(primer.name);
    for (const PrimerName& of_name : primer.readings) {
      const bool is_new = std::ranges::none_of(readings, [&](const PrimerName& other) {
        return other.mark == of_name.mark && other.pair == of_name.pair;
      });
      if (is_new) readings.push_back(of_name);
    }
    std::ranges::stable_sort(readings, {}, &PrimerName::mark);
    primer.readings = std::move(readings);
  }
  reader_.pass();
  return primer;
}

void prepare_primers(PrimerBatch& batch, const PrimerRules& rules, UnaskedQueries& unasked) {
  batch.patterns.clear();
  for (const PrimerPair& pair : batch.pairs) {
    std::vector<BaseSet> forward, reverse;
    if (auto why = why_unasked(pair, rules)) {
      unasked.add(pair.name, std::move(*why));
    } else {
      forward = pattern_of(pair.forward, rules);
      reverse = pattern_of(pair.reverse, rules);
      if (reverse == forward) reverse.clear();
    }
    batch.patterns.add(forward);
    batch.patterns.add(reverse);
  }
}

std::uint64_t count_excluded_places(const TextView& text, const RecordsView& records,
                                    std::uint64_t length) {
  std::uint64_t all = 0, searched = 0;
  for (const RecordInfo& info : records.infos)
    all += places_in(info.length, length);
  const SegmentsView& segments = text.segments;
  for (std::uint64_t s = 0; s < segments.count; ++s)
    searched += places_in(segments.starts[s + 1] - 1 - segments.starts[s], length);
  return all - searched;
}

}  // namespace gsx

#include "amplicon/primers.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "seq/primer_names.hpp"
#include "seq/sequence_file.hpp"

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

PrimerReader::PrimerReader(std::vector<std::string> paths)
    : reader_(std::move(paths), ListForm::pairs) {}

bool PrimerReader::next(std::vector<PrimerPair>& pairs, std::size_t most,
                        std::uint64_t most_symbols) {
  pairs.clear();
  std::uint64_t symbols = 0;
  while (pairs.size() < most && symbols < most_symbols && next_pair(pairs))
    symbols += pairs.back().forward.size() + pairs.back().reverse.size();
  return !pairs.empty();
}

/// Adds the next pair; false if there is none, or if there are some to be given before an error.
bool PrimerReader::next_pair(std::vector<PrimerPair>& pairs) {
  if (failure_) std::rethrow_exception(failure_);
  const bool any = !pairs.empty();
  if (!reader_.has_next(any)) return false;
  if (is_list(reader_.batch().format) && !reader_.comment().empty()) {
    pairs.push_back({std::string(reader_.name()), std::string(reader_.sequence()),
                     std::string(reader_.comment())});
    reader_.pass();
    return true;
  }
  try {
    const FirstPrimer first = take_first();
    const bool has_second = reader_.has_next(false) && reader_.batch().file == first.file;
    if (!has_second) {
      first.fail("the primer has no partner: " +
                 std::string(first.is_line ? "a list of single primers" : "FASTA of primers") +
                 " has two " + (first.is_line ? "lines" : "records") + " per pair");
    }
    pairs.push_back(pair_of(first));
    reader_.pass();
  } catch (const Error&) {
    if (!any) throw;
    failure_ = std::current_exception();
    return false;
  }
  return true;
}

/// Takes the next record. Pre: there is one.
PrimerReader::FirstPrimer PrimerReader::take_first() {
  const RecordBatch& read = reader_.batch();
  const std::size_t at = reader_.at();
  FirstPrimer first{std::string(reader_.name()), std::string(reader_.sequence()), read.source,
                    read.file, is_list(read.format)};
  first.number =
      first.is_line ? read.lines.line_of(read.symbol_ends[at] - 1) : read.first_in_source + at;
  reader_.pass();
  return first;
}

void PrimerReader::FirstPrimer::fail(const std::string& what) const {
  if (is_line) throw input_error(*source, 0, {}, number, what);
  throw input_error(*source, number, name, 0, what);
}

/// The pair of the first primer and the next record.
PrimerPair PrimerReader::pair_of(const FirstPrimer& first) const {
  const auto one = primer_name(first.name), two = primer_name(reader_.name());
  if (!one || !two || one->pair != two->pair || one->reverse == two->reverse) {
    first.fail("the primer and the next one, '" + shown_name(reader_.name()) +
               "', have no names of a pair, such as NAME_F and NAME_R; or give lines of "
               "NAME<tab>FORWARD<tab>REVERSE");
  }
  PrimerPair pair{one->pair, first.sequence, std::string(reader_.sequence())};
  if (one->reverse) std::swap(pair.forward, pair.reverse);
  return pair;
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

}  // namespace gsx

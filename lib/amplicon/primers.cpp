#include "amplicon/primers.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "base/out_of_memory.hpp"
#include "seq/sequence_file.hpp"

namespace gsx {
namespace {

/// Which primer of a pair a name says it is of, and what the names of both share.
struct PrimerName {
  std::string_view pair;
  bool reverse = false;
};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

/// The parts of a name that ends in F, R, FORWARD, LEFT, 1 and so on behind a mark.
std::optional<PrimerName> parts_of(std::string_view name) {
  const std::size_t mark = name.find_last_of("_-./:| ");
  if (mark == std::string_view::npos || mark == 0) return std::nullopt;
  std::string end(name.substr(mark + 1));
  std::ranges::transform(end, end.begin(), lower);
  for (const char* word : {"f", "fw", "fwd", "forward", "left", "l", "1"})
    if (end == word) return PrimerName{name.substr(0, mark), false};
  for (const char* word : {"r", "rv", "rev", "reverse", "right", "2"})
    if (end == word) return PrimerName{name.substr(0, mark), true};
  return std::nullopt;
}

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
    : reader_(std::move(paths), {.block_bytes = std::uint64_t{1} << 18,
                                 .short_lines = true,
                                 .record_bytes = longest_line,
                                 .header_bytes = longest_line,
                                 .refuse_fastq_in_fasta = true,
                                 .allow_empty = true,
                                 .decoding = {.allow_no_eof = true, .lists = ListForm::pairs}}) {}

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
  if (at_ == read_.size() && !read_more(any)) return false;
  if (is_list(read_.format)) {
    pairs.push_back({std::string(read_.name(at_)), std::string(read_.sequence(at_)),
                     std::string(read_.comment(at_))});
    ++at_;
    return true;
  }
  try {
    RecordBatch first;
    first.begin_record(read_.name(at_), "");
    first.append(read_.sequence(at_));
    const std::uint64_t number = read_.first_in_source + at_;
    const std::shared_ptr<const std::string> source = read_.source;
    const std::size_t file = read_.file;
    const bool has_second = ++at_ < read_.size() || (read_more(false) && read_.file == file);
    if (!has_second) {
      throw input_error(*source, number, first.name(0), 0,
                        "the primer has no partner: FASTA of primers has two records per pair");
    }
    pairs.push_back(pair_of(first, *source, number));
    ++at_;
  } catch (const Error&) {
    if (!any) throw;
    failure_ = std::current_exception();
    return false;
  }
  return true;
}

/// The pair of the primer in `first` and the next record.
PrimerPair PrimerReader::pair_of(const RecordBatch& first, const std::string& source,
                                 std::uint64_t number) const {
  const auto one = parts_of(first.name(0)), two = parts_of(read_.name(at_));
  if (!one || !two || one->pair != two->pair || one->reverse == two->reverse) {
    throw input_error(source, number, first.name(0), 0,
                      "the primer and the next one, '" + shown_name(read_.name(at_)) +
                          "', have no names of a pair, such as NAME_F and NAME_R; or give lines of "
                          "NAME<tab>FORWARD<tab>REVERSE");
  }
  PrimerPair pair{std::string(one->pair), std::string(first.sequence(0)),
                  std::string(read_.sequence(at_))};
  if (one->reverse) std::swap(pair.forward, pair.reverse);
  return pair;
}

/// Reads some records; false if there are none, or, where there are `any` pairs to be given first,
/// before an error.
bool PrimerReader::read_more(bool any) {
  at_ = 0;
  read_.clear();
  try {
    return reader_.next(read_);
  } catch (const LongQueryError&) {
    if (any) return false;  // the next call throws again
    throw InputError("a primer, or its line, is too long: more than " +
                     std::to_string(longest_line) + " bytes");
  } catch (const Error&) {
    if (!any) throw;
    return false;
  }
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

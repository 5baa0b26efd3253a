#include "amplicon/primers.hpp"

#include <algorithm>
#include <utility>

#include "base/messages.hpp"
#include "seq/symbol_scan.hpp"

namespace gsx {
namespace {

constexpr const char* shape = "; a line is NAME<tab>FORWARD<tab>REVERSE";

std::string checked_primer(const LineReader& lines, std::string_view field, const char* which) {
  const std::string_view primer = without_blanks(field);
  const std::string the = std::string("the ") + which + " primer ";
  if (primer.empty()) lines.fail(the + "is empty" + shape);
  if (primer.find_first_of(" \t") != std::string_view::npos)
    lines.fail(the + "has a blank inside" + shape);
  if (!all_symbols(primer) || primer.find('>') != std::string_view::npos)
    lines.fail(the + "'" + shown_name(primer) + "' is not a sequence" + shape);
  return std::string(primer);
}

/// Whether the field is a word, as "forward", and not a primer, even one with a letter that is no
/// IUPAC code, such as I for inosine.
bool is_word(std::string_view field) {
  const auto are = [field](const auto& predicate) {
    return static_cast<std::size_t>(std::count_if(field.begin(), field.end(), predicate));
  };
  const auto is_code = [](char letter) { return iupac_base_set(letter) != base_sets::none; };
  const auto is_usual = [](char letter) {
    return std::string_view("ACGTUNacgtun").find(letter) != std::string_view::npos;
  };
  return are(is_code) < field.size() && 2 * are(is_usual) <= field.size();
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

bool PrimerReader::next(std::vector<PrimerPair>& pairs, std::size_t most,
                        std::uint64_t most_symbols) {
  pairs.clear();
  std::uint64_t symbols = 0;
  while (pairs.size() < most && symbols < most_symbols) {
    if (!lines_) {
      if (opened_ == paths_.size()) break;
      lines_.emplace(paths_[opened_++]);
      any_ = begun_ = false;
    }
    if (next_pair(pairs)) {
      symbols += pairs.back().forward.size() + pairs.back().reverse.size();
      any_ = true;
      continue;
    }
    if (!any_) empty_files_.push_back(lines_->label());
    lines_.reset();
  }
  return !pairs.empty();
}

/// Adds the next pair of the open file; false if there is none.
bool PrimerReader::next_pair(std::vector<PrimerPair>& pairs) {
  while (lines_->next()) {
    const std::string_view line = lines_->line();
    if (line.starts_with('#') || without_blanks(line).empty()) continue;
    if (line.starts_with('>'))
      lines_->fail(std::string("it begins with '>' as FASTA does") + shape);
    const auto columns = std::count(line.begin(), line.end(), '\t') + 1;
    if (columns != 3) {
      lines_->fail("there " + std::string(columns == 1 ? "is " : "are ") + std::to_string(columns) +
                   (columns == 1 ? " column" : " columns") + shape);
    }
    const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
    PrimerPair pair;
    pair.name = without_blanks(line.substr(0, first));
    pair.forward = checked_primer(*lines_, line.substr(first + 1, second - first - 1), "forward");
    pair.reverse = checked_primer(*lines_, line.substr(second + 1), "reverse");
    if (!std::exchange(begun_, true) && is_word(pair.forward) && is_word(pair.reverse)) {
      files_with_header_.push_back(lines_->label());
      continue;
    }
    pairs.push_back(std::move(pair));
    return true;
  }
  return false;
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

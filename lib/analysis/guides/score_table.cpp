#include "analysis/guides/score_table.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/guides/pam.hpp"
#include "base/error.hpp"
#include "base/messages.hpp"
#include "base/public_call.hpp"
#include "records/lists/line_reader.hpp"
#include "records/lists/list_columns.hpp"
#include "records/sequence_file.hpp"

namespace gsx {
namespace {

constexpr const char* lines_are =
    "; a line is POSITION<tab>GUIDE<tab>SITE<tab>WEIGHT or pam<tab>LETTERS<tab>WEIGHT, and a "
    "comment begins with #";

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_weight(double number) {
  return number >= 0 && number <= 1;  // not so for NaN
}

/// The fields of a line, without empty ones at its end, as spreadsheets fill rows with.
std::vector<std::string_view> columns_of(const ListFields& fields) {
  std::vector<std::string_view> columns;
  for (std::size_t i = 0; i < fields.size(); ++i)
    columns.push_back(fields[i]);
  while (columns.size() > 1 && columns.back().empty())
    columns.pop_back();
  return columns;
}

/// Reads one table.
class TableReader {
 public:
  explicit TableReader(const std::string& path) : lines_(path), separator_(lines_.separator()) {}

  ScoreTable read() {
    while (lines_.next_entry()) {
      fields_.split(lines_.line(), separator_);
      const auto columns = columns_of(fields_);
      if (!std::exchange(begun_, columns[0] != "length") && is_header(columns)) continue;
      take(columns);
    }
    const bool none = table_.guide_length == 0;
    if (none || (entries_.empty() && pams_.empty())) {
      throw input_error(lines_.label(), 0, {}, 0,
                        none ? "the table of scores is empty; its first line is length<tab>N, the "
                               "number of bases of a guide"
                             : std::string("the table has no weights") + lines_are);
    }
    return std::move(table_);
  }

 private:
  /// Whether the first line, but for the length, is one of headings.
  static bool is_header(const std::vector<std::string_view>& columns) {
    const std::string_view first = columns[0];
    return columns.size() > 2 &&
           (first.starts_with("pos") || first.starts_with("Pos") || first.starts_with("POS"));
  }

  void take(const std::vector<std::string_view>& columns) {
    if (table_.guide_length == 0) return take_length(columns);
    const std::size_t wanted = columns[0] == "pam" ? 3 : 4;
    if (columns.size() != wanted) {
      lines_.fail("it has " + std::to_string(columns.size()) + " columns, not " +
                  std::to_string(wanted) + lines_are);
    }
    if (columns[0] == "pam") return take_pam(columns[1], weight_of(columns[2]));
    take_pair(columns[0], columns[1], columns[2], weight_of(columns[3]));
  }

  void take_length(const std::vector<std::string_view>& columns) {
    const std::size_t length =
        columns.size() == 2 ? number_of<std::size_t>(columns[1]).value_or(0) : 0;
    if (columns[0] != "length" || length == 0 || length > ScoreTable::longest_guide) {
      lines_.fail("the first line is not length<tab>N, the number of bases of a guide, 1 to " +
                  std::to_string(ScoreTable::longest_guide));
    }
    table_.guide_length = length;
    table_.weights.assign(length * 16, 1);
  }

  void take_pam(std::string_view text, double weight) {
    const std::string letters = as_dna(text);
    if (letters.empty()) lines_.fail(std::string("it names no PAM") + lines_are);
    for (const char letter : letters)
      set_of({&letter, 1});
    if (!pams_.insert(letters).second)
      lines_.fail("the PAM " + letters + " has a weight already; leave one of the lines out");
    table_.pams.push_back(
        {letters, weight, lines_.label() + ": line " + std::to_string(lines_.number())});
  }

  void take_pair(std::string_view place, std::string_view guide, std::string_view site,
                 double weight) {
    const bool everywhere = place == "*";
    const std::size_t position = number_of<std::size_t>(place).value_or(0);
    if (!everywhere && (position == 0 || position > table_.guide_length)) {
      lines_.fail("'" + shown_name(place) + "' is no position of a guide of " +
                  std::to_string(table_.guide_length) + " bases, 1 to " +
                  std::to_string(table_.guide_length) + " or *" + lines_are);
    }
    const BaseSet of_guide = set_of(guide), of_site = set_of(site);
    if (of_guide == of_site && (of_guide & (of_guide - 1)) == 0) {
      lines_.fail(shown_name(guide) + " and " + shown_name(site) +
                  " match, and a match has the weight 1; leave the line out");
    }
    if (!entries_.insert({position, of_guide, of_site}).second)
      lines_.fail("this position and pair have a weight already; leave one of the lines out");
    for (std::size_t p = 0; p < table_.guide_length; ++p) {
      if (!everywhere && p + 1 != position) continue;
      for (std::uint32_t a = 0; a < 4; ++a) {
        for (std::uint32_t b = 0; b < 4; ++b)
          if (a != b && has_base(of_guide, a) && has_base(of_site, b))
            table_.weights[(p * 4 + a) * 4 + b] = weight;
      }
    }
  }

  BaseSet set_of(std::string_view letter) const {
    const BaseSet set = letter.size() == 1 ? iupac_base_set(letter[0]) : base_sets::none;
    if (set == base_sets::none) {
      lines_.fail("'" + shown_name(letter) + "' is no base and no IUPAC code of bases" +
                  std::string(lines_are));
    }
    return set;
  }

  double weight_of(std::string_view text) const {
    const auto weight = number_of<double>(text);
    if (!weight || !is_weight(*weight))
      lines_.fail("the weight '" + shown_name(text) +
                  "' is not a number from 0 to 1, such as 0.25");
    return *weight;
  }

  LineReader lines_;
  char separator_;
  ListFields fields_;
  bool begun_ = false;  ///< whether a line but the length has come
  ScoreTable table_;
  std::set<std::tuple<std::size_t, BaseSet, BaseSet>> entries_;  ///< position 0: all
  std::set<std::string> pams_;
};

}  // namespace

void ScoreTable::check() const {
  if (guide_length == 0 || guide_length > longest_guide) {
    throw UsageError("the score table is for guides of " + std::to_string(guide_length) +
                     " bases; give 1 to " + std::to_string(longest_guide));
  }
  if (weights.size() != guide_length * 16) {
    throw UsageError("the score table has " + std::to_string(weights.size()) +
                     " weights; give 16 per position, " + std::to_string(guide_length * 16));
  }
  const bool all =
      std::all_of(weights.begin(), weights.end(), is_weight) &&
      std::all_of(pams.begin(), pams.end(), [](const OfPam& pam) { return is_weight(pam.weight); });
  if (!all) throw UsageError("the score table has a weight that is not a number from 0 to 1");
  for (const OfPam& pam : pams)
    check_pam(pam.letters);
}

ScoreTable read_score_table(const std::string& path) {
  return with_gsx_errors([&] { return TableReader(path).read(); });
}

}  // namespace gsx

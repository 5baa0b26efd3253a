#include "index/store/record_tables.hpp"

#include "text/record_checks.hpp"

namespace gsx {
namespace {

/// Keeps sums of lengths within 64 bits, including those of bases kept out of the text.
constexpr std::uint64_t length_limit = std::uint64_t{1} << 48;

class Check {
 public:
  explicit Check(const RecordTables& tables) : tables_(tables), records_(tables.records) {}

  std::optional<std::string> run() {
    for (std::uint64_t r = 0; r < records_.size(); ++r) {
      if (!is_tiled(r)) {
        return "the tables of record " + std::to_string(r + 1) + " do not fit one another";
      }
    }
    const SymbolCounts& told = tables_.counts;
    const bool agree = told.base == found_.base && told.n == found_.n &&
                       told.iupac == found_.iupac && told.gap == found_.gap &&
                       told.other == found_.other && literals_ == records_.literals.size;
    if (!agree) return "its counts of symbols are not those of its records";
    return std::nullopt;
  }

 private:
  bool is_tiled(std::uint64_t r) {
    const bool last = r + 1 == records_.size();
    const std::uint64_t segments_end =
        last ? records_.segment_offsets.size() : records_.infos[r + 1].first_segment;
    const std::uint64_t gaps_end = last ? records_.gaps.size() : records_.infos[r + 1].first_gap;
    if (records_.infos[r].first_segment != segment_ || records_.infos[r].first_gap != gap_) {
      return false;
    }
    std::uint64_t at = 0;
    bool after_segment = false;
    const Gap* before = nullptr;
    while (segment_ < segments_end || gap_ < gaps_end) {
      std::uint64_t length = 0;
      if (segment_ < segments_end && records_.segment_offsets[segment_] == at &&
          records_.segment_records[segment_] == r) {
        if (after_segment) return false;
        length = tables_.segment_starts[segment_ + 1] - 1 - tables_.segment_starts[segment_];
        found_.base += length;
        ++segment_;
        after_segment = true;
        before = nullptr;
      } else if (gap_ < gaps_end && records_.gaps[gap_].offset == at &&
                 records_.gaps[gap_].record == r) {
        const Gap& gap = records_.gaps[gap_];
        length = gap.length;
        if (length > most_length(gap) || !is_possible(gap, before)) return false;
        count(gap);
        ++gap_;
        after_segment = false;
        before = &gap;
      }
      if (length == 0 || length > length_limit - total_) return false;
      at += length;
      total_ += length;
    }
    return at == records_.infos[r].length;
  }

  std::uint64_t most_length(const Gap& gap) const {
    return gap.is_literal() ? length_limit - total_ : most_unstored - unstored_;
  }

  /// Whether a reader could make such a gap, directly after `before` if that is not null.
  bool is_possible(const Gap& gap, const Gap* before) const {
    if (tables_.policy != SymbolPolicy::dna) return false;
    if (gap.is_literal()) {
      return tables_.soft_mask_split && gap.source - Gap::literal_base == literals_ &&
             (before == nullptr || !before->is_literal());
    }
    const auto symbol = static_cast<char>(gap.source);
    return dna_class(symbol) != SymbolClass::base && to_upper(symbol) == symbol &&
           (before == nullptr || before->source != gap.source);
  }

  void count(const Gap& gap) {
    if (gap.is_literal()) {
      literals_ += gap.length;
      found_.base += gap.length;
      return;
    }
    unstored_ += gap.length;
    switch (dna_class(static_cast<char>(gap.source))) {
      case SymbolClass::n:
        found_.n += gap.length;
        break;
      case SymbolClass::iupac:
        found_.iupac += gap.length;
        break;
      case SymbolClass::gap:
        found_.gap += gap.length;
        break;
      default:
        found_.other += gap.length;
    }
  }

  const RecordTables& tables_;
  const RecordsView& records_;
  std::uint64_t segment_ = 0;
  std::uint64_t gap_ = 0;
  std::uint64_t total_ = 0;
  std::uint64_t literals_ = 0;
  std::uint64_t unstored_ = 0;  ///< symbols of the other gaps
  SymbolCounts found_;
};

}  // namespace

std::optional<std::string> fault_of(const RecordTables& tables) {
  return Check(tables).run();
}

}  // namespace gsx

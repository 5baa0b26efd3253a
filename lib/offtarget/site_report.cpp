#include "offtarget/site_report.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "offtarget/mit_score.hpp"
#include "report/text_format.hpp"

namespace gsx {
namespace {

/// The bases of places, in the direction of the pattern.
class SiteBases {
 public:
  explicit SiteBases(const TextView& text) : text_(text) {}

  /// Reads the bases of a hit and compares them with the pattern.
  void read(const Hit& hit, std::span<const BaseSet> pattern) {
    constexpr std::size_t step = 28;
    codes_.resize(pattern.size());
    for (std::size_t i = 0; i < pattern.size(); i += step) {
      const std::uint64_t window = text_.symbols.window(hit.position() + i);
      for (std::size_t j = 0; j < std::min(step, pattern.size() - i); ++j) {
        const auto code = static_cast<std::uint8_t>(window >> (62 - 2 * j) & 3);
        if (hit.is_reverse()) {
          codes_[pattern.size() - 1 - i - j] = 3 - code;
        } else {
          codes_[i + j] = code;
        }
      }
    }
    mismatches_.clear();
    // The PAM may be another one than the pattern's.
    for (std::size_t i = 0; i < pattern.size(); ++i)
      if (!has_base(pattern[i], codes_[i]) && (pattern[i] & base_sets::must_match) == 0)
        mismatches_.push_back(static_cast<std::uint32_t>(i));
  }
  std::span<const std::uint8_t> codes() const { return codes_; }
  /// Positions in the pattern.
  std::span<const std::uint32_t> mismatches() const { return mismatches_; }
  /// Appends the bases, mismatches in lower case.
  void append(std::string& out) const {
    const std::size_t begin = out.size();
    for (const std::uint8_t code : codes_)
      out += "ACGT"[code];
    for (const std::uint32_t i : mismatches_)
      out[begin + i] = static_cast<char>(out[begin + i] | 0x20);
  }

 private:
  const TextView& text_;
  std::vector<std::uint8_t> codes_;
  std::vector<std::uint32_t> mismatches_;
};

/// Where hits lie in their records. Remembers the last segment, since hits often share it.
class Places {
 public:
  Places(const TextView& text, const RecordsView& records, SitesFormat format)
      : segments_(text.segments), records_(records), format_(format) {}

  /// The start in the record; target() is then its name as a column.
  std::uint64_t start_of(std::uint64_t position) {
    if (position - begin_ >= size_) find(position);
    return offset_ + (position - begin_);
  }
  const std::string& target() const { return target_; }

 private:
  void find(std::uint64_t position) {
    const std::uint64_t segment = segments_.segment_at(position);
    begin_ = segments_.starts[segment];
    size_ = segments_.starts[segment + 1] - begin_;
    offset_ = records_.segment_offsets[segment];
    target_.clear();
    const std::string_view name = records_.name(records_.segment_records[segment]);
    if (format_ == SitesFormat::bed) {
      append_bed_target(target_, name);
    } else {
      append_name(target_, name);
    }
  }

  const SegmentsView& segments_;
  const RecordsView& records_;
  SitesFormat format_;
  std::uint64_t begin_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t offset_ = 0;
  std::string target_;
};

/// Appends a score with four digits after the point.
void append_score(std::string& out, std::uint64_t score) {
  constexpr std::uint64_t digit = score_unit / 10'000;
  const std::uint64_t rounded = (score + digit / 2) / digit;
  append_number(out, rounded / 10'000);
  out += '.';
  const std::string digits = std::to_string(10'000 + rounded % 10'000);
  out.append(digits, 1);
}

}  // namespace

/// What a thread makes of some hits of a chunk.
struct SiteReport::Part {
  struct OfGuide {
    std::size_t guide;
    std::uint64_t score = 0;
    std::uint64_t own = 0;              ///< the greatest score of a site without mismatches
    std::vector<std::uint64_t> counts;  ///< forward and reverse by turns, by class
  };
  std::vector<OfGuide> guides;
  std::string lines;
};

void SiteReport::take_part(const GuideBatch& batch, const HitChunk& chunk, std::uint64_t begin,
                           std::uint64_t end, std::optional<SitesFormat> format, Part& part,
                           std::uint64_t* scores) const {
  SiteBases bases(text_);
  Places places(text_, records_, format.value_or(SitesFormat::tsv));
  std::string& lines = part.lines;
  auto i = static_cast<std::size_t>(std::upper_bound(chunk.ends.begin(), chunk.ends.end(), begin) -
                                    chunk.ends.begin());
  for (std::uint64_t next = begin; next < end; ++i) {
    const std::uint64_t last = std::min(end, chunk.ends[i]);
    if (next == last) continue;
    const std::size_t guide = chunk.first + i;
    const std::string& letters = batch.guides[guide];
    const std::span<const BaseSet> pattern = batch.pattern_of(guide);
    const bool scored = has_score(letters);
    Part::OfGuide& figures = part.guides.emplace_back(Part::OfGuide{guide, 0, 0, {}});
    std::string head, totals;
    if (format == SitesFormat::cas_offinder) {
      const std::string pam(pam_.size(), 'N');
      head = pam_.first ? pam + letters : letters + pam;
    } else {
      append_name(head, batch.records.name(guide));
    }
    const std::uint64_t total = chunk.counts[i].total(), reported = chunk.reported(i);
    totals = fmt::format("\t{}\t{}\t{}\t", total, reported, reported < total ? "yes" : "no");
    for (; next < last; ++next) {
      const Hit hit = chunk.hits[next];
      const std::size_t at = 2 * hit.mismatches() + (hit.is_reverse() ? 1 : 0);
      if (figures.counts.size() <= at) figures.counts.resize(at + 1, 0);
      ++figures.counts[at];
      if (!scored && !format) continue;
      bases.read(hit, pattern);
      const std::uint64_t score =
          scored ? scorer_.score(pattern, bases.codes(), bases.mismatches()) : 0;
      figures.score += score;
      if (hit.mismatches() == 0) figures.own = std::max(figures.own, score);
      if (scores != nullptr) scores[next] = score;
      if (!format) continue;
      const std::uint64_t start = places.start_of(hit.position());
      const char strand = hit.is_reverse() ? '-' : '+';
      switch (*format) {
        case SitesFormat::tsv:
          lines.append(head).append(1, '\t').append(places.target()).append(1, '\t');
          append_number(lines, start);
          lines += '\t';
          append_number(lines, start + pattern.size());
          lines.append(1, '\t').append(1, strand).append(1, '\t');
          append_number(lines, hit.mismatches());
          lines += totals;
          bases.append(lines);
          lines += '\t';
          if (scored) append_score(lines, score);
          if (!scored) lines += '.';
          break;
        case SitesFormat::bed:
          lines.append(places.target()).append(1, '\t');
          append_number(lines, start);
          lines += '\t';
          append_number(lines, start + pattern.size());
          lines.append(1, '\t').append(head).append(1, '\t');
          append_number(lines, hit.mismatches());
          lines.append(1, '\t').append(1, strand);
          break;
        case SitesFormat::cas_offinder:
          lines.append(head).append(1, '\t').append(places.target()).append(1, '\t');
          append_number(lines, start);
          lines += '\t';
          bases.append(lines);
          lines.append(1, '\t').append(1, strand).append(1, '\t');
          append_number(lines, hit.mismatches());
          break;
      }
      lines += '\n';
    }
  }
}

void SiteReport::take(const GuideBatch& batch, const HitChunk& chunk, SiteTally* tally,
                      std::optional<SitesFormat> format, Output* out, std::uint64_t* scores) const {
  const std::uint64_t tasks = (chunk.hits.size() + task_hits - 1) / task_hits;
  std::vector<Part> parts(static_cast<std::size_t>(threads_) * 4);
  for (std::uint64_t first = 0; first < tasks; first += parts.size()) {
    const std::uint64_t now = std::min<std::uint64_t>(parts.size(), tasks - first);
    parallel_for(threads_, now, [&](std::uint64_t n, int) {
      const std::uint64_t begin = (first + n) * task_hits;
      parts[n].guides.clear();
      parts[n].lines.clear();
      take_part(batch, chunk, begin, std::min<std::uint64_t>(begin + task_hits, chunk.hits.size()),
                format, parts[n], scores);
    });
    for (std::uint64_t n = 0; n < now; ++n) {
      for (const Part::OfGuide& one : parts[n].guides) {
        if (tally == nullptr) break;
        for (std::size_t c = 0; c < one.counts.size(); ++c)
          tally->counts.of(one.guide, c % 2 != 0)[c / 2] += one.counts[c];
        if (!tally->scores.empty()) tally->scores[one.guide].add({one.score, one.own});
      }
      if (out != nullptr) out->write(parts[n].lines);
    }
  }
}

void append_guides_header(std::string& out, std::uint32_t mismatches) {
  out += "guide_id\tguide\tpam";
  for (std::uint32_t m = 0; m <= mismatches; ++m)
    out += fmt::format("\tn{}", m);
  out += "\tn_total\tspecificity\n";
}

void append_guide(std::string& out, const GuideBatch& batch, std::size_t i,
                  const std::vector<Pam>& pams, const SiteTally& tally, std::uint32_t known,
                  bool has_score) {
  const MismatchCounts& counts = tally.counts;
  append_name(out, batch.records.name(i));
  out += '\t';
  append_name(out, batch.guides[i]);
  out.append(1, '\t').append(letters_of(pams));
  std::uint64_t total = 0;
  for (std::uint32_t m = 0; m < counts.classes(); ++m) {
    out += '\t';
    if (m <= known) append_number(out, counts.at(i, m));
    if (m > known) out += '.';
    total += counts.at(i, m);
  }
  const bool complete = known + 1 >= counts.classes();
  out += '\t';
  if (complete) append_number(out, total);
  if (!complete) out += '.';
  out += '\t';
  if (complete && has_score) {
    out += fmt::format("{:.4f}", specificity(tally.scores[i].of_others()));
  } else {
    out += '.';
  }
  out += '\n';
}

}  // namespace gsx

#include "analysis/guides/site_report.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "analysis/guides/mit_score.hpp"
#include "analysis/guides/site_bases.hpp"
#include "base/parallel.hpp"
#include "output/lines/target_finder.hpp"
#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

/// Where hits lie in their records.
class Places {
 public:
  Places(const TextView& text, const RecordsView& records, SitesFormat format)
      : finder_(records, text.segments), records_(records), format_(format) {}

  /// The start in the record; target() is then its name as a column.
  std::uint64_t start_of(std::uint64_t position) {
    const std::uint64_t start = finder_.start_of(position);
    if (finder_.target() != record_) name_target();
    return start;
  }
  /// Where the symbols of a site lie. Pre: the last call was start_of(position).
  PlaceParts parts(std::uint64_t position, std::uint64_t length) const {
    return finder_.parts(position, length);
  }
  const std::string& target() const { return target_; }

 private:
  void name_target() {
    record_ = finder_.target();
    target_.clear();
    const std::string_view name = records_.name(record_);
    if (format_ == SitesFormat::bed) {
      append_bed_target(target_, name);
    } else {
      append_name(target_, name);
    }
  }

  TargetFinder finder_;
  const RecordsView& records_;
  SitesFormat format_;
  std::uint64_t record_ = ~std::uint64_t{0};
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
    GuideScores scores = {};
    std::vector<std::uint64_t> counts;  ///< forward and reverse by turns, by class
  };
  std::vector<OfGuide> guides;
  std::string lines;
};

void SiteReport::take_part(const GuideBatch& batch, const SiteChunk& chunk, std::uint64_t begin,
                           std::uint64_t end, std::optional<SitesFormat> format, Part& part,
                           std::uint64_t* scores) const {
  SiteBases bases(text_, pams_);
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
    Part::OfGuide& figures = part.guides.emplace_back(Part::OfGuide{guide, {}, {}});
    std::string head, totals;
    if (format == SitesFormat::cas_offinder) {
      const std::string pam(pams_.front().size(), 'N');
      head = pams_.front().before_guide ? pam + letters : letters + pam;
    } else {
      append_name(head, batch.records.name(guide));
    }
    const std::uint64_t total = chunk.counts[i].total(), reported = chunk.reported(i);
    totals = fmt::format("\t{}\t{}\t{}\t", total, reported, reported < total ? "yes" : "no");
    for (; next < last; ++next) {
      const Hit hit = chunk.hits[next];
      const Bulge bulge = chunk.bulges.empty() ? Bulge{0} : chunk.bulges[next];
      const std::size_t at = 2 * class_of(hit.mismatches(), bulge) + (hit.is_reverse() ? 1 : 0);
      if (figures.counts.size() <= at) figures.counts.resize(at + 1, 0);
      ++figures.counts[at];
      if (!scored && !format) continue;
      const bool has_own_score = scored && bulge == 0;
      const std::uint64_t start = places.start_of(hit.position());
      const auto bases_of_site =
          static_cast<std::uint64_t>(static_cast<std::ptrdiff_t>(pattern.size()) + bulge);
      const PlaceParts parts = places.parts(hit.position(), bases_of_site);
      bases.read(hit, parts, pattern, bulge);
      const std::uint64_t score =
          has_own_score ? scorer_.score(pattern, bases.codes(), bases.mismatches()) : 0;
      figures.scores.add({score, hit.mismatches() == 0 ? score : 0, has_own_score ? 1U : 0U});
      if (scores != nullptr) scores[next] = score;
      if (!format) continue;
      const char strand = hit.is_reverse() ? '-' : '+';
      switch (*format) {
        case SitesFormat::tsv:
          lines.append(head).append(1, '\t').append(places.target()).append(1, '\t');
          append_number(lines, start);
          lines += '\t';
          append_number(lines, start + bases.size());
          lines.append(1, '\t').append(1, strand).append(1, '\t');
          append_number(lines, hit.mismatches());
          lines += totals;
          bases.append(lines);
          lines += '\t';
          if (has_own_score) append_score(lines, score);
          if (!has_own_score) lines += '.';
          if (!limits_.any()) break;
          lines.append(1, '\t').append(type_of(bulge)).append(1, '\t');
          append_number(lines, size_of(bulge));
          lines += '\t';
          bases.append_guide(lines, letters);
          lines += '\t';
          bases.append_aligned(lines);
          break;
        case SitesFormat::bed: {
          const auto add_line = [&](std::uint64_t first, std::uint64_t bases_of_line) {
            lines.append(places.target()).append(1, '\t');
            append_number(lines, first);
            lines += '\t';
            append_number(lines, first + bases_of_line);
            lines.append(1, '\t').append(head).append(1, '\t');
            append_number(lines, hit.mismatches());
            lines.append(1, '\t').append(1, strand);
          };
          add_line(start, parts.size);
          if (parts.rest == 0) break;
          lines += '\n';  // in BED, no line may end behind its target
          add_line(0, parts.rest);
          break;
        }
        case SitesFormat::cas_offinder:
          if (limits_.any()) {
            lines.append(type_of(bulge)).append(1, '\t');
            bases.append_guide(lines, letters);
            lines += '\t';
            bases.append_aligned(lines);
            lines.append(1, '\t').append(places.target()).append(1, '\t');
            append_number(lines, start);
            lines.append(1, '\t').append(1, strand).append(1, '\t');
            append_number(lines, hit.mismatches());
            lines += '\t';
            append_number(lines, size_of(bulge));
            break;
          }
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

void SiteReport::take(const GuideBatch& batch, const SiteChunk& chunk, SiteTally* tally,
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
        if (!tally->scores.empty()) tally->scores[one.guide].add(one.scores);
      }
      if (out != nullptr) out->write(parts[n].lines);
    }
  }
}

std::string sites_header_of(SitesFormat format, const BulgeLimits& limits) {
  switch (format) {
    case SitesFormat::bed:
      break;
    case SitesFormat::tsv:
      return std::string(
                 "guide_id\ttarget_id\tstart\tend\tstrand\tmismatches\tn_total\tn_reported\t"
                 "truncated\tsite\tscore") +
             (limits.any() ? "\tbulge_type\tbulge_size\taligned_guide\taligned_site\n" : "\n");
    case SitesFormat::cas_offinder:
      if (!limits.any()) break;
      return "#Bulge type\tcrRNA\tDNA\tChromosome\tPosition\tDirection\tMismatches\t"
             "Bulge Size\n";
  }
  return {};
}

void append_guides_header(std::string& out, std::uint32_t mismatches, const BulgeLimits& limits) {
  out += "guide_id\tguide\tpam";
  for (const Bulge bulge : limits.kinds()) {
    std::string kind;
    if (bulge != 0) kind = fmt::format("{}{}_", bulge > 0 ? "dna" : "rna", size_of(bulge));
    for (std::uint32_t m = 0; m <= mismatches; ++m)
      out += fmt::format("\t{}n{}", kind, m);
  }
  out += "\tn_total\tspecificity\n";
}

void append_guide(std::string& out, const GuideBatch& batch, std::size_t i, std::string_view pams,
                  const SiteTally& tally, std::size_t known, bool has_score) {
  const MismatchCounts& counts = tally.counts;
  append_name(out, batch.records.name(i));
  out += '\t';
  append_name(out, batch.asked[i] ? batch.guides[i] : batch.records.sequence(i));
  out.append(1, '\t').append(pams);
  if (!batch.asked[i]) known = 0;
  std::uint64_t total = 0;
  for (std::uint32_t m = 0; m < counts.classes(); ++m) {
    out += '\t';
    if (m < known) append_number(out, counts.at(i, m));
    if (m >= known) out += '.';
    total += counts.at(i, m);
  }
  const bool complete = known >= counts.classes();
  out += '\t';
  if (complete) append_number(out, total);
  if (!complete) out += '.';
  out += '\t';
  if (complete && has_score && tally.scores[i].sites > 0) {
    out += fmt::format("{:.4f}", specificity(tally.scores[i].of_others()));
  } else {
    out += '.';
  }
  out += '\n';
}

}  // namespace gsx

#include "analysis/guides/site_report.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstdint>

#include "analysis/guides/mit_score.hpp"
#include "analysis/guides/site_bases.hpp"
#include "base/parallel.hpp"
#include "base/text_pieces.hpp"
#include "output/lines/place_row.hpp"
#include "output/lines/result_header.hpp"
#include "output/lines/shown_targets.hpp"
#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

/// A site. `name` is the guide, and `total` the number of its sites.
struct SiteRow : PlaceRow {
  std::uint32_t mismatches = 0;
  Word site;    ///< its bases in the direction of the guide, mismatches in lower case
  Score score;  ///< none if it has a bulge
  Word bulge_type;
  std::uint32_t bulge_size = 0;
  Word aligned_guide, aligned_site;
  Word guide_and_pam;  ///< letters of the guide, and N for each of the PAM
};

using SiteColumns =
    Joined<Columns<Column<"guide_id", &SiteRow::name>>, PlaceColumns,
           Columns<Column<"mismatches", &SiteRow::mismatches>>, TotalColumns,
           Columns<Column<"site", &SiteRow::site>, Column<"score", &SiteRow::score>>>;
/// With the columns that a search with bulges adds.
using BulgedSiteColumns =
    Joined<SiteColumns, Columns<Column<"bulge_type", &SiteRow::bulge_type>,
                                Column<"bulge_size", &SiteRow::bulge_size>,
                                Column<"aligned_guide", &SiteRow::aligned_guide>,
                                Column<"aligned_site", &SiteRow::aligned_site>>>;

using SiteBed = BedLine<SiteColumns, "guide_id", "mismatches">;
template <class List>
using SiteGff3 = Gff3Line<List, "nuclease_binding_site", "guide_id", Pick<List, "score">>;
template <class List>
using SiteJson = JsonObject<List>;
template <class List>
using SiteTsv = TabbedLine<List>;

/// Those of Cas-OFFinder 2, and of cas-offinder-bulge.
using CasOffinderColumns =
    Joined<Columns<Column<"guide", &SiteRow::guide_and_pam>>,
           Pick<SiteColumns, "target_id", "start", "site", "strand", "mismatches">>;
using CasOffinderBulgeColumns =
    Columns<Column<"#Bulge type", &SiteRow::bulge_type>, Column<"crRNA", &SiteRow::aligned_guide>,
            Column<"DNA", &SiteRow::aligned_site>, Column<"Chromosome", &SiteRow::target>,
            Column<"Position", &SiteRow::start>, Column<"Direction", &SiteRow::strand>,
            Column<"Mismatches", &SiteRow::mismatches>, Column<"Bulge Size", &SiteRow::bulge_size>>;

/// A score with four digits after the point.
Score rounded(std::uint64_t score) {
  constexpr std::uint64_t unit = score_unit / 10'000;
  return {(score + unit / 2) / unit};
}

/// Writes the lines of one thread, from a row whose place and score are set.
class SiteLines {
 public:
  SiteLines(TextPieces& pieces, std::vector<LineKey>& keys, const PlaceLineOptions& options,
            const std::vector<Pam>& pams, bool has_bulges)
      : lines_(pieces),
        keys_(keys),
        options_(options),
        format_(options.format),
        pam_(pams.front()),
        has_bulges_(has_bulges) {}

  SiteRow& row() { return row_; }
  /// The next sites are those of a guide.
  void begin(std::string_view name, std::string_view letters) {
    letters_ = letters;
    name_.clear();
    append_query(name_, name, format_);
    row_.name = {name_};
    const std::string unknown(pam_.size(), 'N');
    guide_and_pam_ = pam_.before_guide ? unknown : "";
    guide_and_pam_ += letters;
    if (!pam_.before_guide) guide_and_pam_ += unknown;
    row_.guide_and_pam = {guide_and_pam_};
  }
  void write(const SiteBases& bases, const PlaceParts& parts, Bulge bulge) {
    if (format_ != ResultFormat::bed) show(bases, bulge);
    row_.end = row_.start + bases.size();
    add_key();
    switch (format_) {
      case ResultFormat::bed:
        row_.end = row_.start + parts.size;
        SiteBed::write(lines_, row_);
        if (parts.rest == 0) return;
        row_.start = 0;  // no line may end behind its target
        row_.end = parts.rest;
        add_key();
        return SiteBed::write(lines_, row_);
      case ResultFormat::gff3:
        return write_as<SiteGff3>();
      case ResultFormat::jsonl:
        return write_as<SiteJson>();
      case ResultFormat::cas_offinder:
        return has_bulges_ ? TabbedLine<CasOffinderBulgeColumns>::write(lines_, row_)
                           : TabbedLine<CasOffinderColumns>::write(lines_, row_);
      default:
        return write_as<SiteTsv>();
    }
  }
  void flush() { lines_.flush(); }

 private:
  void add_key() {
    if (options_.sorted) keys_.push_back(place_key(row_));
  }
  template <template <class> class Line>
  void write_as() {
    has_bulges_ ? write_columns<Line, BulgedSiteColumns>() : write_columns<Line, SiteColumns>();
  }
  template <template <class> class Line, class List>
  void write_columns() {
    options_.by_file ? Line<WithFile<List>>::write(lines_, row_) : Line<List>::write(lines_, row_);
  }
  /// Sets what the bases show.
  void show(const SiteBases& bases, Bulge bulge) {
    site_.clear();
    bases.append(site_);
    row_.site = {site_};
    if (!has_bulges_) return;
    row_.bulge_type = {type_of(bulge)};
    row_.bulge_size = size_of(bulge);
    aligned_guide_.clear();
    bases.append_guide(aligned_guide_, letters_);
    row_.aligned_guide = {aligned_guide_};
    aligned_site_.clear();
    bases.append_aligned(aligned_site_);
    row_.aligned_site = {aligned_site_};
  }

  LineWriter lines_;
  std::vector<LineKey>& keys_;
  PlaceLineOptions options_;
  ResultFormat format_;
  const Pam& pam_;
  bool has_bulges_;
  SiteRow row_;
  std::string_view letters_;  ///< of the guide
  std::string name_, guide_and_pam_, site_, aligned_guide_, aligned_site_;
};

}  // namespace

/// What a thread makes of some hits of a chunk.
struct SiteReport::Part {
  struct OfGuide {
    std::size_t guide;
    GuideScores scores = {};
    std::vector<std::uint64_t> counts;  ///< forward and reverse by turns, by class
  };
  std::vector<OfGuide> guides;
  TextPieces lines;
  std::vector<LineKey> keys;  ///< of the lines, if they are sorted
};

void SiteReport::take_part(const GuideBatch& batch, const SiteChunk& chunk, std::uint64_t begin,
                           std::uint64_t end, const std::optional<PlaceLineOptions>& written,
                           Part& part, std::uint64_t* scores) const {
  SiteBases bases(text_, pams_);
  const PlaceLineOptions shown = written.value_or(PlaceLineOptions());
  ShownTargets targets(records_, text_.segments, shown.format, shown.by_file);
  SiteLines lines(part.lines, part.keys, shown, pams_, limits_.any());
  SiteRow& row = lines.row();
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
    if (written) lines.begin(batch.records.name(guide), letters);
    row.total = chunk.counts[i].total();
    row.reported = chunk.reported(i);
    for (; next < last; ++next) {
      const Hit hit = chunk.hits[next];
      const Bulge bulge = chunk.bulges.empty() ? Bulge{0} : chunk.bulges[next];
      const std::size_t at = 2 * class_of(hit.mismatches(), bulge) + (hit.is_reverse() ? 1 : 0);
      if (figures.counts.size() <= at) figures.counts.resize(at + 1, 0);
      ++figures.counts[at];
      if (!scored && !written) continue;
      const bool has_own_score = scored && bulge == 0;
      targets.find(hit.position(), row);
      const auto bases_of_site =
          static_cast<std::uint64_t>(static_cast<std::ptrdiff_t>(pattern.size()) + bulge);
      const PlaceParts parts = targets.parts(hit.position(), bases_of_site);
      bases.read(hit, parts, pattern, bulge);
      const std::uint64_t score =
          has_own_score ? scorer_.score(pattern, bases.codes(), bases.mismatches()) : 0;
      figures.scores.add({score, hit.mismatches() == 0 ? score : 0, has_own_score ? 1U : 0U});
      if (scores != nullptr) scores[next] = score;
      if (!written) continue;
      row.strand = hit.is_reverse() ? '-' : '+';
      row.mismatches = hit.mismatches();
      row.score = has_own_score ? rounded(score) : Score{};
      lines.write(bases, parts, bulge);
    }
  }
  lines.flush();
}

/// Hits that a thread takes at a time: fewer where each line has a long name or a long guide.
std::uint64_t SiteReport::hits_of_task(const GuideBatch& batch, const SiteChunk& chunk) {
  constexpr std::uint64_t usual_bytes = 128;
  std::uint64_t bytes = usual_bytes;
  for (std::size_t i = 0; i < chunk.patterns(); ++i) {
    const std::size_t guide = chunk.first + i;
    bytes = std::max<std::uint64_t>(
        bytes, batch.records.name(guide).size() + 2 * batch.guides[guide].size());
  }
  return std::max<std::uint64_t>(1, task_hits * usual_bytes / bytes);
}

void SiteReport::take(const GuideBatch& batch, const SiteChunk& chunk, SiteTally* tally,
                      const std::optional<PlaceLineOptions>& written,
                      const std::function<void(const PlaceLines& lines)>& write,
                      std::uint64_t* scores) const {
  const std::uint64_t at_once = hits_of_task(batch, chunk);
  const std::uint64_t tasks = (chunk.hits.size() + at_once - 1) / at_once;
  std::vector<Part> parts(static_cast<std::size_t>(threads_) * 4);
  for (std::uint64_t first = 0; first < tasks; first += parts.size()) {
    const std::uint64_t now = std::min<std::uint64_t>(parts.size(), tasks - first);
    parallel_for(threads_, now, [&](std::uint64_t n, int) {
      const std::uint64_t begin = (first + n) * at_once;
      parts[n].guides.clear();
      parts[n].lines.text().clear();
      parts[n].keys.clear();
      take_part(batch, chunk, begin, std::min<std::uint64_t>(begin + at_once, chunk.hits.size()),
                written, parts[n], scores);
    });
    for (std::uint64_t n = 0; n < now; ++n) {
      for (const Part::OfGuide& one : parts[n].guides) {
        if (tally == nullptr) break;
        for (std::size_t c = 0; c < one.counts.size(); ++c)
          tally->counts.of(one.guide, c % 2 != 0)[c / 2] += one.counts[c];
        if (!tally->scores.empty()) tally->scores[one.guide].add(one.scores);
      }
      if (write) write({parts[n].lines.text(), parts[n].keys});
    }
  }
}

std::string SiteReport::header(const PlaceLineOptions& written,
                               std::span<const std::uint64_t> circular) const {
  if (written.format == ResultFormat::cas_offinder)
    return limits_.any() ? header_of<CasOffinderBulgeColumns> : "";
  return limits_.any() ? result_header<BulgedSiteColumns>(written, records_, circular)
                       : result_header<SiteColumns>(written, records_, circular);
}

std::string guides_header(std::uint32_t mismatches, const BulgeLimits& limits) {
  return fmt::format("guide_id\tguide\tpam\t{}\tn_total\tspecificity\n",
                     fmt::join(site_classes(mismatches, limits), "\t"));
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

// Index.offtarget and Index.offtarget_sites: the sites of CRISPR guides.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/guides/bulges.hpp"
#include "analysis/guides/pam.hpp"
#include "columns.hpp"
#include "gsx/error.hpp"
#include "index_object.hpp"
#include "paths.hpp"
#include "patterns.hpp"
#include "places.hpp"
#include "unmatched.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

constexpr std::uint64_t guides_of_first_piece = 1024;

/// What both functions are asked.
struct Request {
  const std::vector<std::string>& pams;
  bool pam_first;
  const std::string& strands;
  std::int64_t mismatches;
  std::int64_t dna_bulge;
  std::int64_t rna_bulge;
  bool mit_scores;
  const nb::object& score_table;
  const std::optional<std::pair<std::int64_t, std::int64_t>>& stop_at;

  GuideOptions options() const {
    GuideOptions options;
    options.pams = pams;
    options.pam_first = pam_first;
    options.strands = strands_named(strands);
    options.mismatches = number_within(mismatches, 0, most_mismatches, "mismatches");
    options.dna_bulge = number_within(dna_bulge, 0, 5, "dna_bulge");
    options.rna_bulge = number_within(rna_bulge, 0, 5, "rna_bulge");
    options.mit_scores = mit_scores;
    if (!score_table.is_none())
      options.score_table = read_score_table(path_of(score_table, "score_table"));
    if (stop_at) {
      options.stop_at = StopAt{number_within(stop_at->first, 0, most_mismatches, "stop_at[0]"),
                               number_or(stop_at->second, 0, "stop_at[1]", 0)};
    }
    return options;
  }
};

/// The guides of a call, without their PAM. The caller holds the lock of the interpreter to make
/// and to destroy them.
class Guides {
 public:
  /// If nobody says whether they hold the PAM, throws UsageError where all seem to.
  Guides(const nb::object& source, const GuideOptions& options, std::optional<bool> with_pam)
      : given_(source, nb::none(), "guides") {
    given_.strip(Alphabet::dna());
    views_.assign(given_.views().begin(), given_.views().end());
    const Pam pam{.letters = as_dna(options.pams.front()), .before_guide = options.pam_first};
    if (!with_pam && all_seem_to_hold(pam)) {
      throw UsageError("the guides " + pam.side() +
                       ": give with_pam=True if it is the PAM, which is then cut off, or "
                       "with_pam=False if they hold none");
    }
    if (!with_pam.value_or(false)) return;
    for (std::string_view& guide : views_) {
      if (!pam.ends(as_dna(guide))) {
        throw UsageError("guide " + std::to_string(&guide - views_.data()) + " does not " +
                         pam.side() + ", as with_pam says");
      }
      guide = pam.cut_from(guide);
    }
  }

  const PatternStrings& given() const { return given_; }
  std::size_t size() const { return views_.size(); }
  std::span<const std::string_view> views() const { return views_; }
  std::span<const std::string_view> some(std::size_t first, std::size_t last) const {
    return views().subspan(first, last - first);
  }

 private:
  bool all_seem_to_hold(const Pam& pam) const {
    if (views_.empty() || pam.allows_all()) return false;
    return std::ranges::all_of(views_, [&](std::string_view guide) {
      return guide.size() >= pam.size() + pam.guide_length && pam.ends(as_dna(guide));
    });
  }

  PatternStrings given_;
  std::vector<std::string_view> views_;
};

nb::dict summary(const std::vector<GuideSites>& sites, const GuideOptions& options) {
  nb::dict columns;
  const auto names = site_classes(options.mismatches, {options.dna_bulge, options.rna_bulge});
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::vector<std::int64_t> counts;
    for (const GuideSites& of : sites)
      counts.push_back(static_cast<std::int64_t>(of.counts[k].total()));
    columns[names[k].c_str()] = to_numpy(std::move(counts));
  }
  PythonTable<Array<"n_total">, Array<"specificity", double>, Array<"searched", bool>> totals;
  PythonTable<Array<"dropped", bool>> dropped;
  for (const GuideSites& of : sites) {
    totals.add(of.total(), of.specificity.value_or(std::numeric_limits<double>::quiet_NaN()),
               of.searched);
    dropped.add(of.dropped);
  }
  totals.take(columns);
  return options.stop_at ? dropped.take(columns) : columns;
}

/// Warns of guides that the search has left out.
void warn_of_left_out(const Guides& guides, const std::vector<GuideSites>& sites) {
  Unmatched unmatched(guides.given());
  for (std::size_t i = 0; i < sites.size(); ++i)
    if (!sites[i].searched) unmatched.add(i, "cannot be searched for");
  unmatched.warn();
}

nb::dict offtarget(const IndexObject& index, const nb::object& source,
                   const std::vector<std::string>& pams, bool pam_first, const std::string& strands,
                   std::int64_t mismatches, std::int64_t dna_bulge, std::int64_t rna_bulge,
                   bool mit_scores, const nb::object& score_table,
                   const std::optional<std::pair<std::int64_t, std::int64_t>>& stop_at,
                   const std::optional<bool>& with_pam, const nb::object& circular,
                   const nb::object& regions, const nb::object& progress) {
  const InUse in_use(index);
  const Places places = places_of(index, circular, regions);
  const Request request{pams,      pam_first,  strands,     mismatches, dna_bulge,
                        rna_bulge, mit_scores, score_table, stop_at};
  const GuideOptions options = request.options();
  const Guides guides(source, options, with_pam);
  std::vector<GuideSites> sites;
  run_in_background(progress, [&](BackgroundTask& task) {
    const auto searcher = index.guide_searcher(places);
    in_pieces(
        task, "searching", guides.size(), guides_of_first_piece, [](std::size_t) { return 1; },
        [&](std::size_t first, std::size_t last) {
          for (GuideSites& of : searcher->count(guides.some(first, last), options))
            sites.push_back(std::move(of));
        });
    index.index().require_unchanged();
  });
  warn_of_left_out(guides, sites);
  return summary(sites, options);
}

nb::object offtarget_sites(const IndexObject& index, const nb::object& source,
                           const std::vector<std::string>& pams, bool pam_first,
                           const std::string& strands, std::int64_t mismatches,
                           std::int64_t dna_bulge, std::int64_t rna_bulge, bool mit_scores,
                           const nb::object& score_table,
                           const std::optional<std::pair<std::int64_t, std::int64_t>>& stop_at,
                           const std::optional<std::int64_t>& max_hits, bool letters,
                           const std::optional<bool>& with_pam, const nb::object& circular,
                           const nb::object& regions, const nb::object& progress) {
  const InUse in_use(index);
  const Places places = places_of(index, circular, regions);
  const Request request{pams,      pam_first,  strands,     mismatches, dna_bulge,
                        rna_bulge, mit_scores, score_table, stop_at};
  GuideOptions options = request.options();
  options.max_hits = number_or(max_hits, unlimited, "max_hits", 1);
  const Guides guides(source, options, with_pam);
  const bool bulges = options.dna_bulge + options.rna_bulge > 0;
  std::vector<GuideSites> sites;
  PlaceTable<"guide", Array<"bulge", std::int8_t>, Array<"score", double>> table;
  std::vector<std::string> site_letters;
  run_in_background(progress, [&](BackgroundTask& task) {
    const auto searcher = index.guide_searcher(places);
    const auto take = [&](const ScoredHitChunk& chunk) {
      for_each_hit(chunk, [&](std::size_t i, std::size_t at) {
        const std::string_view guide = guides.views()[i];
        const int bulge = bulges ? chunk.bulges[at] : 0;
        const auto length =
            static_cast<std::int64_t>(guide.size() + options.pams[0].size()) + bulge;
        const Hit hit = chunk.hits[at];
        table.add_place(i, occurrence_of(index.index(), hit, static_cast<std::uint64_t>(length)),
                        bulge, chunk.scores[at]);
        if (letters) site_letters.push_back(searcher->site(hit, guide, options, bulge));
      });
      task.report("searching", static_cast<double>(chunk.first + chunk.patterns()) /
                                   static_cast<double>(guides.size()));
    };
    sites = searcher->locate(guides.views(), options, take);
    index.index().require_unchanged();
  });
  warn_of_left_out(guides, sites);
  nb::dict columns = table.take();
  if (!bulges) columns.attr("pop")("bulge");
  if (letters) {
    columns["site"] =
        nb::module_::import_("numpy").attr("array")(nb::cast(site_letters), nb::arg("dtype") = "O");
  }
  return nb::make_tuple(summary(sites, options), columns);
}

}  // namespace

void register_guides(IndexClass& index) {
  const nb::object ngg = nb::make_tuple("NGG");
  index.def(
      "offtarget", &offtarget, nb::arg("guides"), nb::kw_only(), nb::arg("pams") = ngg,
      nb::arg("pam_first") = false, nb::arg("strands") = "both", nb::arg("mismatches") = 4,
      nb::arg("dna_bulge") = 0, nb::arg("rna_bulge") = 0, nb::arg("mit_scores") = true,
      nb::arg("score_table").none() = nb::none(), nb::arg("stop_at").none() = nb::none(),
      nb::arg("with_pam").none() = nb::none(), nb::arg("circular") = false,
      nb::arg("regions").none() = nb::none(), nb::arg("progress").none() = nb::none(),
      nb::sig("def offtarget(self, guides: " GSX_SEQUENCES
              ", *, pams: collections.abc.Sequence[str] = ('NGG',), pam_first: bool = False, "
              "strands: typing.Literal['both', 'forward', 'reverse'] = 'both', mismatches: int = "
              "4, dna_bulge: int = 0, rna_bulge: int = 0, "
              "mit_scores: bool = True, score_table: str | os.PathLike[str] | None = None, "
              "stop_at: tuple[int, int] | None = None, with_pam: bool | None = None, " GSX_PLACES
              ", progress: collections.abc.Callable[[str, float], object] | None = None) "
              "-> dict[str, numpy.typing.NDArray[typing.Any]]"),
      R"(Counts and scores the sites of CRISPR guides: places where a PAM matches exactly, and the
guide beside it with at most `mismatches` mismatches. DNA only.

:param guides: as the patterns of count(), without the PAM unless `with_pam`; letters are IUPAC
    codes.
:param pams: one PAM of 1 to 32 letters, or several of one length that have no site in common.
:param pam_first: whether the PAM lies on the 5' side of the guide.
:param strands: 'both', 'forward' or 'reverse': those that have the guide as it is given.
:param mismatches: most in the guide, 0 to 255.
:param dna_bulge: largest bulge of bases that the guide lacks, 0 to 5; rna_bulge: of bases that the
    text lacks. A site has at most one.
:param mit_scores: whether sites of guides of 20 bases have MIT scores.
:param score_table: the file of a table of scores, which then counts.
:param stop_at: (m, n) drops guides that have more than n sites with at most m mismatches. The rest
    of such a guide is not counted: only its sites with at most m mismatches are in the row.
:param with_pam: whether the guides hold the first PAM, which is then cut off. None refuses guides
    that all seem to: searched with it, they would have no sites.
:param circular: as that of count(): sites may span the origins of these records. Not with bulges.
:param regions: as those of count(): only sites that lie in one, with their PAM, count. Not with
    bulges.
:returns: a dict of arrays, one row per guide: `n0`, `n1`, ... sites by mismatches, `dna1_n0`, ...
    those with bulges (int64); `n_total` (int64); `specificity`, 0 to 100: 100 * 100 / (100 + the
    scores of all sites but the best perfect one), or NaN where no site has a score (float64);
    `searched` (bool), False for a guide that is empty or all N, holds what is no IUPAC code, or has
    no more letters than `mismatches`: its zeros say nothing; and, with `stop_at`, `dropped` (bool).
:raises UsageError: for options that are out of range, an index that is not DNA, and guides with
    or without a PAM against `with_pam`.
:raises InputError: for a score table that cannot be read or does not fit the PAM.

Cost: with 4 mismatches in human chromosome 21, 0.15 ms per guide where there are many.)");
  index.def("offtarget_sites", &offtarget_sites, nb::arg("guides"), nb::kw_only(),
            nb::arg("pams") = ngg, nb::arg("pam_first") = false, nb::arg("strands") = "both",
            nb::arg("mismatches") = 4, nb::arg("dna_bulge") = 0, nb::arg("rna_bulge") = 0,
            nb::arg("mit_scores") = true, nb::arg("score_table").none() = nb::none(),
            nb::arg("stop_at").none() = nb::none(), nb::arg("max_hits").none() = nb::none(),
            nb::arg("letters") = true, nb::arg("with_pam").none() = nb::none(),
            nb::arg("circular") = false, nb::arg("regions").none() = nb::none(),
            nb::arg("progress").none() = nb::none(),
            nb::sig("def offtarget_sites(self, guides: " GSX_SEQUENCES
                    ", *, pams: collections.abc.Sequence[str] = ('NGG',), pam_first: bool = False, "
                    "strands: typing.Literal['both', 'forward', 'reverse'] = 'both', "
                    "mismatches: int = 4, dna_bulge: int = 0, rna_bulge: int = 0, "
                    "mit_scores: bool = True, score_table: str | os.PathLike[str] | None = None, "
                    "stop_at: tuple[int, int] | None = None, max_hits: int | None = None, "
                    "letters: bool = True, with_pam: bool | None = None, " GSX_PLACES
                    ", progress: collections.abc.Callable[[str, float], object] | None = None) "
                    "-> tuple[dict[str, numpy.typing.NDArray[typing.Any]], "
                    "dict[str, numpy.typing.NDArray[typing.Any]]]"),
            R"(What offtarget() gives, and the sites of all guides.

Takes what offtarget() takes, and

:param max_hits: most sites per guide, at least 1: those with the fewest mismatches; None for all.
:param letters: whether to give the letters of the sites.
:returns: (summary, sites). `summary` is that of offtarget(). `sites` is a dict of arrays: `guide`
    and the further columns of locate(), PAM included; `bulge`, bases that the site has more than
    the guide (int8), if bulges are allowed; `score`, 0 to 100, or NaN (float64); `site`, its
    letters in the direction of the guide, lower case where they differ (str), with `letters`.)");
}

}  // namespace gsx::python

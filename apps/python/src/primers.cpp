// Index.amplicon: the products of pairs of PCR primers.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "index_object.hpp"
#include "patterns.hpp"
#include "places.hpp"
#include "unmatched.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

constexpr std::uint64_t pairs_of_first_piece = 1024;

/// The words of PrimerRoles, and the strands on which a product begins with the forward primer; 0
/// for those of one primer.
constexpr std::array roles_words = {"FR", "RF", "FF", "RR"};
constexpr std::array roles_strands = {1, -1, 0, 0};

AmpliconOptions options_of(std::int64_t mismatches,
                           const std::optional<std::pair<std::int64_t, std::int64_t>>& three_prime,
                           std::int64_t min_length, std::int64_t max_length,
                           const std::optional<std::int64_t>& max_hits) {
  AmpliconOptions options;
  options.mismatches = number_within(mismatches, 0, most_mismatches, "mismatches");
  if (three_prime) {
    options.end_bases = number_within(three_prime->first, 1, 1 << 30, "three_prime[0]");
    options.end_mismatches =
        number_within(three_prime->second, 0, most_mismatches, "three_prime[1]");
  }
  options.least = number_or(min_length, 0, "min_length");
  options.most = number_or(max_length, 0, "max_length");
  if (options.least > options.most) {
    throw UsageError("min_length is " + std::to_string(options.least) +
                     ", more than max_length, which is " + std::to_string(options.most));
  }
  options.max_products = number_or(max_hits, unlimited, "max_hits");
  return options;
}

/// The pairs. One that is missing is left empty, and so has no product.
std::vector<PrimerPair> pairs_of(const PatternStrings& forward, const PatternStrings& reverse) {
  if (forward.size() != reverse.size()) {
    throw UsageError("there are " + std::to_string(forward.size()) + " forward primers and " +
                     std::to_string(reverse.size()) + " reverse ones: give pairs");
  }
  std::vector<PrimerPair> pairs(forward.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::string_view first = forward.views()[i], second = reverse.views()[i];
    if (!is_null(first) && !is_null(second))
      pairs[i] = {{}, std::string(first), std::string(second)};
  }
  return pairs;
}

nb::dict amplicon(const IndexObject& index, const nb::object& forward_source,
                  const nb::object& reverse_source, std::int64_t mismatches,
                  const std::optional<std::pair<std::int64_t, std::int64_t>>& three_prime,
                  std::int64_t min_length, std::int64_t max_length,
                  const std::optional<std::int64_t>& max_hits, const nb::object& circular,
                  const nb::object& regions, const nb::object& progress) {
  const AmpliconOptions options =
      options_of(mismatches, three_prime, min_length, max_length, max_hits);
  const InUse in_use(index);
  const Places places = places_of(index, circular, regions);
  PatternStrings forward(forward_source, nb::none(), "forward"),
      reverse(reverse_source, nb::none(), "reverse");
  forward.strip(Alphabet::dna());
  reverse.strip(Alphabet::dna());
  const std::vector<PrimerPair> pairs = pairs_of(forward, reverse);
  Unmatched unmatched_forward(forward), unmatched_reverse(reverse);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    unmatched_forward.look_at(i, MismatchRules{options.mismatches, true});
    unmatched_reverse.look_at(i, MismatchRules{options.mismatches, true});
  }
  PythonTable<Array<"pair">, Array<"target">, Array<"start">, Array<"end">, Array<"length">,
              Array<"strand", std::int8_t>, Array<"fwd_mismatches", std::uint8_t>,
              Array<"rev_mismatches", std::uint8_t>>
      table;
  std::vector<std::uint8_t> roles;
  run_in_background(progress, [&](BackgroundTask& task) {
    const auto searcher = index.amplicon_searcher(places);
    in_pieces(
        task, "searching", pairs.size(), pairs_of_first_piece, [](std::size_t) { return 1; },
        [&](std::size_t first, std::size_t last) {
          const auto some = std::span<const PrimerPair>(pairs).subspan(first, last - first);
          searcher->find(some, options, [&](const AmpliconChunk& chunk) {
            task.check();
            for (const Amplicon& product : chunk.amplicons) {
              const auto role = static_cast<std::uint8_t>(product.roles);
              table.add(first + chunk.pair, product.record, product.begin, product.end,
                        product.length(), roles_strands[role], product.forward_mismatches,
                        product.reverse_mismatches);
              roles.push_back(role);
            }
          });
        });
    index.index().require_unchanged();
  });
  unmatched_forward.warn();
  unmatched_reverse.warn();
  nb::dict columns = table.take();
  const nb::object words = nb::module_::import_("numpy").attr("array")(
      nb::make_tuple(roles_words[0], roles_words[1], roles_words[2], roles_words[3]));
  columns["primers"] = words[to_numpy(std::move(roles))];
  return columns;
}

}  // namespace

void register_primers(IndexClass& index) {
  index.def(
      "amplicon", &amplicon, nb::arg("forward"), nb::arg("reverse"), nb::kw_only(),
      nb::arg("mismatches") = 0, nb::arg("three_prime").none() = nb::none(),
      nb::arg("min_length") = 50, nb::arg("max_length") = 3000,
      nb::arg("max_hits").none() = nb::none(), nb::arg("circular") = false,
      nb::arg("regions").none() = nb::none(), nb::arg("progress").none() = nb::none(),
      nb::sig(
          "def amplicon(self, forward: " GSX_SEQUENCES ", reverse: " GSX_SEQUENCES
          ", *, mismatches: int = 0, three_prime: tuple[int, int] | None = None, "
          "min_length: int = 50, max_length: int = 3000, max_hits: int | None = None, " GSX_PLACES
          ", progress: collections.abc.Callable[[str, float], object] | None = None) "
          "-> dict[str, numpy.typing.NDArray[typing.Any]]"),
      R"(The products of pairs of PCR primers: a place of one of them on the forward strand, and one
of the same or the other primer behind it on the reverse strand, in one record. DNA only.

:param forward: as the patterns of count(): n primers, 5' to 3' as ordered. Letters are IUPAC codes.
:param reverse: the n primers that they form pairs with, 5' to 3' as ordered.
:param mismatches: most of each primer, 0 to 255.
:param three_prime: (w, m) allows at most m of them in the last w bases of a primer.
:param min_length: least bases of a product, primers included, at least 1; max_length: most.
:param max_hits: most products per pair, at least 1: those with the fewest mismatches of both primers
    together, and among equal ones the first; None for all.
:param circular: as that of count(). Such a product ends behind the end of its record.
:param regions: as those of count().
:param progress: called as progress('searching', fraction) now and then.
:returns: a dict of arrays of one length: `pair` and `target`, the numbers of pair and record;
    `start` and `end`, symbols [start, end) of the record, counted from 0, primers included; `length`
    (int64); `strand`, on which the product begins with the forward primer: 1, -1, or 0 if one primer
    makes it (int8); `fwd_mismatches` and `rev_mismatches`, of the two primers, or of that at the
    start and that at the end, if one primer makes the product (uint8); `primers`, that at the start
    and that at the end: 'FR', 'RF', 'FF' or 'RR' (str). Rows are in the order of the pairs, those of
    each by target, start, end and primers. A PatternWarning tells of primers that cannot match.
:raises UsageError: for options that are out of range, and an index that is not DNA.
:raises ResourceError: if memory is short.

Cost: that of locating both primers; 8 bytes of memory per place of a pair, 51 per product.)");
}

}  // namespace gsx::python

// Searching the products of pairs of PCR primers, in an index or straight in a text.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/primers/primer_pair.hpp"
#include "base/export.hpp"
#include "gsx/index.hpp"
#include "gsx/search.hpp"

namespace gsx {

/// What the products of a pair of primers are: a place of one of them on the forward strand, and
/// one of the same or the other primer behind it on the reverse strand, both whole and in one
/// record of DNA, from the start of the first to the end of the second. They may overlap. Letters
/// of primers are IUPAC codes, U is T, and case does not matter. A symbol of a record other than A,
/// C, G, T and U matches nothing, not even N, but may lie between the primers. With
/// SearchOptions::circular, products and places of primers may span the origin of a record: such a
/// product ends behind the end of its record, and is not longer than it. With
/// SearchOptions::regions, only products that lie wholly within a region count.
struct AmpliconOptions {
  std::uint32_t mismatches = 0;      ///< most of each primer (Hamming distance): 0 to 255
  std::uint32_t end_bases = 0;       ///< bases at the 3' end of a primer that have a limit of
  std::uint32_t end_mismatches = 0;  ///< their own: so many of the mismatches, at most
  std::uint64_t least = 50;          ///< bases of a product, primers included
  std::uint64_t most = 3000;         ///< the same; at least `least`
  /// Most products to give per pair: those with the fewest mismatches of both primers together, and
  /// among equal ones the first.
  std::uint64_t max_products = unlimited;
};

/// A product: symbols [begin, end) of a record, counted from 0.
struct Amplicon {
  std::uint64_t record = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  PrimerRoles roles = PrimerRoles::forward_reverse;
  /// Of the forward primer and of the reverse one; of that at the start and that at the end, if one
  /// primer made the product.
  std::uint32_t forward_mismatches = 0;
  std::uint32_t reverse_mismatches = 0;

  std::uint64_t length() const { return end - begin; }
  friend auto operator<=>(const Amplicon&, const Amplicon&) = default;
};

/// Why a pair cannot be asked for, in words that follow "it "; none if it can be. It cannot if
/// why_not_asked() says so of one of its primers, with `iupac`.
GSX_API std::optional<std::string> why_not_asked(const PrimerPair& pair,
                                                 const AmpliconOptions& options);

/// All products of one pair, by record, begin, end and roles. Works on the calling thread. Throws
/// UsageError for an index or a text that is not DNA, for options that are out of range, and for a
/// pair that cannot be asked for; ResourceError. Cost: that of locate_with_mismatches() for both
/// primers, and what is linear in their places and products.
GSX_API std::vector<Amplicon> find_amplicons(const Index& index, const PrimerPair& pair,
                                             const AmpliconOptions& options = {});
GSX_API std::vector<Amplicon> find_amplicons(const Text& text, const PrimerPair& pair,
                                             const AmpliconOptions& options = {});

/// Products of one pair, in order. Valid during the call.
struct AmpliconChunk {
  std::size_t pair = 0;                 ///< its number
  std::uint64_t before = 0;             ///< products of the pair in earlier chunks
  std::uint64_t total = 0;              ///< all products of the pair, also those over max_products
  std::span<const Amplicon> amplicons;  ///< at most 2^16
};
/// As HitSink.
using AmpliconSink = std::function<void(const AmpliconChunk& chunk)>;

/// Searches many pairs on all cores or on a GPU. Several threads may call.
class GSX_API AmpliconSearcher {
 public:
  /// Owns the index together with the Index that it was given. Throws UsageError for an index that
  /// is not DNA, DeviceError where a GPU was demanded, ResourceError.
  explicit AmpliconSearcher(const Index& index, const SearchOptions& options = {});
  /// Refers to the text, which must stay where it is. Throws the same.
  explicit AmpliconSearcher(const Text& text, const SearchOptions& options = {});
  explicit AmpliconSearcher(Text&&, const SearchOptions& = {}) = delete;
  AmpliconSearcher(AmpliconSearcher&&) noexcept;
  AmpliconSearcher& operator=(AmpliconSearcher&&) noexcept;
  ~AmpliconSearcher();

  /// What does the work, as BatchSearcher::device() says it.
  std::string device() const;

  /// Gives `sink` the products of all pairs, in the order of the pairs, those of each as
  /// find_amplicons() orders them. Each pair has a chunk, also one without products, and one that
  /// cannot be asked for; one with more than 2^16 has several. Throws UsageError for options that
  /// are out of range and for an empty sink, ResourceError. What the sink throws ends the work and
  /// comes out here. Memory: SearchMemory::hits_at_once places, and all places of one pair per
  /// thread, 8 bytes each.
  /// Cost: with 2 mismatches, none of them in the last 5 bases, one thread, and human chromosome
  /// 21, 0.3 s and 10 microseconds per pair.
  void find(std::span<const PrimerPair> pairs, const AmpliconOptions& options,
            const AmpliconSink& sink) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gsx

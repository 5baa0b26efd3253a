// Writes the products of pairs of primers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analysis/primers/primer_pair.hpp"
#include "analysis/primers/products.hpp"
#include "output/lines/place_order.hpp"
#include "output/lines/result_format.hpp"
#include "text/text.hpp"

namespace gsx {

/// What is written of a product: all of it, and symbols around it, or what lies between the
/// primers.
struct ProductExtent {
  bool inner = false;
  std::uint64_t flank = 0;  ///< on each side, as far as the record goes
};

/// A product of a pair of primers.
struct ProductRow : PlaceRow {
  std::uint64_t length = 0;
  std::uint32_t forward_mismatches = 0;
  std::uint32_t reverse_mismatches = 0;
  Word primers;

  std::uint32_t mismatches() const { return forward_mismatches + reverse_mismatches; }
};

using ProductColumns =
    Joined<Columns<Column<"pair_id", &ProductRow::name>>, Without<PlaceColumns, "strand">,
           Columns<Column<"length", &ProductRow::length>, Column<"strand", &ProductRow::strand>,
                   Column<"fwd_mismatches", &ProductRow::forward_mismatches>,
                   Column<"rev_mismatches", &ProductRow::reverse_mismatches>,
                   Column<"primers", &ProductRow::primers>>,
           TotalColumns>;

/// Writes one line of TSV, BED, GFF3 or JSON, or one FASTA record, per product; in BED, two lines
/// if it spans an origin. For one thread.
class ProductReport {
 public:
  /// Lines that are written before somebody has to take them.
  static constexpr std::size_t piece_bytes = std::size_t{1} << 22;
  /// Lines; each has its key if they are to be sorted.
  using Lines = KeyedLines;
  /// Takes lines, and leaves none.
  using TakeLines = std::function<void(Lines& lines)>;

  ProductReport(const TextView& text, const RecordsView& records, const RecordAxis& axis,
                const PlaceLineOptions& written, ProductExtent extent = {})
      : text_(text),
        records_(records),
        axis_(axis),
        written_(written),
        format_(written.format),
        extent_(extent) {}

  /// Appends the products of a pair to `lines`: at most `most`, those with the fewest mismatches of
  /// both primers together, among equal ones the first. Returns how many there are. Calls `take`
  /// whenever the lines are more than piece_bytes.
  std::uint64_t write(const PrimerPair& pair, const ProductFinder& products, std::uint64_t most,
                      Lines& lines, const TakeLines& take);

  /// Products so far whose flanks are shorter than asked for, because the record ends.
  std::uint64_t cut_flanks() const { return cut_flanks_; }

 private:
  Product extent_of(Product product, const PrimerPair& pair);
  void drop_primers(Product& product, const PrimerPair& pair) const;
  void add_flanks(Product& product);
  void set_row(const Product& product);
  void add_key(Lines& lines) const;
  template <template <class> class Line>
  void add_line(Lines& lines) const;
  void add_bed(Lines& lines);
  void add_symbols(std::uint64_t record, std::uint64_t begin, std::uint64_t count);
  void add_fasta(const Product& product, Lines& lines, const TakeLines& take);

  TextView text_;
  RecordsView records_;
  const RecordAxis& axis_;
  PlaceLineOptions written_;
  ResultFormat format_;
  ProductExtent extent_;
  std::uint64_t cut_flanks_ = 0;
  std::string name_, target_, file_;  ///< of the row, as the format writes them
  std::uint64_t record_ = ~std::uint64_t{0};
  ProductRow row_;
  std::string symbols_;
};

}  // namespace gsx

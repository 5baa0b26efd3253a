// Writes the products of pairs of primers.
#pragma once

#include <cstdint>
#include <string>

#include "amplicon/primers.hpp"
#include "amplicon/products.hpp"
#include "io/output.hpp"
#include "text/text.hpp"

namespace gsx {

enum class ProductFormat : std::uint8_t { tsv, bed, fasta };

inline constexpr const char* products_header =
    "pair_id\ttarget_id\tstart\tend\tlength\tstrand\tfwd_mismatches\trev_mismatches\tprimers\t"
    "n_total\tn_reported\ttruncated\n";

/// Writes one line, or one FASTA record, per product; in BED, two lines if it spans an origin.
class ProductReport {
 public:
  ProductReport(const TextView& text, const RecordsView& records, const RecordAxis& axis,
                ProductFormat format, Output& out)
      : text_(text), records_(records), axis_(axis), format_(format), out_(out) {}

  /// Writes the products of a pair: at most `most`, those with the fewest mismatches of both
  /// primers together, among equal ones the first. Returns how many there are.
  std::uint64_t write(const PrimerPair& pair, const ProductFinder& products, std::uint64_t most);

 private:
  void add_line(const std::string& pair, const std::string& totals, const Product& product);
  void add_bed_line(const std::string& pair, const Product& product);
  void add_fasta(const std::string& pair, const Product& product);
  void add_symbols(std::uint64_t record, std::uint64_t begin, std::uint64_t count);
  void add_place(const Product& product, char between);
  void flush(std::size_t most);

  TextView text_;
  RecordsView records_;
  const RecordAxis& axis_;
  ProductFormat format_;
  Output& out_;
  std::string lines_;
  std::string symbols_;
};

}  // namespace gsx

#include "analysis/primers/product_report.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "text/complement.hpp"
#include "text/extract.hpp"

namespace gsx {
namespace {

/// How the primers that made a product are called: that at its start, then that at its end.
constexpr const char* names_of_roles[] = {"FR", "RF", "FF", "RR"};

/// The strand on which the product begins with the forward primer; none if one primer made it.
char strand_of(const Product& product) {
  return "+-.."[static_cast<std::size_t>(product.roles)];
}

using ProductBed =
    BedLine<Joined<ProductColumns, Columns<Column<"mismatches", &ProductRow::mismatches>>>,
            "pair_id", "mismatches">;
template <class List>
using ProductGff3 = Gff3Line<List, "PCR_product", "pair_id">;
template <class List>
using ProductJson = JsonObject<List>;
template <class List>
using ProductTsv = TabbedLine<List>;
using FastaHeader =
    LineLayout<TextValues, "\n", Field<">", Column<"pair", &ProductRow::name>>,
               Field<" ", Column<"target", &ProductRow::target>>,
               Field<":", Column<"start", &ProductRow::start>>,
               Field<"-", Column<"end", &ProductRow::end>>,
               Field<"(", Column<"strand", &ProductRow::strand>>,
               Field<") length=", Column<"length", &ProductRow::length>>,
               Field<" primers=", Column<"primers", &ProductRow::primers>>,
               Field<" mismatches=", Column<"fwd", &ProductRow::forward_mismatches>>,
               Field<",", Column<"rev", &ProductRow::reverse_mismatches>>>;

}  // namespace

template <template <class> class Line>
void ProductReport::add_line(Lines& lines) const {
  written_.by_file ? Line<WithFile<ProductColumns>>::append(lines.text, row_)
                   : Line<ProductColumns>::append(lines.text, row_);
}

std::uint64_t ProductReport::write(const PrimerPair& pair, const ProductFinder& products,
                                   std::uint64_t most, Lines& lines, const TakeLines& take) {
  std::vector<std::uint64_t> counts = products.count();
  const std::uint64_t total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  if (total == 0) return 0;
  name_.clear();
  append_query(name_, pair.name, format_);
  // A FASTA name ends at the first blank.
  if (format_ == ResultFormat::fasta) std::replace(name_.begin(), name_.end(), ' ', '_');
  row_.name = {name_};
  row_.total = total;
  row_.reported = std::min(total, most);
  products.for_fewest_mismatches(std::move(counts), most, [&](const Product& found) {
    const Product product = extent_of(found, pair);
    set_row(product);
    add_key(lines);
    switch (format_) {
      case ResultFormat::bed:
        add_bed(lines);
        break;
      case ResultFormat::fasta:
        add_fasta(product, lines, take);
        break;
      case ResultFormat::gff3:
        add_line<ProductGff3>(lines);
        break;
      case ResultFormat::jsonl:
        add_line<ProductJson>(lines);
        break;
      default:
        add_line<ProductTsv>(lines);
        break;
    }
    if (lines.text.size() > piece_bytes) take(lines);
  });
  return total;
}

/// The product with the start and the end that are written.
Product ProductReport::extent_of(Product product, const PrimerPair& pair) {
  if (extent_.inner) drop_primers(product, pair);
  if (extent_.flank != 0) add_flanks(product);
  return product;
}

/// Nothing is left of a product whose primers overlap. What begins behind an origin is moved once
/// round, to where it begins in the record.
void ProductReport::drop_primers(Product& product, const PrimerPair& pair) const {
  const bool starts_with_reverse = product.roles == PrimerRoles::reverse_forward ||
                                   product.roles == PrimerRoles::reverse_reverse;
  const bool ends_with_reverse = product.roles == PrimerRoles::forward_reverse ||
                                 product.roles == PrimerRoles::reverse_reverse;
  product.start += (starts_with_reverse ? pair.reverse : pair.forward).size();
  product.end -= (ends_with_reverse ? pair.reverse : pair.forward).size();
  product.end = std::max(product.start, product.end);
  const std::uint64_t length = axis_.length_of(product.record);
  const std::uint64_t begin = axis_.begin_of(product.record);
  if (!axis_.is_circular(product.record) || product.start < begin + length) return;
  product.start -= length;
  product.end -= length;
}

/// On a circle, flanks share what the product leaves of it.
void ProductReport::add_flanks(Product& product) {
  const std::uint64_t length = axis_.length_of(product.record);
  const std::uint64_t begin = axis_.begin_of(product.record);
  std::uint64_t before = product.start - begin, after = begin + length - product.end;
  if (axis_.is_circular(product.record)) {
    const std::uint64_t left = length - product.length();
    before = left / 2;
    after = left - std::min(before, extent_.flank);
  }
  if (std::min(before, after) < extent_.flank) ++cut_flanks_;
  before = std::min(before, extent_.flank);
  after = std::min(after, extent_.flank);
  if (product.start < begin + before) {  // only a circle goes on there
    product.start += length;
    product.end += length;
  }
  product.start -= before;
  product.end += after;
}

/// The end of a product that spans an origin is greater than the length of the record.
void ProductReport::set_row(const Product& product) {
  if (product.record != record_) {
    record_ = product.record;
    target_.clear();
    append_target(target_, records_.name(record_), format_);
    row_.target = {target_};
    if (written_.by_file) {
      file_.clear();
      append_query(file_, records_.files.name(records_.files.file_of(record_)), format_);
      row_.file = {file_};
    }
    row_.target_length = axis_.length_of(record_);
    row_.record = record_;
  }
  const std::uint64_t begin = axis_.begin_of(product.record);
  row_.start = product.start - begin;
  row_.end = product.end - begin;
  row_.length = product.length();
  row_.strand = strand_of(product);
  row_.forward_mismatches = product.forward_mismatches();
  row_.reverse_mismatches = product.reverse_mismatches();
  row_.primers = {names_of_roles[static_cast<std::size_t>(product.roles)]};
}

void ProductReport::add_key(Lines& lines) const {
  if (written_.sorted) lines.keys.push_back(place_key(row_));
}

/// In BED, no line may end behind its target.
void ProductReport::add_bed(Lines& lines) {
  const std::uint64_t end = row_.end;
  row_.end = std::min(end, row_.target_length);
  ProductBed::append(lines.text, row_);
  if (end <= row_.target_length) return;
  row_.start = 0;
  row_.end = end - row_.target_length;
  add_key(lines);
  ProductBed::append(lines.text, row_);
}

/// Appends symbols of a record to symbols_, on behind its origin if need be.
void ProductReport::add_symbols(std::uint64_t record, std::uint64_t begin, std::uint64_t count) {
  const Alphabet dna = Alphabet::dna();
  const std::uint64_t length = axis_.length_of(record);
  if (begin >= length) begin -= length;
  const std::uint64_t end = std::min(begin + count, length);
  extract(text_, records_, dna, record, begin, end, symbols_);
  extract(text_, records_, dna, record, 0, count - (end - begin), symbols_);
}

void ProductReport::add_fasta(const Product& product, Lines& lines, const TakeLines& take) {
  constexpr std::uint64_t width = 60, step = width << 14;
  const char strand = row_.strand;
  FastaHeader::append(lines.text, row_);
  const std::uint64_t offset = axis_.begin_of(product.record);
  for (std::uint64_t done = 0; done < product.length(); done += step) {
    const std::uint64_t count = std::min(step, product.length() - done);
    const std::uint64_t begin =
        (strand == '-' ? product.end - done - count : product.start + done) - offset;
    symbols_.clear();
    add_symbols(product.record, begin, count);
    if (strand == '-') reverse_complement(symbols_);
    for (std::size_t i = 0; i < symbols_.size(); i += width)
      lines.text.append(symbols_, i, width).append(1, '\n');
    if (lines.text.size() > piece_bytes) take(lines);
  }
}

}  // namespace gsx

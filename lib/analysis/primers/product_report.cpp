#include "analysis/primers/product_report.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "output/lines/text_format.hpp"
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

}  // namespace

std::uint64_t ProductReport::write(const PrimerPair& pair, const ProductFinder& products,
                                   std::uint64_t most, std::string& lines, const TakeLines& take) {
  std::vector<std::uint64_t> counts = products.count();
  const std::uint64_t total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  if (total == 0) return 0;
  std::string name;
  append_name(name, pair.name);
  // A FASTA name ends at the first blank.
  if (format_ == ProductFormat::fasta) std::replace(name.begin(), name.end(), ' ', '_');
  const std::string totals =
      fmt::format("\t{}\t{}\t{}\n", total, std::min(total, most), most < total ? "yes" : "no");
  products.for_fewest_mismatches(std::move(counts), most, [&](const Product& found) {
    const Product product = extent_of(found, pair);
    if (format_ == ProductFormat::fasta) {
      add_fasta(name, product, lines, take);
    } else {
      add_line(name, totals, product, lines);
    }
    if (lines.size() > piece_bytes) take(lines);
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

/// Appends start and end in the record; the end of a product that spans an origin is greater than
/// the length of the record.
void ProductReport::add_place(const Product& product, char between, std::string& lines) const {
  const std::uint64_t begin = axis_.begin_of(product.record);
  append_number(lines, product.start - begin);
  lines += between;
  append_number(lines, product.end - begin);
}

void ProductReport::add_line(const std::string& pair, const std::string& totals,
                             const Product& product, std::string& lines) const {
  const std::string_view target = records_.name(product.record);
  if (format_ == ProductFormat::bed) {
    const std::uint64_t origin = axis_.begin_of(product.record) + axis_.length_of(product.record);
    if (product.end <= origin) return add_bed_line(pair, product, lines);
    Product part = product;  // in BED, no line may end behind its target
    part.end = origin;
    add_bed_line(pair, part, lines);
    part.start = axis_.begin_of(product.record);
    part.end = part.start + (product.end - origin);
    return add_bed_line(pair, part, lines);
  }
  lines.append(pair).append(1, '\t');
  append_name(lines, target);
  lines += '\t';
  add_place(product, '\t', lines);
  lines += '\t';
  append_number(lines, product.length());
  lines.append(1, '\t').append(1, strand_of(product)).append(1, '\t');
  append_number(lines, product.forward_mismatches());
  lines += '\t';
  append_number(lines, product.reverse_mismatches());
  lines += '\t';
  lines += names_of_roles[static_cast<std::size_t>(product.roles)];
  lines += totals;
}

void ProductReport::add_bed_line(const std::string& pair, const Product& product,
                                 std::string& lines) const {
  append_bed_target(lines, records_.name(product.record));
  lines += '\t';
  add_place(product, '\t', lines);
  lines.append(1, '\t').append(pair).append(1, '\t');
  append_number(lines, product.mismatches());
  lines.append(1, '\t').append(1, strand_of(product)).append(1, '\n');
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

void ProductReport::add_fasta(const std::string& pair, const Product& product, std::string& lines,
                              const TakeLines& take) {
  constexpr std::uint64_t width = 60, step = width << 14;
  const char strand = strand_of(product);
  lines.append(1, '>').append(pair).append(1, ' ');
  append_name(lines, records_.name(product.record));
  lines += ':';
  add_place(product, '-', lines);
  lines += fmt::format("({}) length={} primers={} mismatches={},{}\n", strand, product.length(),
                       names_of_roles[static_cast<std::size_t>(product.roles)],
                       product.forward_mismatches(), product.reverse_mismatches());
  const std::uint64_t offset = axis_.begin_of(product.record);
  for (std::uint64_t done = 0; done < product.length(); done += step) {
    const std::uint64_t count = std::min(step, product.length() - done);
    const std::uint64_t begin =
        (strand == '-' ? product.end - done - count : product.start + done) - offset;
    symbols_.clear();
    add_symbols(product.record, begin, count);
    if (strand == '-') reverse_complement(symbols_);
    for (std::size_t i = 0; i < symbols_.size(); i += width)
      lines.append(symbols_, i, width).append(1, '\n');
    if (lines.size() > piece_bytes) take(lines);
  }
}

}  // namespace gsx

#include "amplicon/product_report.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <numeric>

#include "report/text_format.hpp"
#include "text/complement.hpp"
#include "text/extract.hpp"

namespace gsx {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 18;

/// How the primers that made a product are called: that at its start, then that at its end.
constexpr const char* names_of_roles[] = {"FR", "RF", "FF", "RR"};

/// The strand on which the product begins with the forward primer; none if one primer made it.
char strand_of(const Product& product) {
  return "+-.."[static_cast<std::size_t>(product.roles)];
}

/// Mismatches of the forward primer; of the one at the start, if one primer made the product.
std::uint32_t forward_mismatches(const Product& product) {
  return product.roles == PrimerRoles::reverse_forward ? product.end_mismatches
                                                       : product.start_mismatches;
}

std::uint32_t reverse_mismatches(const Product& product) {
  return product.mismatches() - forward_mismatches(product);
}

}  // namespace

std::uint64_t ProductReport::write(const PrimerPair& pair, const ProductFinder& products,
                                   std::uint64_t most) {
  std::vector<std::uint64_t> left = products.count();
  const std::uint64_t total = std::accumulate(left.begin(), left.end(), std::uint64_t{0});
  if (total == 0) return 0;
  std::uint64_t to_write = std::min(total, most), room = most;
  for (std::uint64_t& of_class : left) {
    of_class = std::min(of_class, room);
    room -= of_class;
  }
  std::string name;
  append_name(name, pair.name);
  const std::string totals =
      fmt::format("\t{}\t{}\t{}\n", total, to_write, to_write < total ? "yes" : "no");
  products.for_each([&](const Product& product) {
    if (left[product.mismatches()] == 0) return true;
    --left[product.mismatches()];
    if (format_ == ProductFormat::fasta) add_fasta(name, product);
    if (format_ != ProductFormat::fasta) add_line(name, totals, product);
    flush(piece_bytes);
    return --to_write != 0;
  });
  flush(0);
  return total;
}

void ProductReport::flush(std::size_t most) {
  if (lines_.size() <= most) return;
  out_.write(lines_);
  lines_.clear();
}

/// Appends start and end in the record; the end of a product that spans an origin is greater than
/// the length of the record.
void ProductReport::add_place(const Product& product, char between) {
  const std::uint64_t begin = axis_.begin_of(product.record);
  append_number(lines_, product.start - begin);
  lines_ += between;
  append_number(lines_, product.end - begin);
}

void ProductReport::add_line(const std::string& pair, const std::string& totals,
                             const Product& product) {
  const std::string_view target = records_.name(product.record);
  if (format_ == ProductFormat::bed) {
    const std::uint64_t origin = axis_.begin_of(product.record) + axis_.length_of(product.record);
    if (product.end <= origin) return add_bed_line(pair, product);
    Product part = product;  // in BED, no line may end behind its target
    part.end = origin;
    add_bed_line(pair, part);
    part.start = axis_.begin_of(product.record);
    part.end = part.start + (product.end - origin);
    return add_bed_line(pair, part);
  }
  lines_.append(pair).append(1, '\t');
  append_name(lines_, target);
  lines_ += '\t';
  add_place(product, '\t');
  lines_ += '\t';
  append_number(lines_, product.length());
  lines_.append(1, '\t').append(1, strand_of(product)).append(1, '\t');
  append_number(lines_, forward_mismatches(product));
  lines_ += '\t';
  append_number(lines_, reverse_mismatches(product));
  lines_ += '\t';
  lines_ += names_of_roles[static_cast<std::size_t>(product.roles)];
  lines_ += totals;
}

void ProductReport::add_bed_line(const std::string& pair, const Product& product) {
  append_bed_target(lines_, records_.name(product.record));
  lines_ += '\t';
  add_place(product, '\t');
  lines_.append(1, '\t').append(pair).append(1, '\t');
  append_number(lines_, product.mismatches());
  lines_.append(1, '\t').append(1, strand_of(product)).append(1, '\n');
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

void ProductReport::add_fasta(const std::string& pair, const Product& product) {
  constexpr std::uint64_t width = 60, step = width << 14;
  const char strand = strand_of(product);
  lines_.append(1, '>').append(pair).append(1, ' ');
  append_name(lines_, records_.name(product.record));
  lines_ += ':';
  add_place(product, '-');
  lines_ += fmt::format("({}) length={} primers={} mismatches={},{}\n", strand, product.length(),
                        names_of_roles[static_cast<std::size_t>(product.roles)],
                        forward_mismatches(product), reverse_mismatches(product));
  const std::uint64_t offset = axis_.begin_of(product.record);
  for (std::uint64_t done = 0; done < product.length(); done += step) {
    const std::uint64_t count = std::min(step, product.length() - done);
    const std::uint64_t begin =
        (strand == '-' ? product.end - done - count : product.start + done) - offset;
    symbols_.clear();
    add_symbols(product.record, begin, count);
    if (strand == '-') reverse_complement(symbols_);
    for (std::size_t i = 0; i < symbols_.size(); i += width)
      lines_.append(symbols_, i, width).append(1, '\n');
    flush(piece_bytes);
  }
}

}  // namespace gsx

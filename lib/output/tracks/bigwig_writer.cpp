#include "output/tracks/bigwig_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "output/tracks/bigwig_format.hpp"
#include "output/tracks/bigwig_sections.hpp"
#include "output/tracks/bin_joiner.hpp"
#include "output/tracks/track_records.hpp"
#include "output/tracks/zoom_blocks.hpp"

namespace gsx {
namespace {

/// The id of a record that is left out.
constexpr std::uint32_t no_id = ~std::uint32_t{0};

constexpr std::uint32_t tree_magic = 0x78CA8C91;
constexpr std::uint64_t value_bytes = 8;  ///< of a leaf (id and length), and the offset of a node

/// Appends the nodes of the tree, level by level from the root.
class NameTree {
 public:
  NameTree(std::span<const TrackRecord> records, std::span<const std::uint32_t> ids)
      : records_(records), ids_(ids), sorted_(sorted_by_name(records)) {
    for (const std::uint64_t record : sorted_)
      name_bytes_ = std::max<std::uint64_t>(name_bytes_, records[record].name.size());
    children_ = std::clamp<std::uint64_t>(sorted_.size(), 1, bigwig::most_children);
  }

  std::string make(std::uint64_t offset) {
    using bigwig::put;
    put(out_, tree_magic);
    put(out_, static_cast<std::uint32_t>(children_));
    put(out_, static_cast<std::uint32_t>(name_bytes_));
    put(out_, static_cast<std::uint32_t>(value_bytes));
    put(out_, std::uint64_t{sorted_.size()});
    put(out_, std::uint64_t{0});  // reserved
    std::uint64_t under = 1;      // records below a child of the root
    while (under * children_ < sorted_.size())
      under *= children_;
    for (; under > 1; under /= children_)
      add_level(offset, under);
    add_leaves();
    return std::move(out_);
  }

 private:
  void add_name(std::uint64_t record) {
    const std::string_view name = records_[record].name;
    out_.append(name).append(name_bytes_ - name.size(), '\0');
  }
  void add_node_header(bool leaf, std::uint64_t count) {
    bigwig::put(out_, static_cast<std::uint16_t>(leaf ? 1 : 0));
    bigwig::put(out_, static_cast<std::uint16_t>(count));
  }

  /// A level of nodes whose children have `under` records each. The next level follows it.
  void add_level(std::uint64_t offset, std::uint64_t under) {
    const std::uint64_t entry_bytes = name_bytes_ + value_bytes;
    const std::uint64_t entries = divide_up(sorted_.size(), under);
    const std::uint64_t nodes = divide_up(entries, children_);
    std::uint64_t child =
        offset + out_.size() + nodes * bigwig::node_header_bytes + entries * entry_bytes;
    for (std::uint64_t first = 0; first < entries; first += children_) {
      const std::uint64_t end = std::min(first + children_, entries);
      add_node_header(false, end - first);
      for (std::uint64_t entry = first; entry < end; ++entry) {
        add_name(sorted_[entry * under]);
        bigwig::put(out_, child);
        // All but the last child are full, and nothing follows that one.
        child += bigwig::node_header_bytes + children_ * entry_bytes;
      }
    }
  }

  void add_leaves() {
    if (sorted_.empty()) add_node_header(true, 0);
    for (std::uint64_t first = 0; first < sorted_.size(); first += children_) {
      const std::uint64_t end = std::min(first + children_, sorted_.size());
      add_node_header(true, end - first);
      for (std::uint64_t entry = first; entry < end; ++entry) {
        add_name(sorted_[entry]);
        bigwig::put(out_, ids_[sorted_[entry]]);
        bigwig::put(out_, static_cast<std::uint32_t>(records_[sorted_[entry]].length));
      }
    }
  }

  std::span<const TrackRecord> records_;
  std::span<const std::uint32_t> ids_;
  std::vector<std::uint64_t> sorted_;
  std::uint64_t name_bytes_ = 1;
  std::uint64_t children_ = 1;
  std::string out_;
};

/// A B+ tree of the records that have positions, sorted by name, whose values are ids[record] and
/// the length of a record. It lies at `offset` in the file. All nodes but the last of a level are
/// full, and none is padded, so that readers that follow the offsets of nodes and readers that take
/// one node after another both find all. Pre: require_bigwig(records) does not throw.
std::string chromosome_tree(std::span<const TrackRecord> records,
                            std::span<const std::uint32_t> ids, std::uint64_t offset) {
  return NameTree(records, ids).make(offset);
}

}  // namespace

void require_replaceable(const Output& output) {
  if (output.can_replace()) return;
  throw UsageError(
      "bigWig goes to a plain file, not to a pipe or a device, because its header is written last: "
      "name a file");
}

BigWigWriter::BigWigWriter(Output& output, ScratchPlace scratch)
    : output_(output), scratch_(std::move(scratch)), zooms_(scratch_) {
  require_replaceable(output);
}

void BigWigWriter::begin(std::span<const TrackRecord> records, TrackKind kind) {
  require_bigwig(records);
  kind_ = kind;
  std::uint32_t id = 0;
  for (const TrackRecord& record : records)
    ids_.push_back(record.length > 0 ? id++ : no_id);
  std::string start(bigwig::summary_offset + bigwig::summary_bytes, '\0');  // replaced at the end
  start += chromosome_tree(records, ids_, start.size());
  data_offset_ = start.size();
  bigwig::put(start, std::uint64_t{0});  // the number of sections, likewise
  output_.write(start);
}

std::unique_ptr<TrackEncoder> BigWigWriter::make_encoder() const {
  return make_section_encoder(ids_, kind_);
}

void BigWigWriter::Summary::add(const ZoomRecord& total) {
  least = covered == 0 ? total.least : std::min<double>(least, total.least);
  most = covered == 0 ? total.most : std::max<double>(most, total.most);
  covered += total.covered;
  sum += total.sum;
  squares += total.squares;
}

void BigWigWriter::write(const EncodedSections& encoded) {
  std::uint64_t offset = output_.offset();
  for (const EncodedPlace& place : encoded.places) {
    sections_.push_back({place.id, place.begin, place.id, place.end, offset, place.bytes});
    offset += place.bytes;
  }
  output_.write(encoded.bytes);
  for (const ZoomRecord& total : encoded.totals)
    summary_.add(total);
  zooms_.add(encoded.zooms);
  zoom_shift_ = std::max(zoom_shift_, encoded.zoom_shift);
  most_block_bytes_ = std::max(most_block_bytes_, encoded.most_section_bytes);
  runs_ = std::max(runs_, encoded.runs_yet);
  extent_ = std::max(extent_, encoded.extent_yet);
}

void BigWigWriter::finish(int threads) {
  index_offset_ = output_.offset();
  write_range_index(output_, sections_, index_offset_);
  if (runs_ > 0) write_zooms(threads);
  std::string end;
  bigwig::put(end, bigwig::magic);
  output_.write(end);
  write_header();
}

void BigWigWriter::write_zooms(int threads) {
  ZoomSpool from = std::move(zooms_);
  std::uint32_t shift = std::max(zoom_shift_, zoom_shift_for(runs_, extent_));
  for (std::uint64_t before = 0;;) {
    ZoomSpool next(scratch_);
    const std::uint64_t count = write_zoom_level(from, next, shift, threads);
    shift += zoom_shift_step;
    if (count <= bigwig::block_zooms || count == before || shift > most_zoom_shift ||
        levels_.size() == bigwig::most_zoom_levels)
      return;
    before = count;
    from = std::move(next);
  }
}

/// Writes a level, and puts the bins of the next into `next`. Returns how many records it has.
std::uint64_t BigWigWriter::write_zoom_level(const ZoomSpool& from, ZoomSpool& next,
                                             std::uint32_t shift, int threads) {
  const std::uint64_t data_offset = output_.offset();
  std::string count(sizeof(std::uint32_t), '\0');
  output_.write(count);
  ZoomBlockWriter blocks(output_, threads);
  BinJoiner bins(shift, threads), next_bins(shift + zoom_shift_step, threads);
  const auto take = [&](std::span<const ZoomRecord> complete) {
    next.add(next_bins.add(complete));
    blocks.add(complete);
  };
  Buffer<ZoomRecord> zooms(std::min(from.count(), ZoomBlockWriter::zooms_at_once(threads)),
                           "zoom records");
  for (std::uint64_t first = 0; first < from.count(); first += zooms.size()) {
    const std::span<ZoomRecord> some =
        zooms.span().first(std::min<std::uint64_t>(zooms.size(), from.count() - first));
    const std::uint64_t slices = divide_up(some.size(), bigwig::block_zooms);
    parallel_for(threads, slices, [&](std::uint64_t s, int) {
      const Slice slice = slice_of(some.size(), slices, s);
      from.read(first + slice.begin, some.subspan(slice.begin, slice.end - slice.begin));
    });
    take(bins.add(some));
  }
  take(bins.finish());
  next.add(next_bins.finish());
  blocks.finish();
  most_block_bytes_ = std::max(most_block_bytes_, blocks.most_block_bytes());
  count.clear();
  bigwig::put(count, static_cast<std::uint32_t>(blocks.count()));
  output_.replace(data_offset, count);
  levels_.push_back({std::uint32_t{1} << shift, data_offset, output_.offset()});
  write_range_index(output_, blocks.ranges(), output_.offset());
  return blocks.count();
}

void BigWigWriter::write_header() {
  using bigwig::put;
  std::string header;
  put(header, bigwig::magic);
  put(header, bigwig::version);
  put(header, static_cast<std::uint16_t>(levels_.size()));
  put(header, bigwig::summary_offset + bigwig::summary_bytes);  // the chromosome tree
  put(header, data_offset_);
  put(header, index_offset_);
  put(header, std::uint32_t{0});  // fields, which only bigBed has
  put(header, std::uint64_t{0});  // their description
  put(header, bigwig::summary_offset);
  put(header, static_cast<std::uint32_t>(most_block_bytes_));
  put(header, std::uint64_t{0});  // no extension
  for (const ZoomLevel& level : levels_) {
    put(header, level.reduction);
    put(header, std::uint32_t{0});  // reserved
    put(header, level.data_offset);
    put(header, level.index_offset);
  }
  header.resize(bigwig::summary_offset, '\0');
  put(header, summary_.covered);
  for (const double value : {summary_.least, summary_.most, summary_.sum, summary_.squares})
    put(header, value);
  output_.replace(0, header);
  std::string sections;
  put(sections, std::uint64_t{sections_.size()});
  output_.replace(data_offset_, sections);
}

}  // namespace gsx

#include "output/tracks/bigwig_chromosomes.hpp"

#include <algorithm>
#include <vector>

#include "base/bits.hpp"
#include "output/tracks/bigwig_format.hpp"

namespace gsx {
namespace {

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

}  // namespace

std::string chromosome_tree(std::span<const TrackRecord> records,
                            std::span<const std::uint32_t> ids, std::uint64_t offset) {
  return NameTree(records, ids).make(offset);
}

}  // namespace gsx

#include "output/tracks/range_index.hpp"

#include <algorithm>
#include <string>

#include "base/bits.hpp"
#include "output/tracks/bigwig_format.hpp"

namespace gsx {
namespace {

constexpr std::uint32_t index_magic = 0x2468ACE0;
constexpr std::uint64_t index_header_bytes = 48;
constexpr std::uint64_t inner_entry_bytes = 24;
constexpr std::uint64_t leaf_entry_bytes = 32;

/// The range of a node, and the same of a block.
struct Bounds {
  std::uint32_t first_id = 0;
  std::uint32_t begin = 0;
  std::uint32_t last_id = 0;
  std::uint32_t end = 0;
};

Bounds bounds_of(const IndexedBlock& block) {
  return {block.first_id, block.begin, block.last_id, block.end};
}
Bounds bounds_of(const Bounds& node) {
  return node;
}

/// The bounds of each group of children. Since they are in order and do not overlap, the first and
/// the last child give them.
template <class Child>
std::vector<Bounds> parents_of(const std::vector<Child>& children, std::uint64_t most) {
  std::vector<Bounds> parents;
  for (std::size_t first = 0; first < children.size(); first += most) {
    const std::size_t last = std::min<std::size_t>(first + most, children.size()) - 1;
    const Bounds from = bounds_of(children[first]), to = bounds_of(children[last]);
    parents.push_back({from.first_id, from.begin, to.last_id, to.end});
  }
  return parents;
}

void put(std::string& to, const Bounds& bounds) {
  for (const std::uint32_t word : {bounds.first_id, bounds.begin, bounds.last_id, bounds.end})
    bigwig::put(to, word);
}

class IndexWriter {
 public:
  IndexWriter(Output& output, const std::vector<IndexedBlock>& blocks)
      : output_(output),
        blocks_(blocks),
        most_(std::clamp<std::uint64_t>(blocks.size(), 1, bigwig::most_children)) {
    if (blocks.size() <= most_) return;
    levels_.push_back(parents_of(blocks, most_));  // the leaves
    while (levels_.back().size() > most_)
      levels_.push_back(parents_of(levels_.back(), most_));
  }

  void write(std::uint64_t data_end) {
    write_header(data_end);
    std::uint64_t offset = output_.offset();
    for (std::size_t level = levels_.size(); level-- > 0;)
      write_level(level, offset);
    write_leaves();
  }

 private:
  void write_header(std::uint64_t data_end) {
    Bounds all{};
    if (!blocks_.empty()) all = parents_of(blocks_, blocks_.size()).front();
    node_.clear();
    bigwig::put(node_, index_magic);
    bigwig::put(node_, static_cast<std::uint32_t>(most_));
    bigwig::put(node_, std::uint64_t{blocks_.size()});
    put(node_, all);
    bigwig::put(node_, data_end);
    bigwig::put(node_, std::uint32_t{1});  // blocks per entry
    bigwig::put(node_, std::uint32_t{0});  // reserved
    output_.write(node_);
  }

  /// Writes the nodes whose children are levels_[level]. `offset` is that of the level; becomes
  /// that of the next.
  void write_level(std::size_t level, std::uint64_t& offset) {
    const std::vector<Bounds>& children = levels_[level];
    const std::uint64_t node_bytes = bigwig::node_header_bytes + most_ * inner_entry_bytes;
    const std::uint64_t child_bytes =
        bigwig::node_header_bytes + most_ * (level == 0 ? leaf_entry_bytes : inner_entry_bytes);
    offset += divide_up(children.size(), most_) * node_bytes;
    for (std::uint64_t first = 0; first < children.size(); first += most_) {
      const std::uint64_t end = std::min<std::uint64_t>(first + most_, children.size());
      begin_node(false, end - first);
      for (std::uint64_t child = first; child < end; ++child) {
        put(node_, children[child]);
        bigwig::put(node_, offset + child * child_bytes);
      }
      end_node(node_bytes);
    }
  }

  void write_leaves() {
    const std::uint64_t node_bytes = bigwig::node_header_bytes + most_ * leaf_entry_bytes;
    std::uint64_t first = 0;
    do {  // a tree without blocks has a leaf, too
      const std::uint64_t end = std::min<std::uint64_t>(first + most_, blocks_.size());
      begin_node(true, end - first);
      for (std::uint64_t block = first; block < end; ++block) {
        put(node_, bounds_of(blocks_[block]));
        bigwig::put(node_, blocks_[block].offset);
        bigwig::put(node_, std::uint64_t{blocks_[block].bytes});
      }
      end_node(node_bytes);
      first = end;
    } while (first < blocks_.size());
  }

  void begin_node(bool leaf, std::uint64_t count) {
    node_.clear();
    bigwig::put(node_, static_cast<std::uint16_t>(leaf ? 1 : 0));
    bigwig::put(node_, static_cast<std::uint16_t>(count));
  }
  void end_node(std::uint64_t bytes) {
    node_.resize(bytes, '\0');
    output_.write(node_);
  }

  Output& output_;
  const std::vector<IndexedBlock>& blocks_;
  std::uint64_t most_;                       ///< children of a node
  std::vector<std::vector<Bounds>> levels_;  ///< of nodes, from the leaves up, without the root
  std::string node_;
};

}  // namespace

void write_range_index(Output& output, const std::vector<IndexedBlock>& blocks,
                       std::uint64_t data_end) {
  IndexWriter(output, blocks).write(data_end);
}

}  // namespace gsx

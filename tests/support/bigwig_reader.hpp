// A reader of bigWig files that shares no code with the writer and trusts nothing: every node,
// block and offset is looked at, and what is not as it should be is thrown as std::runtime_error.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gsx::testing {

/// A bigWig file that was read whole.
struct BigWig {
  struct Interval {
    std::uint32_t id, begin, end;
    float value;
    bool operator==(const Interval&) const = default;
  };
  struct Zoom {
    std::uint32_t id, begin, end, covered;
    float least, most, sum, squares;
  };
  struct Level {
    std::uint32_t reduction;
    std::vector<Zoom> zooms;
    std::size_t blocks = 0;
  };
  struct Chromosome {
    std::uint32_t id, length;
  };

  std::map<std::string, Chromosome> chromosomes;
  std::vector<Interval> intervals;
  std::vector<std::uint32_t> section_sizes;  ///< runs of each section
  std::map<int, int> section_types;          ///< sections of each type
  std::vector<Level> levels;
  std::uint64_t covered = 0;
  double least = 0, most = 0, sum = 0, squares = 0;
};

class BigWigParser {
 public:
  explicit BigWigParser(std::string_view file) : file_(file) {}

  BigWig read() {
    require(u32(0) == 0x888FFC26 && u32(file_.size() - 4) == 0x888FFC26, "magic");
    require(u16(4) == 4, "version");
    const std::uint64_t tree = u64(8), data = u64(16), index = u64(24);
    require(u32(32) == 0 && u64(36) == 0 && u64(56) == 0, "fields of bigBed");
    most_bytes_ = u32(52);
    read_summary(u64(44));
    read_chromosomes(tree, data);
    std::uint64_t end = read_sections(data, index);
    for (std::uint16_t level = 0; level < u16(6); ++level) {
      const std::uint64_t header = 64 + 24 * std::uint64_t{level};
      require(u64(header + 8) == end, "a zoom level follows what is before it");
      end = read_level(u32(header), u64(header + 8), u64(header + 16));
    }
    require(end + 4 == file_.size(), "the end of the file");
    require(seen_bytes_ == most_bytes_, "uncompressed size of the largest block");
    return std::move(made_);
  }

 private:
  struct Leaf {
    std::uint32_t first_id, begin, last_id, end;
    std::uint64_t offset, bytes;
  };

  static void require(bool right, const std::string& what) {
    if (!right) throw std::runtime_error("bigWig: " + what + " is wrong");
  }
  template <class T>
  T get(std::string_view from, std::uint64_t at) const {
    require(at + sizeof(T) <= from.size(), "an offset");
    T value;
    std::memcpy(&value, from.data() + at, sizeof value);
    return value;
  }
  std::uint16_t u16(std::uint64_t at) const { return get<std::uint16_t>(file_, at); }
  std::uint32_t u32(std::uint64_t at) const { return get<std::uint32_t>(file_, at); }
  std::uint64_t u64(std::uint64_t at) const { return get<std::uint64_t>(file_, at); }
  double f64(std::uint64_t at) const { return get<double>(file_, at); }

  void read_summary(std::uint64_t at) {
    require(at == 64 + 240, "the place of the summary");
    made_.covered = u64(at);
    made_.least = f64(at + 8);
    made_.most = f64(at + 16);
    made_.sum = f64(at + 24);
    made_.squares = f64(at + 32);
  }

  /// Reads the nodes by their offsets, and checks that they also follow one another.
  void read_chromosomes(std::uint64_t at, std::uint64_t end) {
    require(at == 64 + 240 + 40 && u32(at) == 0x78CA8C91, "the chromosome tree");
    children_ = u32(at + 4);
    key_ = u32(at + 8);
    require(u32(at + 12) == 8 && children_ > 0 && children_ <= 256, "sizes of the tree");
    const std::uint64_t count = u64(at + 16);
    std::vector<std::uint64_t> level = {at + 32};
    std::uint64_t next = at + 32;
    std::vector<std::string> names;
    while (!level.empty()) {
      std::vector<std::uint64_t> below;
      for (const std::uint64_t node : level) {
        require(node == next, "the order of nodes");
        const std::uint64_t entries = u16(node + 2);
        require(entries == children_ || node == level.back(), "a node that is not full");
        for (std::uint64_t i = 0; i < entries; ++i)
          read_entry(node, i, below, names);
        next = node + 4 + entries * (key_ + 8);
      }
      level = below;
    }
    require(next == end, "the end of the tree");
    require(names.size() == count && std::ranges::is_sorted(names), "the names");
    require(made_.chromosomes.size() == count, "names that differ");
  }
  void read_entry(std::uint64_t node, std::uint64_t i, std::vector<std::uint64_t>& below,
                  std::vector<std::string>& names) {
    const std::uint64_t at = node + 4 + i * (key_ + 8);
    std::string name(file_.substr(at, key_));
    name.resize(std::strlen(name.c_str()));
    if (u16(node) == 1) {
      names.push_back(name);
      made_.chromosomes[name] = {u32(at + key_), u32(at + key_ + 4)};
      lengths_[u32(at + key_)] = u32(at + key_ + 4);
      return;
    }
    require(u16(node) == 0, "the kind of a node");
    below.push_back(u64(at + key_));
    // The first name below: that of the first leaf down from there.
    std::uint64_t down = below.back();
    while (u16(down) == 0)
      down = u64(down + 4 + key_);
    require(file_.substr(at, key_) == file_.substr(down + 4, key_), "the name of a node");
  }

  /// The leaves of an index in order. Returns where the index ends.
  std::uint64_t read_index(std::uint64_t at, std::vector<Leaf>& leaves) {
    require(u32(at) == 0x2468ACE0, "the index");
    const std::uint64_t children = u32(at + 4), count = u64(at + 8);
    require(u64(at + 32) == at && u32(at + 40) == 1 && u32(at + 44) == 0, "the index header");
    std::uint64_t end = at + 48;
    const Leaf all{u32(at + 16), u32(at + 20), u32(at + 24), u32(at + 28), 0, 0};
    read_node(at + 48, children, all, leaves, end);
    require(leaves.size() == count, "the number of blocks");
    for (std::size_t i = 1; i < leaves.size(); ++i) {
      const Leaf &before = leaves[i - 1], &leaf = leaves[i];
      require(before.offset + before.bytes == leaf.offset, "the offset of a block");
      require(before.last_id < leaf.first_id ||
                  (before.last_id == leaf.first_id && before.end <= leaf.begin),
              "the order of blocks");
    }
    return end;
  }
  /// `bounds` must be those of all children together.
  void read_node(std::uint64_t at, std::uint64_t children, const Leaf& bounds,
                 std::vector<Leaf>& leaves, std::uint64_t& end) {
    const bool leaf = u16(at) == 1;
    const std::uint64_t count = u16(at + 2), size = leaf ? 32 : 24;
    require(count <= children && u16(at) <= 1, "a node of the index");
    end = std::max(end, at + 4 + children * size);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t entry = at + 4 + i * size;
      const Leaf found{u32(entry),      u32(entry + 4),  u32(entry + 8),
                       u32(entry + 12), u64(entry + 16), leaf ? u64(entry + 24) : 0};
      if (i == 0)
        require(found.first_id == bounds.first_id && found.begin == bounds.begin, "first bounds");
      if (i + 1 == count)
        require(found.last_id == bounds.last_id && found.end == bounds.end, "last bounds");
      if (leaf) {
        leaves.push_back(found);
      } else {
        read_node(found.offset, children, found, leaves, end);
      }
    }
  }

  std::string inflate(const Leaf& leaf) {
    std::string raw(most_bytes_, '\0');
    uLongf size = raw.size();
    require(leaf.offset + leaf.bytes <= file_.size(), "the place of a block");
    require(
        uncompress(reinterpret_cast<Bytef*>(raw.data()), &size,
                   reinterpret_cast<const Bytef*>(file_.data() + leaf.offset), leaf.bytes) == Z_OK,
        "the compression of a block");
    raw.resize(size);
    seen_bytes_ = std::max<std::uint64_t>(seen_bytes_, size);
    return raw;
  }

  std::uint64_t read_sections(std::uint64_t data, std::uint64_t index) {
    std::vector<Leaf> leaves;
    const std::uint64_t end = read_index(index, leaves);
    require(u64(data) == leaves.size(), "the number of sections");
    require(leaves.empty() ? data + 8 == index
                           : leaves.front().offset == data + 8 &&
                                 leaves.back().offset + leaves.back().bytes == index,
            "the place of the sections");
    for (const Leaf& leaf : leaves)
      read_section(leaf);
    return end;
  }
  void read_section(const Leaf& leaf) {
    const std::string raw = inflate(leaf);
    const auto word = [&](std::uint64_t i) { return get<std::uint32_t>(raw, 4 * i); };
    const std::uint32_t id = word(0), step = word(3), span = word(4);
    const int type = raw.at(20);
    const std::uint16_t count = get<std::uint16_t>(raw, 22);
    require(leaf.first_id == id && leaf.last_id == id && leaf.begin == word(1) &&
                leaf.end == word(2) && raw.at(21) == 0 && count > 0,
            "the head of a section");
    const std::uint64_t words = type == 1 ? 3 : type == 2 ? 2 : 1;
    require(type >= 1 && type <= 3 && raw.size() == 24 + 4 * words * count, "a section's size");
    const bool dense = type == 3 && step == 1 && span == 1;
    std::uint32_t runs = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t at = 6 + words * i;
      BigWig::Interval interval{
          id, type == 3 ? word(1) + static_cast<std::uint32_t>(i) * step : word(at), 0,
          get<float>(raw, 4 * (at + words - 1))};
      interval.end = type == 1 ? word(at + 1) : interval.begin + span;
      require(interval.begin < interval.end && interval.end <= lengths_.at(id), "an interval");
      if (i == 0) require(interval.begin == leaf.begin, "the begin of a section");
      if (i + 1 == count) require(interval.end == leaf.end, "the end of a section");
      // A dense section has an interval per position: they are joined to runs.
      if (dense && i > 0 &&
          std::bit_cast<std::uint32_t>(made_.intervals.back().value) ==
              std::bit_cast<std::uint32_t>(interval.value)) {
        made_.intervals.back().end = interval.end;
        continue;
      }
      made_.intervals.push_back(interval);
      ++runs;
    }
    made_.section_sizes.push_back(runs);
    ++made_.section_types[type];
  }

  std::uint64_t read_level(std::uint32_t reduction, std::uint64_t data, std::uint64_t index) {
    std::vector<Leaf> leaves;
    const std::uint64_t end = read_index(index, leaves);
    require(!leaves.empty() && leaves.front().offset == data + 4 &&
                leaves.back().offset + leaves.back().bytes == index,
            "the place of a level");
    BigWig::Level level{reduction, {}, leaves.size()};
    for (const Leaf& leaf : leaves) {
      const std::string raw = inflate(leaf);
      require(raw.size() % 32 == 0 && !raw.empty(), "a zoom block");
      for (std::size_t at = 0; at < raw.size(); at += 32)
        level.zooms.push_back(get<BigWig::Zoom>(raw, at));
      const BigWig::Zoom &first = level.zooms[level.zooms.size() - raw.size() / 32],
                         &last = level.zooms.back();
      require(first.id == leaf.first_id && first.begin == leaf.begin && last.id == leaf.last_id &&
                  last.end == leaf.end,
              "the range of a zoom block");
    }
    require(u32(data) == level.zooms.size(), "the number of zoom records");
    made_.levels.push_back(std::move(level));
    return end;
  }

  std::string_view file_;
  BigWig made_;
  std::map<std::uint32_t, std::uint32_t> lengths_;  ///< by id
  std::uint64_t children_ = 0, key_ = 0;            ///< of the chromosome tree
  std::uint64_t most_bytes_ = 0, seen_bytes_ = 0;
};

inline BigWig read_bigwig(std::string_view file) {
  return BigWigParser(file).read();
}

}  // namespace gsx::testing

#include "arrays/wavelet/huffman_tree.hpp"

#include <algorithm>
#include <array>
#include <queue>
#include <utility>
#include <vector>

#include "base/bits.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t arity = 4;

/// The depth of each symbol, and of the deepest.
struct Depths {
  std::vector<std::uint32_t> of;
  std::uint32_t most = 0;
};

/// Depths of Huffman's tree for weights. Weightless leaves fill up its deepest node, so that all
/// others have four children.
Depths huffman_depths(const std::vector<std::uint64_t>& weights) {
  const std::uint64_t symbols = weights.size();
  Depths depths{std::vector<std::uint32_t>(symbols, 1), 1};
  if (symbols <= 1) return depths;
  const std::uint64_t inner = divide_up(symbols - 1, arity - 1);
  const std::uint64_t leaves = inner * (arity - 1) + 1;
  // Node numbers: the leaves, those without weight behind the symbols, then the inner nodes as they
  // are made. On equal weights, the smaller number goes first: the tree depends on nothing else.
  using Node = std::pair<std::uint64_t, std::uint64_t>;  // weight, number
  std::priority_queue<Node, std::vector<Node>, std::greater<>> lightest;
  for (std::uint64_t s = 0; s < leaves; ++s)
    lightest.emplace(s < symbols ? weights[s] : 0, s);
  std::vector<std::uint64_t> parent(leaves + inner);
  for (std::uint64_t node = leaves; node < leaves + inner; ++node) {
    std::uint64_t weight = 0;
    for (std::uint64_t child = 0; child < arity; ++child) {
      weight += lightest.top().first;
      parent[lightest.top().second] = node;
      lightest.pop();
    }
    lightest.emplace(weight, node);
  }
  std::vector<std::uint32_t> inner_depth(inner);
  const std::uint64_t root = leaves + inner - 1;
  for (std::uint64_t node = root; node-- > leaves;)
    inner_depth[node - leaves] = inner_depth[parent[node] - leaves] + 1;
  depths.most = 0;
  for (std::uint64_t s = 0; s < symbols; ++s) {
    depths.of[s] = inner_depth[parent[s] - leaves] + 1;
    depths.most = std::max(depths.most, depths.of[s]);
  }
  return depths;
}

/// The depths of a tree that is not too deep.
Depths limited_depths(std::span<const std::uint64_t> counts) {
  std::vector<std::uint64_t> weights(counts.begin(), counts.end());
  std::uint64_t total = 0;
  for (const std::uint64_t count : counts)
    total += count;
  // Weights of at least total / 2^k bound the depth; in the end all weights are equal, and 16
  // levels are enough for 2^32 of them.
  Depths depths = huffman_depths(weights);
  for (std::uint32_t k = 40; depths.most > WaveletTree::max_levels; --k) {
    const std::uint64_t least = std::max<std::uint64_t>(1, total >> k);
    for (std::uint64_t s = 0; s < weights.size(); ++s)
      weights[s] = std::max(counts[s], least);
    depths = huffman_depths(weights);
  }
  return depths;
}

}  // namespace

std::uint32_t balanced_length(std::uint64_t symbols) {
  return symbols == 0 ? 0 : (bits_for(symbols - 1) + 1) / 2;
}

WaveletTree huffman_tree(std::span<const std::uint64_t> counts) {
  WaveletTree tree;
  tree.open[0] = 1;
  if (counts.empty()) return tree;
  const Depths depths = limited_depths(counts);
  tree.level_count = depths.most;
  std::array<std::uint64_t, WaveletTree::max_levels + 2> leaves{};
  for (const std::uint32_t depth : depths.of)
    ++leaves[depth];
  for (std::uint32_t depth = depths.most; depth-- > 1;)
    tree.open[depth] = divide_up(leaves[depth + 1] + tree.open[depth + 1], arity);
  for (std::uint32_t depth = 1; depth <= depths.most; ++depth)
    tree.leaves_before[depth] = tree.leaves_before[depth - 1] + leaves[depth - 1];

  tree.leaf_symbols.resize(counts.size());
  tree.codes.resize(counts.size());
  auto next = std::to_array(tree.leaves_before);
  for (std::uint32_t s = 0; s < counts.size(); ++s)
    tree.leaf_symbols[next[depths.of[s]]++] = s;
  std::vector<std::uint32_t> above(1, 0), here;  // digits of the inner nodes, left-aligned
  for (std::uint32_t depth = 1; depth <= depths.most; ++depth) {
    const std::uint64_t used = tree.open[depth] + leaves[depth];
    here.resize(tree.open[depth]);
    for (std::uint64_t node = 0; node < used; ++node) {
      const auto digit = static_cast<std::uint32_t>(node / above.size());
      const std::uint32_t digits = above[node % above.size()] | digit << (32 - 2 * depth);
      if (node < here.size()) {
        here[node] = digits;
      } else {
        const std::uint64_t leaf = tree.leaves_before[depth] + node - here.size();
        tree.codes[tree.leaf_symbols[leaf]] = {digits, depth};
      }
    }
    std::swap(above, here);
  }
  return tree;
}

}  // namespace gsx

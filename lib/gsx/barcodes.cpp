#include "gsx/barcodes.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "analysis/barcodes/corrections.hpp"
#include "analysis/barcodes/set_reader.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/parallel.hpp"
#include "base/public_call.hpp"
#include "device/cost.hpp"
#include "device/registry.hpp"
#include "search/sets/clusters.hpp"
#include "search/sets/neighbors.hpp"
#include "search/sets/prefix_queries.hpp"
#include "search/sets/set_builder.hpp"

namespace gsx {
namespace {

/// Sequences that a thread makes keys of at a time.
constexpr std::uint64_t block_sequences = std::uint64_t{1} << 16;

[[noreturn]] void refuse(std::uint64_t index, const std::string& why) {
  throw UsageError("sequence " + std::to_string(index) + " " + why);
}

Confidence confidence_of(double part) {
  if (!(part >= 0 && part <= 1))
    throw UsageError("a confidence of " + std::to_string(part) + "; give 0 to 1");
  return {static_cast<std::uint32_t>(std::llround(part * Confidence::all))};
}

class BlockMaker {
 public:
  BlockMaker(std::span<const std::string_view> sequences, std::span<const std::uint64_t> counts)
      : sequences_(sequences), counts_(counts) {
    if (!counts.empty()) require_size(counts.size(), sequences.size(), "counts");
    const std::size_t length = sequences.empty() ? 1 : sequences[0].size();
    if (length == 0 || length > SequenceShape::most_length)
      refuse(0, "has " + std::to_string(length) + " symbols; 1 to 64 are allowed");
    length_ = static_cast<std::uint32_t>(length);
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < counts.size(); ++i) {
      if (counts[i] == 0) refuse(i, "has count 0");
      if (__builtin_add_overflow(sum, counts[i], &sum))
        refuse(i, "has a count with which all add up to 2^64 or more");
    }
  }

  SequenceBlock make(std::uint64_t begin, std::uint64_t end) const {
    SequenceBlock block;
    block.length = length_;
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::string_view sequence = sequences_[i];
      if (sequence.size() != length_) {
        refuse(i, "has " + std::to_string(sequence.size()) + " symbols, and the first one has " +
                      std::to_string(length_));
      }
      std::uint64_t words[most_key_words];
      const std::uint32_t bits = encode_sequence(sequence, words);
      if (bits == 0) refuse(i, "is wrong: " + why_no_sequence(sequence));
      KeyList& list = bits == 2 ? block.plain : block.odd;
      list.words.insert(list.words.end(), words, words + SequenceShape{length_, bits}.words());
      if (!counts_.empty()) list.counts.push_back(counts_[i]);
    }
    return block;
  }

 private:
  std::span<const std::string_view> sequences_;
  std::span<const std::uint64_t> counts_;
  std::uint32_t length_;
};

SequenceSet copy_of(const SequenceSet& set) {
  const std::uint64_t words = set.size() * set.shape().words();
  Buffer<std::uint64_t> keys(words, "keys of sequences"), counts(set.size(), "counts");
  std::copy_n(set.key(0), words, keys.data());
  for (std::uint64_t i = 0; i < set.size(); ++i)
    counts[i] = set.count(i);
  return {set.shape(), set.size(), std::move(keys), std::move(counts), {}};
}

/// A set, or a copy of it that is like another one.
class AlikeSet {
 public:
  AlikeSet(const SequenceSet& set, const SequenceSet& like, bool copied) : set_(set) {
    if (set.shape().length != like.shape().length) {
      throw UsageError("the sequences of one set have " + std::to_string(set.shape().length) +
                       " symbols, and those of the other one " +
                       std::to_string(like.shape().length));
    }
    if (!copied && set.shape().bits >= like.shape().bits) return;
    copy_ = copy_of(set);
    if (like.shape().bits > set.shape().bits) copy_->widen();
  }
  const SequenceSet& get() const { return copy_ ? *copy_ : set_; }
  SequenceSet& copy() { return *copy_; }

 private:
  const SequenceSet& set_;
  std::optional<SequenceSet> copy_;
};

/// How to search, and the device that does.
class Search {
 public:
  /// Throws UsageError, DeviceError.
  Search(const NeighborSearchOptions& options, std::uint64_t sequences) {
    if (options.distance < 1 || options.distance > NeighborRequest::most_distance)
      throw UsageError("a distance of " + std::to_string(options.distance) + "; give 1 or 2");
    options_ = {.threads = threads_for(options.threads, sequences),
                .memory_bytes = options.extra_memory,
                .progress = options.progress};
    const std::string device = faster_device(
        options.device, cost_of_neighbors(sequences, options.distance), options_.threads);
    backend_ = make_backend(device, options.gpu_memory);
    if (backend_->name() != "cpu") finder_ = backend_->open<NeighborSearch>({});
    options_.finder = finder_.get();
  }
  const NeighborOptions& options() const { return options_; }

 private:
  NeighborOptions options_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<NeighborFinder> finder_;  ///< null: the CPU, which needs none
};

void add_pairs(const NeighborChunk& chunk, const SequenceSet& set, const SequenceSet& other,
               std::vector<NeighborPair>& pairs) {
  for (std::uint64_t i = chunk.begin; i < chunk.end; ++i)
    for (const std::uint32_t j : chunk.of(i))
      pairs.push_back({static_cast<std::uint32_t>(i), j, distance_between(set, i, other, j)});
}

}  // namespace

SequenceSet make_sequence_set(std::span<const std::string_view> sequences,
                              std::span<const std::uint64_t> counts, int threads) {
  return with_gsx_errors([&] {
    const BlockMaker maker(sequences, counts);
    const int with = threads_for(threads, sequences.size());
    const std::uint64_t at_once = block_sequences * static_cast<std::uint64_t>(with);
    SetBuilder builder(with);
    std::vector<SequenceBlock> blocks(static_cast<std::size_t>(with));
    for (std::uint64_t begin = 0; begin < sequences.size(); begin += at_once) {
      const std::uint64_t size = std::min<std::uint64_t>(at_once, sequences.size() - begin);
      std::vector<std::exception_ptr> failures(blocks.size());
      parallel_for(with, blocks.size(), [&](std::uint64_t b, int) {
        const Slice slice = slice_of(size, blocks.size(), b);
        try {
          blocks[b] = maker.make(begin + slice.begin, begin + slice.end);
        } catch (...) {
          failures[b] = std::current_exception();
        }
      });
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        if (failures[b]) std::rethrow_exception(failures[b]);  // of the first wrong sequence
        builder.add(std::move(blocks[b]));
      }
    }
    return builder.finish();
  });
}

void find_neighbors(const SequenceSet& set, const NeighborSink& sink,
                    const NeighborSearchOptions& options) {
  require_sink(sink);
  with_gsx_errors([&] {
    const Search search(options, set.size());
    find_neighbors(set, {options.distance, NeighborKind::later}, search.options(), sink);
  });
}

void find_neighbors(const SequenceSet& set, const SequenceSet& other, const NeighborSink& sink,
                    const NeighborSearchOptions& options) {
  require_sink(sink);
  with_gsx_errors([&] {
    const Search search(options, set.size() + other.size());
    if (set.size() == 0 || other.size() == 0) return;
    const AlikeSet first(set, other, false), second(other, set, false);
    find_neighbors_between(first.get(), second.get(), {options.distance, NeighborKind::later},
                           search.options(), sink);
  });
}

std::vector<NeighborPair> neighbor_pairs(const SequenceSet& set,
                                         const NeighborSearchOptions& options) {
  return with_gsx_errors([&] {
    std::vector<NeighborPair> pairs;
    find_neighbors(
        set, [&](const NeighborChunk& chunk) { add_pairs(chunk, set, set, pairs); }, options);
    return pairs;
  });
}

std::vector<NeighborPair> neighbor_pairs(const SequenceSet& set, const SequenceSet& other,
                                         const NeighborSearchOptions& options) {
  return with_gsx_errors([&] {
    std::vector<NeighborPair> pairs;
    const Search search(options, set.size() + other.size());
    if (set.size() == 0 || other.size() == 0) return pairs;
    const AlikeSet first(set, other, false), second(other, set, false);
    find_neighbors_between(
        first.get(), second.get(), {options.distance, NeighborKind::later}, search.options(),
        [&](const NeighborChunk& chunk) { add_pairs(chunk, first.get(), second.get(), pairs); });
    return pairs;
  });
}

Clusters sequence_clusters(const SequenceSet& set, const NeighborSearchOptions& options) {
  return with_gsx_errors([&] {
    const Search search(options, set.size());
    return make_clusters(set, options.distance, search.options());
  });
}

std::vector<Correction> corrections(const SequenceSet& set, const NeighborSearchOptions& options) {
  return with_gsx_errors([&] {
    const Search search(options, set.size());
    return correct_by_counts(set, options.distance, search.options());
  });
}

std::vector<Correction> corrections(const SequenceSet& set, const SequenceSet& whitelist,
                                    const NeighborSearchOptions& options) {
  return with_gsx_errors([&] {
    const Confidence confidence = confidence_of(options.confidence);
    const Search search(options, set.size() + whitelist.size());
    if (set.size() == 0 || whitelist.size() == 0)
      return std::vector<Correction>(set.size(), {CorrectionKind::unmatched, 0, 0});
    const AlikeSet first(set, whitelist, false);
    AlikeSet second(whitelist, set, true);
    take_counts(second.copy(), first.get());
    return correct_to_whitelist(first.get(), second.get(), options.distance, search.options(),
                                confidence);
  });
}

std::vector<std::uint32_t> longest_prefixes(const PrefixSet& set,
                                            std::span<const std::string_view> sequences,
                                            int threads) {
  return with_gsx_errors([&] {
    std::vector<std::uint32_t> found(sequences.size());
    longest_prefixes(set, sequences, found, threads);
    return found;
  });
}

void longest_prefixes(const PrefixSet& set, std::span<const std::string_view> sequences,
                      std::span<std::uint32_t> found, int threads) {
  require_size(found.size(), sequences.size(), "what is found");
  with_gsx_errors([&] {
    find_longest_prefixes(set, sequences, found, threads_for(threads, sequences.size()));
  });
}

}  // namespace gsx

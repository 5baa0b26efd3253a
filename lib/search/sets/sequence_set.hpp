// A set of short sequences of one length, with counts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "base/export.hpp"
#include "search/sets/sequence_key.hpp"

namespace gsx {

/// Calls work(std::integral_constant<unsigned, W>) for W = `words`. Pre: 1 to most_key_words.
template <class Work>
decltype(auto) with_key_words(std::uint32_t words, Work&& work) {
  switch (words) {
    case 1:
      return work(std::integral_constant<unsigned, 1>{});
    case 2:
      return work(std::integral_constant<unsigned, 2>{});
    case 3:
      return work(std::integral_constant<unsigned, 3>{});
    default:
      return work(std::integral_constant<unsigned, most_key_words>{});
  }
}

/// Names, one after another.
struct NameList {
  std::string bytes;
  std::vector<std::uint64_t> ends;

  std::size_t size() const { return ends.size(); }
  std::string_view operator[](std::size_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
    return std::string_view(bytes).substr(begin, ends[i] - begin);
  }
  void add(std::string_view name) {
    bytes.append(name);
    ends.push_back(bytes.size());
  }
};

/// A set whose keys have `Words` words.
template <unsigned Words>
struct SequenceSetView {
  const SequenceKey<Words>* keys;  ///< [size], ascending, no two equal
  const std::uint64_t* counts;     ///< [size]
  std::uint64_t size;
  SequenceShape shape;

  static constexpr std::uint64_t none = ~std::uint64_t{0};

  /// The place of a key; none if the set does not hold it. Cost: log2(size) steps.
  GSX_HD std::uint64_t find(const SequenceKey<Words>& key) const {
    std::uint64_t begin = 0, count = size;
    while (count > 1) {
      const std::uint64_t half = count / 2;
      begin += keys[begin + half] < key || keys[begin + half] == key ? half : 0;
      count -= half;
    }
    return size != 0 && keys[begin] == key ? begin : none;
  }
};
static_assert(std::is_trivially_copyable_v<SequenceSetView<1>>);

/// The distinct sequences, in alphabetical order. Memory: 8 bytes per word of a key, 8 for the
/// count, and the names if there are some.
class GSX_API SequenceSet {
 public:
  /// Most sequences: neighbours are numbered by 31 bits and one that tells two sets apart.
  static constexpr std::uint64_t most_size = (std::uint64_t{1} << 31) - 1;

  /// An empty set, of no length.
  SequenceSet() = default;
  /// Pre: the first `size` keys ascend, and no two are equal; there are as many counts, and as many
  /// names or none.
  SequenceSet(SequenceShape shape, std::uint64_t size, Buffer<std::uint64_t> words,
              Buffer<std::uint64_t> counts, NameList names)
      : shape_(shape),
        size_(size),
        words_(std::move(words)),
        counts_(std::move(counts)),
        names_(std::move(names)) {}

  std::uint64_t size() const { return size_; }
  SequenceShape shape() const { return shape_; }
  std::uint64_t count(std::uint64_t i) const { return counts_[i]; }
  void set_count(std::uint64_t i, std::uint64_t count) { counts_[i] = count; }
  const std::uint64_t* key(std::uint64_t i) const { return words_.data() + i * shape_.words(); }
  bool has_names() const { return names_.size() != 0; }
  /// The name of the first record with sequence i. Pre: has_names().
  std::string_view name(std::uint64_t i) const { return names_[i]; }
  /// Sequence i, in upper case.
  std::string sequence(std::uint64_t i) const {
    std::string text;
    append_sequence(text, i);
    return text;
  }
  void append_sequence(std::string& text, std::uint64_t i) const {
    gsx::append_sequence(text, key(i), shape_);
  }

  /// Pre: Words is shape().words().
  template <unsigned Words>
  SequenceSetView<Words> view() const {
    static_assert(sizeof(SequenceKey<Words>) == Words * sizeof(std::uint64_t));
    return {reinterpret_cast<const SequenceKey<Words>*>(words_.data()), counts_.data(), size_,
            shape_};
  }
  /// Calls work(view<W>()) for its number of words. Pre: it is not empty.
  template <class Work>
  decltype(auto) with_view(Work&& work) const {
    return with_key_words(shape_.words(), [&](auto words) -> decltype(auto) {
      return work(view<decltype(words)::value>());
    });
  }

  /// Gives its keys three bits per symbol, as those of a set with N have. Throws ResourceError.
  void widen();

 private:
  SequenceShape shape_;
  std::uint64_t size_ = 0;
  Buffer<std::uint64_t> words_;
  Buffer<std::uint64_t> counts_;
  NameList names_;
};

}  // namespace gsx

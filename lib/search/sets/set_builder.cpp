#include "search/sets/set_builder.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "search/sets/key_sorter.hpp"

namespace gsx {
namespace {

template <unsigned Words>
struct PlainRecord {
  SequenceKey<Words> key;
};
/// A key that stands at `place` of the pending keys.
template <unsigned Words>
struct PlacedRecord {
  SequenceKey<Words> key;
  std::uint64_t place;
};

/// What is known of a key besides: how often it came, and the name of the first.
struct KeyFacts {
  std::uint64_t count = 1;
  std::string_view name;
};

}  // namespace

void KeyCounter::add(std::uint32_t length, KeyList&& list) {
  if (list.words.empty()) return;
  shape_ = {length, bits_};
  pending_keys_ += list.words.size() / shape_.words();
  pending_bytes_ += list.bytes();
  pending_name_bytes_ += list.names.bytes.size();
  named_ = list.names.size() != 0;
  has_facts_ = has_facts_ || named_ || !list.counts.empty();
  pending_.push_back(std::move(list));
  if (pending_keys_ >= std::max(size_, least_pending) || !has_room()) flush();
}

/// Whether as much may come again before what is pending is sorted.
bool KeyCounter::has_room() {
  constexpr std::uint64_t step = std::uint64_t{1} << 20;
  const std::uint64_t more = pending_bytes_ - checked_bytes_;
  if (!require_ || more < step) return true;
  checked_bytes_ = pending_bytes_;
  try {
    // Of what comes, each byte is held, sorted in two places, and merged with its count.
    require_(bytes_to_sort() + 5 * more);
  } catch (const ResourceError&) {
    return false;
  }
  return true;
}

/// Bytes that flush() takes, at most.
std::uint64_t KeyCounter::bytes_to_sort() const {
  const std::uint64_t key_bytes = shape_.words() * sizeof(std::uint64_t);
  const std::uint64_t of_record =
      has_facts_ ? 2 * (key_bytes + sizeof(std::uint64_t)) + sizeof(KeyFacts) : 2 * key_bytes;
  return pending_keys_ * of_record + bytes_to_merge(pending_keys_, pending_name_bytes_);
}

/// Bytes of the set that merge() makes, at most.
std::uint64_t KeyCounter::bytes_to_merge(std::uint64_t keys, std::uint64_t name_bytes) const {
  const std::uint64_t of_key = (shape_.words() + 1 + (named_ ? 1 : 0)) * sizeof(std::uint64_t);
  return (size_ + keys) * of_key + names_.bytes.size() + name_bytes;
}

void KeyCounter::flush() {
  if (pending_keys_ == 0) return;
  with_key_words(shape_.words(), [&](auto words) {
    if (has_facts_) {
      sort_with_facts<decltype(words)::value>();
    } else {
      sort_plain<decltype(words)::value>();
    }
  });
  if (size_ > SequenceSet::most_size) {
    throw ResourceError("there are more than " + std::to_string(SequenceSet::most_size) +
                        " different sequences, the most that a set can hold");
  }
}

template <unsigned Words>
void KeyCounter::sort_plain() {
  using Record = PlainRecord<Words>;
  require(2 * pending_keys_ * sizeof(Record));
  Buffer<Record> records(pending_keys_, "keys of sequences");
  std::vector<std::uint64_t> begins;
  std::uint64_t begin = 0;
  for (const KeyList& list : pending_) {
    begins.push_back(begin);
    begin += list.words.size() / Words;
  }
  parallel_for(threads_, pending_.size(), [&](std::uint64_t l, int) {
    std::memcpy(static_cast<void*>(records.data() + begins[l]), pending_[l].words.data(),
                pending_[l].words.size() * sizeof(std::uint64_t));
  });
  pending_ = {};
  {
    Buffer<Record> other(records.size(), "sorting sequences");
    KeySorter<Record>::sort(records.data(), other.data(), records.size(), threads_);
  }
  merge<Words>(
      records.size(), [&](std::uint64_t i) { return records[i].key; },
      [](std::uint64_t) { return KeyFacts{}; });
  clear_pending();
}

template <unsigned Words>
void KeyCounter::sort_with_facts() {
  using Record = PlacedRecord<Words>;
  require(pending_keys_ * (2 * sizeof(Record) + sizeof(KeyFacts)));
  Buffer<Record> records(pending_keys_, "keys of sequences");
  std::vector<KeyFacts> facts(pending_keys_);
  std::uint64_t place = 0;
  for (const KeyList& list : pending_) {
    for (std::uint64_t i = 0; i < list.words.size() / Words; ++i, ++place) {
      std::memcpy(records[place].key.words, list.words.data() + i * Words,
                  sizeof(SequenceKey<Words>));
      records[place].place = place;
      if (!list.counts.empty()) facts[place].count = list.counts[i];
      if (list.names.size() != 0) facts[place].name = list.names[i];
    }
  }
  {
    Buffer<Record> other(records.size(), "sorting sequences");
    KeySorter<Record>::sort(records.data(), other.data(), records.size(), threads_);
  }
  merge<Words>(
      records.size(), [&](std::uint64_t i) { return records[i].key; },
      [&](std::uint64_t i) { return facts[records[i].place]; });
  clear_pending();
}

void KeyCounter::clear_pending() {
  pending_ = {};
  pending_keys_ = pending_bytes_ = pending_name_bytes_ = checked_bytes_ = 0;
  has_facts_ = false;
}

void KeyCounter::add_distinct(const SequenceSet& set) {
  shape_ = set.shape();
  named_ = set.has_names();
  for (std::uint64_t i = 0; named_ && i < set.size(); ++i)
    pending_name_bytes_ += set.name(i).size();
  set.with_view([&]<unsigned Words>(const SequenceSetView<Words>& view) {
    merge<Words>(
        view.size, [&](std::uint64_t i) { return view.keys[i]; },
        [&](std::uint64_t i) {
          return KeyFacts{view.counts[i], set.has_names() ? set.name(i) : std::string_view()};
        });
  });
  clear_pending();
}

/// Joins the distinct keys with `sorted` others, which came after them: key_of(i) ascends.
template <unsigned Words, class KeyOf, class FactsOf>
void KeyCounter::merge(std::uint64_t sorted, const KeyOf& key_of, const FactsOf& facts_of) {
  std::uint64_t runs = 0;
  for (std::uint64_t i = 0; i < sorted; ++i)
    runs += i == 0 || !(key_of(i) == key_of(i - 1)) ? 1 : 0;
  const std::uint64_t most = size_ + runs;
  require(bytes_to_merge(runs, pending_name_bytes_));
  Buffer<std::uint64_t> words(most * Words, "keys of sequences"), counts(most, "counts");
  NameList names;
  if (named_) {
    names.bytes.reserve(names_.bytes.size() + pending_name_bytes_);
    names.ends.reserve(most);
  }
  const auto* old = reinterpret_cast<const SequenceKey<Words>*>(words_.data());
  auto* to = reinterpret_cast<SequenceKey<Words>*>(words.data());
  std::uint64_t size = 0, i = 0, o = 0;
  while (i < sorted || o < size_) {
    const bool takes_old = o < size_ && (i == sorted || !(key_of(i) < old[o]));
    const SequenceKey<Words> key = takes_old ? old[o] : key_of(i);
    std::uint64_t count = 0;
    if (named_) names.add(takes_old ? names_[o] : facts_of(i).name);
    if (takes_old) count = counts_[o++];
    for (; i < sorted && key_of(i) == key; ++i)
      count += facts_of(i).count;
    to[size] = key;
    counts[size++] = count;
  }
  words_ = std::move(words);
  counts_ = std::move(counts);
  names_ = std::move(names);
  size_ = size;
}

SequenceSet KeyCounter::take() {
  const std::uint64_t size = std::exchange(size_, 0);
  return {shape_, size, std::move(words_), std::move(counts_), std::move(names_)};
}

void SetBuilder::add(SequenceBlock&& block) {
  if (block.length == 0) return;
  length_ = block.length;
  plain_.add(length_, std::move(block.plain));
  odd_.add(length_, std::move(block.odd));
}

SequenceSet SetBuilder::finish() {
  plain_.flush();
  odd_.flush();
  if (odd_.empty()) return plain_.empty() ? SequenceSet() : plain_.take();
  if (plain_.empty()) return odd_.take();
  // Those without N join the others in three bits.
  SequenceSet plain = plain_.take();
  const std::uint64_t wide_words = SequenceShape{length_, 3}.words();
  if (require_) require_(plain.size() * wide_words * sizeof(std::uint64_t));
  plain.widen();
  odd_.add_distinct(plain);
  return odd_.take();
}

}  // namespace gsx

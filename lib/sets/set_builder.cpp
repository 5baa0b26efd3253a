#include "sets/set_builder.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "sets/key_sorter.hpp"

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
  named_ = list.names.size() != 0;
  has_facts_ = has_facts_ || named_ || !list.counts.empty();
  pending_.push_back(std::move(list));
  if (pending_keys_ >= std::max(size_, least_pending)) flush();
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
  merge<Words>(records, [](const Record&) { return KeyFacts{}; });
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
  merge<Words>(records, [&](const Record& record) { return facts[record.place]; });
  pending_ = {};
}

/// Joins the distinct keys with sorted records, which came after them.
template <unsigned Words, class Record, class FactsOf>
void KeyCounter::merge(Buffer<Record>& sorted, const FactsOf& facts_of) {
  const std::uint64_t records = sorted.size();
  std::uint64_t runs = 0;
  for (std::uint64_t i = 0; i < records; ++i)
    runs += i == 0 || !(sorted[i].key == sorted[i - 1].key) ? 1 : 0;
  const std::uint64_t most = size_ + runs;
  require(most * (Words + 1) * sizeof(std::uint64_t));
  Buffer<std::uint64_t> words(most * Words, "keys of sequences"), counts(most, "counts");
  NameList names;
  const auto* old = reinterpret_cast<const SequenceKey<Words>*>(words_.data());
  auto* to = reinterpret_cast<SequenceKey<Words>*>(words.data());
  std::uint64_t size = 0, i = 0, o = 0;
  while (i < records || o < size_) {
    const bool takes_old = o < size_ && (i == records || !(sorted[i].key < old[o]));
    const SequenceKey<Words> key = takes_old ? old[o] : sorted[i].key;
    std::uint64_t count = 0;
    if (named_) names.add(takes_old ? names_[o] : facts_of(sorted[i]).name);
    if (takes_old) count = counts_[o++];
    for (; i < records && sorted[i].key == key; ++i)
      count += facts_of(sorted[i]).count;
    to[size] = key;
    counts[size++] = count;
  }
  words_ = std::move(words);
  counts_ = std::move(counts);
  names_ = std::move(names);
  size_ = size;
  pending_keys_ = 0;
  has_facts_ = false;
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
  // Those without N join the others as one more list, in three bits.
  SequenceSet plain = plain_.take();
  plain.widen();
  KeyList list;
  const std::uint64_t words = plain.shape().words();
  list.words.assign(plain.key(0), plain.key(0) + plain.size() * words);
  for (std::uint64_t i = 0; i < plain.size(); ++i) {
    list.counts.push_back(plain.count(i));
    if (plain.has_names()) list.names.add(plain.name(i));
  }
  plain = {};
  odd_.add(length_, std::move(list));
  odd_.flush();
  return odd_.take();
}

}  // namespace gsx

#include "search/sets/sequence_set.hpp"

namespace gsx {

void SequenceSet::widen() {
  if (shape_.bits == 3) return;
  const SequenceShape wide{shape_.length, 3};
  Buffer<std::uint64_t> words(size_ * wide.words(), "keys of sequences");
  for (std::uint64_t i = 0; i < size_; ++i)
    widen_key(key(i), shape_.length, words.data() + i * wide.words());
  words_ = std::move(words);
  shape_ = wide;
}

}  // namespace gsx

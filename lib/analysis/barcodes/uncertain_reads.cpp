#include "analysis/barcodes/uncertain_reads.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace gsx {
namespace {

/// Puts the key of a sequence of letters that a set may have into `key`, in so many bits per
/// symbol; false if it holds N and the bits are two.
bool encode(std::string_view sequence, std::uint32_t bits, std::uint64_t* key) {
  const std::uint32_t own = encode_sequence(sequence, key);
  if (own == 0 || own > bits) return false;
  if (own == bits) return true;
  std::uint64_t narrow[most_key_words];
  std::copy_n(key, most_key_words, narrow);
  widen_key(narrow, static_cast<std::uint32_t>(sequence.size()), key);
  return true;
}

/// The number of a sequence in a set, or SequenceSet::most_size.
std::uint64_t number_in(const SequenceSet& set, std::string_view sequence) {
  std::uint64_t words[most_key_words];
  if (!encode(sequence, set.shape().bits, words)) return SequenceSet::most_size;
  return set.with_view([&]<unsigned Words>(const SequenceSetView<Words>& view) -> std::uint64_t {
    SequenceKey<Words> key;
    std::copy_n(words, Words, key.words);
    return std::min(view.find(key), SequenceSet::most_size);
  });
}

}  // namespace

UncertainReads::UncertainReads(const SequenceSet& whitelist, unsigned distance,
                               const NeighborOptions& options, const RequireMemory& require,
                               std::uint64_t least_bytes)
    : whitelist_(whitelist),
      distance_(distance),
      options_(options),
      require_(require),
      least_bytes_(least_bytes),
      most_bytes_(least_bytes) {
  if (require_) require_(KeyLookup<1>::bytes_for(whitelist.size()));
  whitelist.with_view([&]<unsigned Words>(const SequenceSetView<Words>& view) {
    lookup_.emplace<KeyLookup<Words>>(view);
  });
}

void UncertainReads::gather(const RecordBatch& batch, const SymbolRanges& at,
                            const std::vector<std::uint32_t>& reads, const KeyList& keys,
                            std::uint32_t bits, std::string& text) const {
  std::string space;
  const auto take = [&](std::uint32_t read) {
    text += at.of(batch.sequence(read), space);
    text += at.of(batch.quality(read), space);
  };
  if (bits > whitelist_.shape().bits) {  // N, which no entry has
    for (const std::uint32_t read : reads)
      take(read);
    return;
  }
  whitelist_.with_view([&]<unsigned Words>(const SequenceSetView<Words>& view) {
    const auto& lookup = std::get<KeyLookup<Words>>(lookup_);
    const std::size_t own_words = SequenceShape{length(), bits}.words();
    constexpr std::size_t group = 32;
    std::array<SequenceKey<Words>, group> some;
    for (std::size_t first = 0; first < reads.size(); first += group) {
      const std::size_t count = std::min(group, reads.size() - first);
      for (std::size_t k = 0; k < count; ++k) {
        const std::uint64_t* const own = keys.words.data() + (first + k) * own_words;
        if (bits == view.shape.bits) {
          std::copy_n(own, Words, some[k].words);
        } else {
          std::uint64_t narrow[most_key_words] = {}, wide[most_key_words];
          std::copy_n(own, own_words, narrow);
          widen_key(narrow, length(), wide);
          std::copy_n(wide, Words, some[k].words);
        }
        lookup.prefetch_bucket(lookup.bucket_of(some[k]));
      }
      for (std::size_t k = 0; k < count; ++k)
        lookup.prefetch_keys(lookup.bucket_of(some[k]));
      for (std::size_t k = 0; k < count; ++k)
        if (lookup.find(some[k], lookup.bucket_of(some[k])) == KeyLookup<Words>::none)
          take(reads[first + k]);
    }
  });
}

void UncertainReads::add(const std::string& text) {
  if (text.empty()) return;
  if (reads_.size() + text.size() > reads_.capacity() && require_)
    require_(2 * (reads_.size() + text.size()));
  reads_ += text;
  if (reads_.size() > most_bytes_) leave_out();
}

void UncertainReads::leave_out() {
  const std::size_t length = whitelist_.shape().length, step = 2 * length;
  const std::uint32_t bits = whitelist_.shape().bits;
  SetBuilder builder(options_.threads, require_);
  for (std::size_t begin = 0; begin < reads_.size();) {
    SequenceBlock block{.length = static_cast<std::uint32_t>(length), .plain = {}, .odd = {}};
    const std::size_t end = std::min(reads_.size(), begin + (std::size_t{1} << 16) * step);
    for (; begin < end; begin += step) {
      std::uint64_t words[most_key_words];
      const std::uint32_t own =
          encode_sequence(std::string_view(reads_).substr(begin, length), words);
      if (own > bits) continue;  // those with N, which few reads have, all stay
      KeyList& list = own == 2 ? block.plain : block.odd;
      list.words.insert(list.words.end(), words, words + SequenceShape{block.length, own}.words());
    }
    builder.add(std::move(block));
  }
  SequenceSet set = builder.finish();
  NearestEntries several;
  if (set.size() != 0) {
    if (set.shape().bits < bits) set.widen();
    correct_to_whitelist(set, whitelist_, distance_, options_, {}, &several);
  }
  std::size_t kept = 0;
  for (std::size_t begin = 0; begin < reads_.size(); begin += step) {
    const std::string_view sequence = std::string_view(reads_).substr(begin, length);
    const std::uint64_t i = set.size() == 0 ? SequenceSet::most_size : number_in(set, sequence);
    const bool stays =
        i == SequenceSet::most_size || several.place_of(static_cast<std::uint32_t>(i)).has_value();
    if (!stays) continue;
    std::copy_n(reads_.begin() + static_cast<std::ptrdiff_t>(begin), step,
                reads_.begin() + static_cast<std::ptrdiff_t>(kept));
    kept += step;
  }
  reads_.resize(kept);
  most_bytes_ = std::max(least_bytes_, 2 * kept);
}

DecidedReads UncertainReads::decide(const SetCorrections& all) const {
  const NearestEntries& several = all.several;
  DecidedReads decided(several);
  std::vector<std::uint64_t> seen(several.sequences.size());
  ReadDecision decision(all);
  const std::size_t length = all.set.shape().length, step = 2 * length;
  for (std::size_t begin = 0; begin < reads_.size() && !several.sequences.empty(); begin += step) {
    const std::string_view read = std::string_view(reads_).substr(begin, step);
    const std::uint64_t i = number_in(all.set, read.substr(0, length));
    const auto place = several.place_of(static_cast<std::uint32_t>(i));
    if (!place) continue;
    decided.add(several, *place, decision.of(*place, read.substr(length)));
    ++seen[*place];
  }
  for (std::uint64_t place = 0; place < several.sequences.size(); ++place) {
    const std::uint32_t sequence = several.sequences[place];
    const Correction& by_counts = all.of_sequences[sequence];
    decided.add(several, place,
                by_counts.has_target() ? std::optional(by_counts.target) : std::nullopt,
                all.set.count(sequence) - seen[place]);
  }
  return decided;
}

}  // namespace gsx

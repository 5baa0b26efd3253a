#include "run/packed_queries.hpp"

#include <algorithm>
#include <cstring>

#include "base/base_packing.hpp"
#include "base/error.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t foreign_bits = 0xFCFCFCFCFCFCFCFC;

/// What all 32 codes have, and what any has, as bits of eight codes.
struct Combined {
  std::uint64_t all, any;
};
Combined combined_32(const std::uint8_t* codes) {
  std::uint64_t words[4];
  std::memcpy(words, codes, sizeof words);
  return {words[0] & words[1] & words[2] & words[3], words[0] | words[1] | words[2] | words[3]};
}

/// Bytes to allocate before so many more elements fit an array, which doubles.
template <class Array>
std::uint64_t growth_of(const Array& array, std::uint64_t more) {
  const std::uint64_t size = array.size() + more;
  return size <= array.capacity() ? 0 : 2 * size * sizeof(array[0]);
}

}  // namespace

std::uint64_t PackedQueries::bytes() const {
  return words_.size() * sizeof(words_[0]) + names_.size() +
         size() * (sizeof(names_end_[0]) + sizeof(begins_[0])) +
         stretches_.size() * sizeof(stretches_[0]);
}

std::uint64_t PackedQueries::growth(const RecordBatch& batch) const {
  const std::uint64_t symbols = batch.symbols.size();
  return growth_of(words_, symbols * bits_ / 64 + 4) + growth_of(names_, batch.names.size()) +
         growth_of(names_end_, batch.size()) + growth_of(begins_, batch.size()) +
         growth_of(stretches_, symbols / min_length_ + 1);
}

std::uint64_t PackedQueries::unmatchable() const {
  std::uint64_t count = 0;
  auto next = stretches_.begin();
  for (std::size_t i = 0; i < size(); ++i) {
    const auto before = next;
    while (next != stretches_.end() && next->begin < begin(i + 1))
      ++next;
    count += next == before && length(i) != 0 ? 1 : 0;
  }
  return count;
}

void PackedQueries::clear() {
  names_.clear();
  names_end_.clear();
  begins_.clear();
  words_.clear();
  stretches_.clear();
  pending_ = filled_ = 0;
  symbols_ = stretch_ = 0;
}

void PackedQueries::begin_query(std::string_view name) {
  close_stretch();
  names_ += name;
  names_end_.push_back(names_.size());
  begins_.push_back(symbols_);
}

void PackedQueries::close_stretch() {
  if (symbols_ - stretch_ >= min_length_) stretches_.push_back({stretch_, symbols_});
  stretch_ = symbols_;
}

inline void PackedQueries::push(std::uint64_t codes, std::uint32_t bits) {
  const std::uint32_t room = 64 - filled_;
  if (bits < room) {
    pending_ = pending_ << bits | codes;
    filled_ += bits;
    return;
  }
  filled_ = bits - room;
  words_.push_back(__builtin_bswap64((room == 64 ? 0 : pending_ << room) | codes >> filled_));
  pending_ = codes;
}

void PackedQueries::append_one(std::uint8_t code) {
  const bool is_foreign = code >= sigma_;
  if (is_foreign) close_stretch();
  push(is_foreign ? 0 : code, bits_);
  ++symbols_;
  if (is_foreign) stretch_ = symbols_;
}

void PackedQueries::append(const std::uint8_t* codes, std::uint64_t count) {
  constexpr std::uint64_t width = 32;
  for (; bits_ == 2 && count >= width; codes += width, count -= width) {
    const Combined combined = combined_32(codes);
    if ((combined.any & foreign_bits) == 0) {
      push(pack_32_bases(codes), 64);
      symbols_ += width;
    } else if (combined.all == ~std::uint64_t{0}) {  // 32 foreign ones, as in a run of N
      close_stretch();
      push(0, 64);
      stretch_ = symbols_ += width;
    } else {
      std::for_each(codes, codes + width, [this](std::uint8_t code) { append_one(code); });
    }
  }
  std::for_each(codes, codes + count, [this](std::uint8_t code) { append_one(code); });
}

void PackedQueries::finish() {
  close_stretch();
  if (filled_ > 0) words_.push_back(__builtin_bswap64(pending_ << (64 - filled_)));
  pending_ = filled_ = 0;
  static_assert(PackedView::slack <= 2 * sizeof(std::uint64_t));
  words_.insert(words_.end(), 2, 0);
}

void PackedQueries::finish_without_last() {
  symbols_ = stretch_ = begins_.back();
  begins_.pop_back();
  names_end_.pop_back();
  names_.resize(names_end_.empty() ? 0 : names_end_.back());
  while (!stretches_.empty() && stretches_.back().begin >= symbols_)
    stretches_.pop_back();
  finish();
}

/// Many short queries take more for their names and places than for their symbols.
bool PackedQueryReader::is_full(const PackedQueries& queries) const {
  return queries.size() > 0 &&
         (queries.symbols() >= symbols_at_once_ || queries.bytes() >= symbols_at_once_ / 4);
}

/// Whether there is another batch.
bool PackedQueryReader::read_batch(PackedQueries& queries) {
  entry_ = 0;
  if (!reader_.next(batch_)) return false;
  if (memory_ != nullptr) memory_->require(queries.growth(batch_));
  codes_.encode(batch_, alphabet_, path_);
  return true;
}

bool PackedQueryReader::next(PackedQueries& queries) {
  queries.clear();
  while (true) {
    try {
      if (entry_ == batch_.size() && !read_batch(queries)) break;
    } catch (const InputError&) {
      const bool drops = batch_.left_open;  // the last query is the wrong one
      if (queries.size() <= (drops ? 1 : 0)) throw;
      drops ? queries.finish_without_last() : queries.finish();
      return true;  // the next call throws
    }
    const Patterns patterns = codes_.patterns();
    for (; entry_ < batch_.size(); ++entry_) {
      if (entry_ > 0 || !batch_.continues) {
        if (is_full(queries)) {
          queries.finish();
          return true;
        }
        queries.begin_query(batch_.name(entry_));
      }
      const auto codes = patterns[entry_];
      queries.append(codes.data(), codes.size());
    }
  }
  queries.finish();
  return queries.size() > 0;
}

}  // namespace gsx

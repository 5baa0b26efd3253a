#include "analysis/mappability/frequency_codes.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"

namespace gsx {
namespace {

template <class Work>
void each_slice(std::uint64_t size, int threads, const Work& work) {
  const std::uint64_t slices = static_cast<std::uint64_t>(threads) * 4;
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(size, slices, s);
    work(slice.begin, slice.end);
  });
}

}  // namespace

FrequencyCodes::FrequencyCodes(std::uint64_t size, int threads, RequireMemory require)
    : threads_(threads),
      require_(std::move(require)),
      codes_(Buffer<std::uint16_t>(size, "k-mer frequencies")) {
  auto& codes = std::get<0>(codes_);
  each_slice(size, threads, [&](std::uint64_t begin, std::uint64_t end) {
    std::fill(codes.data() + begin, codes.data() + end, std::uint16_t{0});
  });
}

FrequencyCodes::FrequencyCodes(KmerFrequencies counts, int threads, RequireMemory require)
    : threads_(threads),
      require_(std::move(require)),
      codes_(std::move(counts.codes)),
      large_(std::move(counts.large)) {
  for (std::size_t i = 0; i < large_.size(); ++i)
    place_of_[large_[i]] = static_cast<std::uint32_t>(i);
}

FrequencyCodes::FrequencyCodes(Buffer<std::uint16_t> numbers, std::uint64_t cap)
    : FrequencyCodes(KmerFrequencies{std::move(numbers), {}}) {
  // Codes of all numbers that have none of their own, in order: so a number is its code.
  for (std::uint64_t number = first_large; number <= cap; ++number)
    code_of(number);
}

Buffer<std::uint16_t> FrequencyCodes::capped(std::uint64_t cap, int threads) const {
  Buffer<std::uint16_t> numbers(size(), "k-mer frequencies");
  each_slice(size(), threads, [&](std::uint64_t begin, std::uint64_t end) {
    visit([&](const auto* codes) {
      for (std::uint64_t p = begin; p < end; ++p)
        numbers[p] = static_cast<std::uint16_t>(std::min(frequency(codes[p]), cap));
    });
  });
  return numbers;
}

std::uint64_t FrequencyCodes::size() const {
  return std::visit([](const auto& codes) -> std::uint64_t { return codes.size(); }, codes_);
}

std::uint64_t FrequencyCodes::largest() const {
  return large_.empty() ? 0 : *std::ranges::max_element(large_);
}

std::uint64_t FrequencyCodes::operator[](std::uint64_t p) const {
  return visit([&](const auto* codes) { return frequency(codes[p]); });
}

void FrequencyCodes::make_room(std::uint64_t more) {
  if (narrow() && large_.size() + more > first_listed()) widen();
}

std::uint32_t FrequencyCodes::code_of(std::uint64_t frequency) {
  if (frequency < first_listed()) return static_cast<std::uint32_t>(frequency);
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] =
      place_of_.try_emplace(frequency, static_cast<std::uint32_t>(large_.size()));
  if (is_new) large_.push_back(frequency);
  return first_listed() + place->second;
}

void FrequencyCodes::widen() {
  const auto& old = std::get<0>(codes_);
  if (require_) require_(old.size() * sizeof(std::uint32_t));
  Buffer<std::uint32_t> wide(old.size(), "k-mer frequencies");
  std::vector<std::uint32_t> code(std::size_t{1} << 16);
  std::vector<std::uint64_t> still_large;
  std::unordered_map<std::uint64_t, std::uint32_t> places;
  for (std::uint32_t c = 0; c < code.size(); ++c) {
    if (c < first_listed()) {
      code[c] = c;
    } else if (c - first_listed() < large_.size()) {
      const std::uint64_t value = large_[c - first_listed()];
      if (value < 1u << 31) {
        code[c] = static_cast<std::uint32_t>(value);
      } else {
        code[c] = (1u << 31) + static_cast<std::uint32_t>(still_large.size());
        places[value] = static_cast<std::uint32_t>(still_large.size());
        still_large.push_back(value);
      }
    }
  }
  each_slice(old.size(), threads_, [&](std::uint64_t begin, std::uint64_t end) {
    std::transform(old.data() + begin, old.data() + end, wide.data() + begin,
                   [&](std::uint16_t c) { return code[c]; });
  });
  codes_ = std::move(wide);
  large_ = std::move(still_large);
  place_of_ = std::move(places);
}

}  // namespace gsx

// How often the k-mer at each position of a text occurs, in few bytes.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/buffer.hpp"
#include "base/memory_growth.hpp"
#include "index/lcp/kmer_frequencies.hpp"

namespace gsx {

/// One number per position. Codes have 16 bits: numbers below 2^15 stand for themselves, and larger
/// ones, of which a text has few different ones, are in a list. Where the list may become too long,
/// as for k of 9 in a mammalian genome, codes get 32 bits.
class FrequencyCodes {
 public:
  /// All zero. Throws ResourceError.
  FrequencyCodes(std::uint64_t size, int threads, RequireMemory require = {});
  /// Numbers of 16 bits, as capped() gives them.
  FrequencyCodes(Buffer<std::uint16_t> numbers, std::uint64_t cap);
  /// Those that a device has counted.
  explicit FrequencyCodes(KmerFrequencies counts, int threads = 1, RequireMemory require = {});

  /// Smaller numbers are never listed.
  static constexpr std::uint64_t first_large = KmerFrequencies::first_large;

  std::uint64_t size() const;
  bool narrow() const { return codes_.index() == 0; }
  /// Codes [0, codes()) are in use; of 32 bits, not all of them.
  std::uint64_t codes() const { return first_listed() + large_.size(); }
  /// The largest number that is listed, or 0.
  std::uint64_t largest() const;
  std::uint64_t operator[](std::uint64_t p) const;
  /// All of them, larger ones as `cap`. Pre: cap < 2^16. Throws ResourceError.
  Buffer<std::uint16_t> capped(std::uint64_t cap, int threads) const;

  /// Makes room in the list for so many different numbers more. Asks for the memory of codes of 32
  /// bits where that needs them. Not for several threads at once.
  void make_room(std::uint64_t more);
  /// The code that stands for a number. Any thread may ask.
  std::uint32_t code_of(std::uint64_t frequency);
  /// Sets a position. Different threads may set different ones.
  void set(std::uint64_t p, std::uint32_t code) {
    if (narrow()) {
      std::get<0>(codes_)[p] = static_cast<std::uint16_t>(code);
    } else {
      std::get<1>(codes_)[p] = code;
    }
  }
  /// The number that a code stands for.
  std::uint64_t frequency(std::uint32_t code) const {
    return code < first_listed() ? code : large_[code - first_listed()];
  }
  /// Calls visitor(codes) with a const pointer to codes of 16 or 32 bits.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return std::visit([&](const auto& codes) -> decltype(auto) { return visitor(codes.data()); },
                      codes_);
  }
  /// Asks for the memory that set(p) writes.
  void prefetch(std::uint64_t p) const {
    visit([p](const auto* codes) { __builtin_prefetch(codes + p, 1); });
  }

 private:
  std::uint32_t first_listed() const {
    return narrow() ? static_cast<std::uint32_t>(first_large) : 1u << 31;
  }
  void widen();

  int threads_;
  RequireMemory require_;
  std::variant<Buffer<std::uint16_t>, Buffer<std::uint32_t>> codes_;
  std::vector<std::uint64_t> large_;
  std::unordered_map<std::uint64_t, std::uint32_t> place_of_;  ///< in large_
  std::mutex mutex_;
};

}  // namespace gsx

// The functions of gsx/device_arrays.cuh as a user calls them: data to the device and back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arrays/wavelet/wavelet_sequence.hpp"
#include "device_calls/device_call.hpp"

namespace gsx::testing {

/// What a sequence is asked: values at positions `at`; ranks of values at positions; selects of
/// values and numbers.
struct SequenceQueries {
  std::vector<std::uint64_t> at, values, positions, numbers;
};
struct SequenceAnswers {
  std::vector<std::uint64_t> at, rank, select;
  friend bool operator==(const SequenceAnswers&, const SequenceAnswers&) = default;
};

/// A sequence on the device, copied from the host, or built of an array in the user's memory.
class SequenceOnDevice {
 public:
  SequenceOnDevice(const WaveletSequence& sequence, const DeviceCall& call);
  template <class Value>
  SequenceOnDevice(const std::vector<Value>& array, WaveletShape shape, const DeviceCall& call);
  SequenceOnDevice(const SequenceOnDevice&) = delete;
  SequenceOnDevice& operator=(const SequenceOnDevice&) = delete;
  ~SequenceOnDevice();

  /// The first of its arrays that differs from those of `host`, or nothing.
  std::string difference(const WaveletSequence& host) const;
  std::uint64_t bytes() const;

  /// Answers to queries in device memory, in numbers of 32 or 64 bits; where there is no such
  /// position, the largest number of 64.
  template <class Number>
  SequenceAnswers answers(const SequenceQueries& queries) const;
  /// The same by a kernel of the user's, one by one.
  SequenceAnswers answers_of_kernel(const SequenceQueries& queries) const;
  /// The same of queries in host memory.
  SequenceAnswers answers_through(const SequenceQueries& queries, int threads) const;

 private:
  struct State;
  State* state_;
};

/// A sequence in host memory, built through the device.
template <class Value>
WaveletSequence passed_sequence(const std::vector<Value>& array, WaveletShape shape,
                                const DeviceCall& call, int threads);

}  // namespace gsx::testing

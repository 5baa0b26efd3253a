// Turns of the threads of a warp whose work takes different ways.
#pragma once

#include <cstdint>

namespace gsx::cuda {

/// The kind of a thread that has no work.
inline constexpr std::uint32_t idle_kind = 15;

/// The kind that most threads of the warp have, of those that have work; idle_kind if none has. If
/// a step of a thread is one of several kinds, and only the threads of this kind take theirs, the
/// others wait for company, and a warp seldom runs code for a few of its threads. Pre: all 32
/// threads of the warp call it; kinds are at most 15. Cost: 4 votes and 5 exchanges.
__device__ inline std::uint32_t most_common_kind(std::uint32_t kind) {
  constexpr std::uint32_t warp = 0xFFFFFFFF;
  std::uint32_t alike = warp;
  for (std::uint32_t bit = 0; bit < 4; ++bit) {
    const bool set = (kind >> bit & 1) != 0;
    const std::uint32_t votes = __ballot_sync(warp, set);
    alike &= set ? votes : ~votes;
  }
  std::uint32_t most =
      kind == idle_kind ? idle_kind : static_cast<std::uint32_t>(__popc(alike)) << 4 | kind;
  for (int distance = 16; distance > 0; distance /= 2)
    most = max(most, __shfl_xor_sync(warp, most, distance));
  return most & 15;
}

}  // namespace gsx::cuda

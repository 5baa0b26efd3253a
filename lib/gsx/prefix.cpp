#include "gsx/prefix.hpp"

#include "base/machine.hpp"
#include "base/public_call.hpp"
#include "search/sets/prefix_queries.hpp"

namespace gsx {

std::vector<std::uint32_t> longest_prefixes(const PrefixSet& set,
                                            std::span<const std::string_view> sequences,
                                            int threads) {
  return with_gsx_errors([&] {
    std::vector<std::uint32_t> found(sequences.size());
    longest_prefixes(set, sequences, found, threads);
    return found;
  });
}

void longest_prefixes(const PrefixSet& set, std::span<const std::string_view> sequences,
                      std::span<std::uint32_t> found, int threads) {
  require_size(found.size(), sequences.size(), "what is found");
  with_gsx_errors([&] {
    find_longest_prefixes(set, sequences, found, threads_for(threads, sequences.size()));
  });
}

}  // namespace gsx

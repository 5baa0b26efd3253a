#include "index/store/index_checksum.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "index/store/checksum.hpp"

namespace gsx {

std::uint64_t checksum_of_shards(std::vector<std::uint64_t> shards) {
  std::ranges::sort(shards);
  std::string text;
  for (const std::uint64_t shard : shards)
    text += fmt::format("{:016x}\n", shard);
  return checksum({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, 1);
}

std::uint64_t checksum_of(const Index& index) {
  if (index.parts().empty()) return index.checksum_of_header();
  std::vector<std::uint64_t> shards;
  for (const Index& part : index.parts())
    shards.push_back(part.checksum_of_header());
  return checksum_of_shards(std::move(shards));
}

}  // namespace gsx

#include "output/merge/shard_names.hpp"

#include "output/lines/text_format.hpp"

namespace gsx {

void ShardNames::add(std::string_view name) {
  std::string column, in_bed;
  append_name(column, name);
  append_bed_target(in_bed, name);
  if (in_bed != column) ++left_[std::move(in_bed)];
  ++left_[std::move(column)];
}

bool ShardNames::has(std::string_view column) {
  if (!last_.empty() && column == last_) return true;
  if (!left_.contains(column)) return false;
  last_ = column;
  return true;
}

bool ShardNames::take(std::string_view column) {
  std::uint64_t& left = left_.find(column)->second;
  if (left == 0) return false;
  --left;
  return true;
}

}  // namespace gsx

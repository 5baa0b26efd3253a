#include "merge/shard_names.hpp"

#include "report/text_format.hpp"

namespace gsx {

void ShardNames::add(std::string_view name) {
  std::string column, in_bed;
  append_name(column, name);
  append_bed_target(in_bed, name);
  columns_.insert(std::move(column));
  columns_.insert(std::move(in_bed));
}

bool ShardNames::has(std::string_view column) {
  if (!last_.empty() && column == last_) return true;
  if (!columns_.contains(column)) return false;
  last_ = column;
  return true;
}

}  // namespace gsx

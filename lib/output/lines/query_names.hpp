// The names of queries as columns of lines.
#pragma once

#include <string>
#include <string_view>

#include "output/lines/text_format.hpp"
#include "records/record_batch.hpp"

namespace gsx {

/// The names of a batch's queries, as append_name() writes them. It looks at all of them at once,
/// as hardly any needs more than to be copied.
class QueryNames {
 public:
  explicit QueryNames(const RecordBatch& queries)
      : queries_(queries), plain_(are_plain_names(queries.names)) {}

  /// Valid until the next call.
  std::string_view operator[](std::size_t i) {
    const std::string_view name = queries_.name(i);
    if (plain_ && name.size() > 1) return name;
    column_.clear();
    append_name(column_, name);
    return column_;
  }

 private:
  const RecordBatch& queries_;
  bool plain_;  ///< no name needs a look at its bytes
  std::string column_;
};

}  // namespace gsx

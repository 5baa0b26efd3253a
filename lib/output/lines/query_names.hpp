// The names of queries, as a format writes them.
#pragma once

#include <string>
#include <string_view>

#include "output/lines/gff3.hpp"
#include "output/lines/result_format.hpp"
#include "output/lines/text_format.hpp"
#include "output/lines/values.hpp"
#include "records/record_batch.hpp"

namespace gsx {

/// The names of a batch's queries. It looks at all of them at once, as hardly any needs more than
/// to be copied, except into JSON.
class QueryNames {
 public:
  explicit QueryNames(const RecordBatch& queries, ResultFormat format = ResultFormat::tsv)
      : queries_(queries), format_(format), plain_(are_plain()) {}

  /// Valid until the next call.
  ShownName operator[](std::size_t i) {
    const std::string_view name = queries_.name(i);
    if (plain_ && name.size() > 1) return {name};
    shown_.clear();
    append_query(shown_, name, format_);
    return {shown_};
  }

 private:
  bool are_plain() const {
    if (format_ == ResultFormat::jsonl) return false;
    return format_ == ResultFormat::gff3 ? are_plain_gff3_values(queries_.names)
                                         : are_plain_names(queries_.names);
  }

  const RecordBatch& queries_;
  ResultFormat format_;
  bool plain_;  ///< no name needs a look at its bytes
  std::string shown_;
};

}  // namespace gsx

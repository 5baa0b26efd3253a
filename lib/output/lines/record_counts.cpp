#include "output/lines/record_counts.hpp"

#include "output/lines/text_format.hpp"

namespace gsx {

void RecordCountLines::add(std::size_t query, std::uint64_t record, const StrandCounts& counts) {
  std::string name, target;
  append_name(name, queries_.name(query));
  append_name(target, targets_.name(record));
  TabbedLine<RecordCountColumns>::append(out_.text(), CountRow{{name}, 0, {target}, counts});
  out_.check();
}

}  // namespace gsx

#include "seq/record_batch.hpp"

namespace gsx {

void RecordBatch::clear() {
  symbols.clear();
  names.clear();
  comments.clear();
  symbol_ends.clear();
  name_ends.clear();
  comment_ends.clear();
  first_record = 0;
  continues = false;
}

void RecordBatch::begin_record(std::string_view name, std::string_view comment) {
  names.append(name);
  comments.append(comment);
  name_ends.push_back(names.size());
  comment_ends.push_back(comments.size());
  symbol_ends.push_back(symbols.size());
}

void RecordBatch::append(std::string_view more) {
  symbols.append(more);
  symbol_ends.back() = symbols.size();
}

}  // namespace gsx

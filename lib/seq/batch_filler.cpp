#include "seq/batch_filler.hpp"

namespace gsx {
namespace {

struct HeaderParts {
  std::string_view name;
  std::string_view comment;
};

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

HeaderParts split_header(std::string_view header) {
  std::string_view name = header.substr(0, header.find(' '));
  name = name.substr(0, name.find('\t'));
  std::string_view comment = header.substr(name.size());
  while (!comment.empty() && is_blank(comment.front()))
    comment.remove_prefix(1);
  return {name, comment};
}

}  // namespace

void BatchFiller::start(RecordBatch& batch) {
  batch.clear();
  batch_ = &batch;
}

void BatchFiller::begin_record(std::string_view header) {
  const HeaderParts parts = split_header(header);
  if (batch_->size() == 0) batch_->first_record = records_;
  batch_->begin_record(parts.name, parts.comment);
  ++records_;
  if (split_) header_ = header;
}

void BatchFiller::continue_record() {
  const HeaderParts parts = split_header(header_);
  batch_->begin_record(parts.name, parts.comment);
  batch_->first_record = records_ - 1;
  batch_->continues = true;
}

}  // namespace gsx

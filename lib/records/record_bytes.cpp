#include "records/record_bytes.hpp"

#include <utility>

namespace gsx {

void RecordBytes::clear() {
  bytes_.clear();
  begins_.clear();
  text_ = nullptr;
  before_ = 0;
}

void RecordBytes::begin_text(std::string_view text) {
  if (!kept_) return;
  text_ = text.data();
  before_ = bytes_.size();
  bytes_.append(text);
}

void RecordBytes::move_from(std::size_t first, RecordBytes& other) {
  if (first == 0) {
    std::swap(*this, other);
    clear();
    return;
  }
  other.clear();
  const std::uint64_t begin = at(first);
  other.bytes_.append(bytes_, begin);
  for (std::size_t i = first; i < begins_.size(); ++i)
    other.begins_.push_back(begins_[i] - begin);
  bytes_.resize(begin);
  if (first < begins_.size()) begins_.resize(first);
}

}  // namespace gsx

// The bytes of the records of a batch as they are in the file, for those who pass records on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gsx {

/// Keeps them in one flat buffer: those of a record go from its mark to the next one's, with every
/// line end, blank and empty line between. Where it is switched off, it costs one test per record.
class RecordBytes {
 public:
  void keep(bool bytes) { kept_ = bytes; }
  bool are_kept() const { return kept_; }
  void clear();

  /// Adds `text`, whose records are about to be parsed. It must stay until the next call.
  void begin_text(std::string_view text);
  /// A record begins with `mark`, which is in the last text.
  void begin_record(const char* mark) {
    if (kept_) begins_.push_back(before_ + static_cast<std::size_t>(mark - text_));
  }

  /// The bytes of records [first, last), as one run. Pre: first <= last <= records of the batch.
  std::string_view run(std::size_t first, std::size_t last) const {
    const std::uint64_t begin = at(first);
    return std::string_view(bytes_).substr(begin, at(last) - begin);
  }
  std::uint64_t size() const { return bytes_.size(); }

  /// Moves the bytes from those of record number `first` on to `other`, replacing what it has.
  void move_from(std::size_t first, RecordBytes& other);

 private:
  std::uint64_t at(std::size_t record) const {
    return record < begins_.size() ? begins_[record] : bytes_.size();
  }

  bool kept_ = false;
  std::string bytes_;
  /// Of the records, also of one whose header is not complete, and of bytes behind the last record
  /// that begin none.
  std::vector<std::uint64_t> begins_;
  const char* text_ = nullptr;  ///< the last text given
  std::uint64_t before_ = 0;    ///< bytes before it
};

}  // namespace gsx

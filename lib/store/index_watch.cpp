// Checks that an index in use is still the file that was opened.
#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "store/checksum.hpp"
#include "store/index.hpp"

namespace gsx {

void Index::State::start_watch(int threads) {
  watch_ = std::make_unique<Watch>();
  watch_->last = image_.file()->stamp();
  watch_->sections.assign(table_.begin(), table_.end());
  watch_->threads = threads;
  require_unchanged();  // the file must not have changed while it was read, either
}

/// Compares with the checksums of the opened file, not with those that the file has now.
bool Index::State::has_content_of_open() const {
  const auto& sections = watch_->sections;
  return std::memcmp(table_.data(), sections.data(), sections.size() * sizeof(SectionEntry)) == 0 &&
         std::all_of(sections.begin(), sections.end(), [&](const SectionEntry& entry) {
           return checksum(image_.bytes().subspan(entry.offset, entry.bytes), watch_->threads) ==
                  entry.checksum;
         });
}

void Index::State::require_unchanged() const {
  if (watch_ == nullptr) return;  // only this process has these bytes
  const FileStamp now = image_.file()->stamp_now();
  const std::lock_guard lock(watch_->mutex);
  if (now == watch_->last) return;
  // Renaming over the file, chmod and ln change only its ctime. So does a program that writes to it
  // and resets its modification time: compare the content.
  if (now.has_content_of(image_.file()->stamp()) && has_content_of_open()) {
    watch_->last = now;
    return;
  }
  throw CorruptIndexError("index '" + printable(path_) +
                          "' was written to while it was in use, so results would be wrong; run "
                          "the command again, and replace an index by renaming a new file to its "
                          "name (as gsx index does), not by copying over it");
}

}  // namespace gsx

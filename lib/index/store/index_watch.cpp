// Checks that an index in use is still the file that was opened.
#include <cstring>

#include "base/messages.hpp"
#include "index/store/checksum.hpp"
#include "index/store/index.hpp"
#include "index/store/index_changed.hpp"

namespace gsx {

void throw_index_changed(const std::string& path) {
  throw IndexChangedError("index '" + printable(path) +
                          "' was written to while it was in use, so results would be wrong; run "
                          "the command again, and replace an index by renaming a new file to its "
                          "name (as gsx index does), not by copying over it");
}

void Index::State::start_watch(int threads, Load load) {
  watch_ = std::make_unique<Watch>();
  watch_->last = image_.file()->stamp();
  watch_->sections.assign(table_.entries().begin(), table_.entries().end());
  watch_->threads = threads;
  watch_->checked = load != Load::lazy;
  require_unchanged();  // the file must not have changed while it was read, either
}

bool Index::State::has_table_of_open() const {
  const auto& sections = watch_->sections;
  return std::memcmp(table_.entries().data(), sections.data(),
                     sections.size() * sizeof(SectionEntry)) == 0;
}

/// The first section whose bytes do not match the checksum that the opened file had; null if there
/// is none.
const SectionEntry* Index::State::find_wrong_section() const {
  for (const SectionEntry& entry : watch_->sections) {
    const auto section = image_.bytes().subspan(entry.offset, entry.bytes);
    if (checksum(section, watch_->threads) != entry.checksum) return &entry;
  }
  return nullptr;
}

void Index::State::require_unchanged() const {
  if (joined_) return require_parts_unchanged();
  if (watch_ == nullptr) return;  // only this process has these bytes
  const FileStamp now = image_.file()->stamp_now();
  const std::lock_guard lock(watch_->mutex);
  if (now == watch_->last) return;
  // Renaming over the file, chmod and ln change only its ctime. So does a program that writes to it
  // and resets its modification time: compare the content.
  if (now.has_content_of(image_.file()->stamp()) && has_table_of_open()) {
    const SectionEntry* wrong = find_wrong_section();
    if (wrong == nullptr) {
      watch_->last = now;
      watch_->checked = true;
      return;
    }
    // What was opened lazily may have been wrong from the start.
    if (!watch_->checked)
      corrupt("section '" + printable(wrong->name) + "' does not match its checksum");
  }
  throw_index_changed(path_);
}

}  // namespace gsx

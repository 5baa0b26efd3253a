#include "index/lookup/checked_sections.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "index/store/index_changed.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t word_bits = 64;

bool has(const std::atomic<std::uint64_t>* bits, std::uint64_t i) {
  return (bits[i / word_bits].load(std::memory_order_acquire) >> i % word_bits & 1) != 0;
}

void add(std::atomic<std::uint64_t>* bits, std::uint64_t i) {
  bits[i / word_bits].fetch_or(std::uint64_t{1} << i % word_bits, std::memory_order_release);
}

std::unique_ptr<std::atomic<std::uint64_t>[]> no_bits(std::uint64_t count) {
  return std::make_unique<std::atomic<std::uint64_t>[]>(divide_up(count, word_bits));
}

MappedFile map(const std::string& path) {
  try {
    return MappedFile(path);
  } catch (const RuntimeError& error) {
    throw ForeignIndexError(std::string(error.what()) + "; an index is made by gsx index");
  }
}

}  // namespace

CheckedSections::CheckedSections(const std::string& path, int threads)
    : file_(map(path)),
      table_(path, file_.bytes()),
      pages_(PageSums::of(table_)),
      threads_(threads),
      whole_(std::make_unique<std::atomic<bool>[]>(table_.entries().size())),
      stamp_(file_.stamp()) {
  const auto head = file_.bytes().first(table_.header().header_bytes);
  head_.assign(head.begin(), head.end());
  if (!pages_) return;
  right_pages_ = no_bits(pages_->size());
  right_stretches_ = no_bits(pages_->stretches());
}

void CheckedSections::require_some(std::size_t section, std::uint64_t begin,
                                   std::uint64_t end) const {
  const SectionEntry& entry = table_.entries()[section];
  if (!pages_ || entry.offset + end > pages_->end()) {  // the sums themselves are in no page
    table_.check(entry, threads_);
    whole_[section].store(true, std::memory_order_release);
    return;
  }
  const std::uint64_t last = pages_->page_of(entry.offset + end - 1);
  for (std::uint64_t page = pages_->page_of(entry.offset + begin); page <= last; ++page)
    if (!has(right_pages_.get(), page)) require_page(page);
}

void CheckedSections::require_page(std::uint64_t page) const {
  const std::uint64_t stretch = PageSums::stretch_of(page);
  if (!has(right_stretches_.get(), stretch)) {
    if (!pages_->is_right_stretch(stretch))
      table_.corrupt("section 'page_sums' does not match its checksum");
    add(right_stretches_.get(), stretch);
  }
  if (!pages_->is_right(page)) refuse_page(page);
  add(right_pages_.get(), page);
}

void CheckedSections::refuse_page(std::uint64_t page) const {
  const std::uint64_t begin = pages_->begin() + page * page_bytes;
  const std::uint64_t end = begin + pages_->page(page).size();
  for (const SectionEntry& entry : table_.entries())
    if (entry.offset < end && entry.offset + entry.padded_bytes() > begin)
      table_.check(entry, threads_);
  table_.corrupt(wrong_page_sum(table_, page));
}

void CheckedSections::require_whole(std::span<const Section> sections) const {
  constexpr std::uint64_t pages_of_task = 16;
  std::vector<std::size_t> numbers;
  std::vector<std::uint64_t> pages;
  for (const Section section : sections) {
    const SectionEntry* const entry = table_.find(section);
    if (entry == nullptr || entry->bytes == 0) continue;
    const std::size_t number = number_of(*entry);
    if (!pages_) {
      require(number, 0, entry->bytes);
      continue;
    }
    numbers.push_back(number);
    const std::uint64_t last = pages_->page_of(entry->offset + entry->bytes - 1);
    for (std::uint64_t page = pages_->page_of(entry->offset); page <= last; ++page)
      if (!has(right_pages_.get(), page)) pages.push_back(page);
  }
  parallel_for(threads_, divide_up(pages.size(), pages_of_task), [&](std::uint64_t task, int) {
    const std::uint64_t end = std::min<std::uint64_t>(pages.size(), (task + 1) * pages_of_task);
    for (std::uint64_t i = task * pages_of_task; i < end; ++i)
      require_page(pages[i]);
  });
  for (const std::size_t number : numbers)
    whole_[number].store(true, std::memory_order_release);
}

/// Whether everything that was checked is still right.
bool CheckedSections::is_as_checked() const {
  if (!std::equal(head_.begin(), head_.end(), file_.bytes().begin())) return false;
  try {
    if (!pages_) {
      for (std::size_t s = 0; s < table_.entries().size(); ++s)
        if (whole_[s]) table_.check(table_.entries()[s], threads_);
      return true;
    }
    PageSums::of(table_);
  } catch (const CorruptIndexError&) {
    return false;
  }
  for (std::uint64_t stretch = 0; stretch < pages_->stretches(); ++stretch)
    if (has(right_stretches_.get(), stretch) && !pages_->is_right_stretch(stretch)) return false;
  for (std::uint64_t page = 0; page < pages_->size(); ++page)
    if (has(right_pages_.get(), page) && !pages_->is_right(page)) return false;
  return true;
}

void CheckedSections::require_unchanged() const {
  const FileStamp now = file_.stamp_now();
  const std::lock_guard lock(mutex_);
  if (now == stamp_) return;
  // What only changes the ctime may still be a program that writes and resets the time.
  if (!now.has_content_of(file_.stamp()) || !is_as_checked()) throw_index_changed(table_.path());
  stamp_ = now;
}

}  // namespace gsx

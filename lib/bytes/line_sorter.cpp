#include "bytes/line_sorter.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace gsx {
namespace {

/// Each line of a run begins with this.
struct LineHead {
  LineKey key;
  std::uint64_t size;
};

/// Bytes of a run that are read or written at once.
constexpr std::uint64_t block_bytes = std::uint64_t{64} << 10;

}  // namespace

/// Reads the lines of a run in order.
class LineSorter::RunReader {
 public:
  RunReader(const ScratchFile& file, Run run) : file_(file), next_(run.begin), end_(run.end) {}

  /// The next line; false at the end. Valid until the next call.
  bool next() {
    if (at_ == block_.size() && next_ == end_) return false;
    LineHead head;
    std::memcpy(&head, take(sizeof head), sizeof head);
    key_ = head.key;
    line_ = {take(head.size), head.size};
    return true;
  }
  const LineKey& key() const { return key_; }
  std::string_view line() const { return line_; }

 private:
  /// The next `count` bytes, contiguous.
  const char* take(std::uint64_t count) {
    if (block_.size() - at_ < count) {
      block_.erase(0, at_);
      at_ = 0;
      const std::uint64_t held = block_.size();
      const std::uint64_t more = std::min(end_ - next_, std::max(block_bytes, count - held));
      block_.resize(held + more);
      file_.read(next_, block_.data() + held, more);
      next_ += more;
    }
    const char* bytes = block_.data() + at_;
    at_ += count;
    return bytes;
  }

  const ScratchFile& file_;
  std::uint64_t next_;  ///< the first byte not yet read
  std::uint64_t end_;
  std::string block_;
  std::size_t at_ = 0;
  LineKey key_;
  std::string_view line_;
};

/// Writes a run of a known size.
class LineSorter::RunWriter {
 public:
  RunWriter(ScratchFile& file, std::uint64_t bytes) : file_(file), begin_(file.reserve(bytes)) {}

  void add(const LineKey& key, std::string_view line) {
    const LineHead head{key, line.size()};
    block_.append(reinterpret_cast<const char*>(&head), sizeof head);
    block_ += line;
    if (block_.size() >= block_bytes) flush();
  }
  Run finish() {
    flush();
    return {begin_, begin_ + written_};
  }

 private:
  void flush() {
    file_.write(begin_ + written_, block_);
    written_ += block_.size();
    block_.clear();
  }

  ScratchFile& file_;
  std::uint64_t begin_;
  std::uint64_t written_ = 0;
  std::string block_;
};

LineSorter::LineSorter(std::uint64_t memory, int threads, ScratchPlace place)
    : memory_(std::max(memory, least_memory)),
      share_(memory_ / static_cast<std::uint64_t>(std::max(1, threads))),
      file_(std::move(place)) {}

void LineSorter::Collector::add(LineKey key, std::string_view line) {
  if (entries_.capacity() == 0) {
    // Reserve all of it now: growth by copying takes up to three times the size.
    const std::uint64_t entries = sorter_.share_ / (4 * sizeof(Entry)) + 1;
    entries_.reserve(entries);
    lines_.reserve(sorter_.share_ - std::min(sorter_.share_, entries * sizeof(Entry)));
  }
  if (!entries_.empty() &&
      (entries_.size() == entries_.capacity() || lines_.size() + line.size() > lines_.capacity())) {
    spill();
  }
  entries_.push_back({key, lines_.size(), line.size()});
  lines_ += line;
}

void LineSorter::Collector::sort() {
  std::sort(entries_.begin(), entries_.end(), [this](const Entry& a, const Entry& b) {
    return a.key != b.key ? a.key < b.key : line(a) < line(b);
  });
}

void LineSorter::Collector::spill() {
  if (entries_.empty()) return;
  sort();
  RunWriter writer(sorter_.file_, lines_.size() + entries_.size() * sizeof(LineHead));
  for (const Entry& entry : entries_)
    writer.add(entry.key, line(entry));
  const Run run = writer.finish();
  lines_.clear();
  entries_.clear();
  const std::lock_guard lock(sorter_.mutex_);
  sorter_.runs_.push_back(run);
}

LineSorter::Collector& LineSorter::collector() {
  const std::lock_guard lock(mutex_);
  return collectors_.emplace_back(*this);
}

std::size_t LineSorter::most_runs() const {
  return std::max<std::size_t>(2, memory_ / (2 * block_bytes));
}

/// Calls take(key, line) for all lines of `runs`, in order.
template <class Take>
void LineSorter::merge(const std::vector<Run>& runs, const Take& take) {
  std::vector<std::unique_ptr<RunReader>> heap;
  for (const Run& run : runs) {
    auto reader = std::make_unique<RunReader>(file_, run);
    if (reader->next()) heap.push_back(std::move(reader));
  }
  const auto later = [](const auto& a, const auto& b) {
    return a->key() != b->key() ? a->key() > b->key() : a->line() > b->line();
  };
  std::make_heap(heap.begin(), heap.end(), later);
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), later);
    take(heap.back()->key(), heap.back()->line());
    if (heap.back()->next()) {
      std::push_heap(heap.begin(), heap.end(), later);
    } else {
      heap.pop_back();
    }
  }
}

/// Nothing was spilled, so no file is needed.
void LineSorter::write_from_memory(Output& out) {
  std::vector<std::pair<const Collector*, std::size_t>> heads;
  for (Collector& collector : collectors_) {
    collector.sort();
    if (!collector.entries_.empty()) heads.emplace_back(&collector, 0);
  }
  const auto entry = [](const auto& head) -> const Collector::Entry& {
    return head.first->entries_[head.second];
  };
  const auto sooner = [&](const auto& a, const auto& b) {
    const Collector::Entry &x = entry(a), &y = entry(b);
    return x.key != y.key ? x.key < y.key : a.first->line(x) < b.first->line(y);
  };
  while (!heads.empty()) {
    const auto least = std::min_element(heads.begin(), heads.end(), sooner);
    out.write(least->first->line(entry(*least)));
    if (++least->second == least->first->entries_.size()) heads.erase(least);
  }
}

void LineSorter::write(Output& out) {
  if (runs_.empty()) return write_from_memory(out);
  for (Collector& collector : collectors_)
    collector.spill();
  collectors_.clear();
  while (runs_.size() > most_runs()) {
    const auto some = static_cast<std::ptrdiff_t>(most_runs());
    const std::vector<Run> first(runs_.begin(), runs_.begin() + some);
    runs_.erase(runs_.begin(), runs_.begin() + some);
    std::uint64_t bytes = 0;
    for (const Run& run : first)
      bytes += run.end - run.begin;
    RunWriter writer(file_, bytes);
    merge(first, [&](const LineKey& key, std::string_view line) { writer.add(key, line); });
    runs_.push_back(writer.finish());
  }
  merge(runs_, [&](const LineKey&, std::string_view line) { out.write(line); });
}

}  // namespace gsx

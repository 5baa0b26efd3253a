#include "text/record_names.hpp"

#include <xxhash.h>

#include <algorithm>
#include <utility>
namespace gsx {
namespace {

std::uint64_t file_of(std::uint64_t record, std::span<const std::uint64_t> record_ends) {
  const auto end = std::upper_bound(record_ends.begin(), record_ends.end(), record);
  return static_cast<std::uint64_t>(end - record_ends.begin());
}

}  // namespace

std::optional<NameTwins> find_name_twins(const RecordsView& records,
                                         std::span<const std::uint64_t> record_ends) {
  struct Named {
    std::uint64_t hash, record;
  };
  std::vector<Named> all(records.size());
  for (std::uint64_t r = 0; r < all.size(); ++r) {
    const std::string_view name = records.name(r);
    all[r] = {XXH3_64bits(name.data(), name.size()), r};
  }
  std::sort(all.begin(), all.end(), [&](const Named& a, const Named& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    if (const int order = records.name(a.record).compare(records.name(b.record)); order != 0)
      return order < 0;
    return a.record < b.record;
  });
  std::optional<NameTwins> found;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const Named &a = all[i - 1], &b = all[i];
    if (a.hash != b.hash || records.name(a.record) != records.name(b.record)) continue;
    const bool apart = file_of(a.record, record_ends) != file_of(b.record, record_ends);
    const bool better = !found || (apart && !found->of_two_files) ||
                        (apart == found->of_two_files && b.record < found->second);
    if (better) found = {a.record, b.record, apart};
  }
  return found;
}

std::string file_prefix(std::string_view file) {
  std::string prefix(file);
  for (char& c : prefix)
    if (static_cast<unsigned char>(c) <= ' ' || c == 127) c = '_';
  return prefix + '#';
}

void name_by_file(Text& text, MemoryLimit* memory) {
  const SourceFilesView files = text.files.view();
  std::uint64_t bytes = text.names.size();
  for (std::uint64_t f = 0; f < files.size(); ++f)
    bytes += (files.record_ends[f] - files.first_record(f)) * (files.name(f).size() + 1);
  if (memory != nullptr) memory->require(bytes);
  std::string names;
  names.reserve(bytes);
  std::uint64_t begin = 0, record = 0;
  for (std::uint64_t f = 0; f < files.size(); ++f) {
    const std::string prefix = file_prefix(files.name(f));
    for (; record < files.record_ends[f]; ++record) {
      const std::uint64_t end = text.name_ends[record];
      names += prefix;
      names.append(text.names, begin, end - begin);
      text.name_ends[record] = names.size();
      begin = end;
    }
  }
  text.names = std::move(names);
  text.names_by_file = true;
}

SharedNames::Key SharedNames::key_of(std::string_view name, std::uint64_t file) {
  const XXH128_hash_t hash = XXH3_128bits(name.data(), name.size());
  return {hash.low64, hash.high64, file};
}

bool SharedNames::add(std::span<const Key> keys) {
  constexpr std::size_t few = std::size_t{1} << 16;
  const std::lock_guard lock(mutex_);
  if (found_ || settled_ >= most_) return false;
  if (const std::size_t size = keys_.size() + keys.size(); size > keys_.capacity()) {
    const std::size_t room = std::max(size, 2 * keys_.capacity());
    if (memory_ != nullptr) memory_->require(room * sizeof(Key));
    keys_.reserve(room);
  }
  keys_.insert(keys_.end(), keys.begin(), keys.end());
  if (keys_.size() >= 2 * settled_ + few) settle();
  return !found_ && settled_ < most_;
}

void SharedNames::add(const RecordsView& records, std::span<const std::uint64_t> record_ends,
                      std::uint64_t first_file) {
  constexpr std::size_t at_once = 256;
  std::vector<Key> keys;
  keys.reserve(at_once);
  std::uint64_t file = 0;
  for (std::uint64_t r = 0; r < records.size(); ++r) {
    while (record_ends[file] <= r)
      ++file;
    keys.push_back(key_of(records.name(r), first_file + file));
    if (keys.size() < at_once) continue;
    if (!add(keys)) return;
    keys.clear();
  }
  add(keys);
}

bool SharedNames::found() {
  const std::lock_guard lock(mutex_);
  if (!found_) settle();
  return found_;
}

void SharedNames::settle() {
  const auto added = keys_.begin() + static_cast<std::ptrdiff_t>(settled_);
  std::sort(added, keys_.end());
  std::inplace_merge(keys_.begin(), added, keys_.end());
  keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
  settled_ = keys_.size();
  const auto twin = std::adjacent_find(keys_.begin(), keys_.end(), [](const Key& a, const Key& b) {
    return a.low == b.low && a.high == b.high;
  });
  found_ = twin != keys_.end();
  if (!found_) return;
  keys_ = {};
  settled_ = 0;
}

}  // namespace gsx

#include "index/lookup/index_lookup.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/messages.hpp"
#include "base/public_call.hpp"
#include "index/store/corrupt_index.hpp"
#include "index/store/file_table.hpp"
#include "index/store/shard_files.hpp"
#include "text/recoding.hpp"

namespace gsx {
namespace {

/// An opened file, for open_shard_files().
struct Opened {
  std::unique_ptr<FileLookup> lookup;
  std::uint64_t file_bytes() const { return lookup->file_bytes(); }
  std::uint64_t checksum_of_header() const { return lookup->checksum_of_header(); }
};

}  // namespace

IndexLookup IndexLookup::open(const std::string& path, int threads) {
  require_path(path);
  return with_gsx_errors([&] {
    const int several = threads_for(threads);
    const auto open = [&](const std::string& file) {
      return Opened{std::make_unique<FileLookup>(file, several)};
    };
    IndexLookup index;
    index.path_ = path;
    index.is_in_shards_ = begins_as_manifest(path);
    if (!index.is_in_shards_) {
      index.add(open(path).lookup);
      return index;
    }
    for (Opened& shard : open_shard_files(path, open))
      index.add(std::move(shard.lookup));
    return index;
  });
}

void IndexLookup::add(std::unique_ptr<FileLookup> file) {
  const IndexTraits traits = traits_of(file->table(), file->meta());
  begins_.push_back(meta_.records);
  if (files_.empty()) {
    meta_ = file->meta();
    traits_ = traits;
    alphabet_ = file->alphabet();
  } else {
    if (traits != traits_)
      throw_corrupt_index(path_, "its shards were made with different options");
    try {
      alphabet_ = joined(alphabet_, file->alphabet());
    } catch (const InputError& error) {
      throw_corrupt_index(path_, error.what());
    }
    add_shard(meta_, file->meta());
    meta_.sigma = alphabet_.size();
  }
  files_.push_back(std::move(file));
}

std::uint64_t IndexLookup::file_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& file : files_)
    bytes += file->file_bytes();
  return bytes;
}

IndexLookup::Place IndexLookup::place_of(std::uint64_t record) const {
  if (files_.size() == 1) return {*files_.front(), record};
  const auto after = std::upper_bound(begins_.begin(), begins_.end(), record);
  const auto file = static_cast<std::size_t>(after - begins_.begin() - 1);
  return {*files_[file], record - begins_[file]};
}

std::uint64_t IndexLookup::length(std::uint64_t record) const {
  const auto [file, number] = place_of(record);
  return file.length(number);
}

std::string_view IndexLookup::name(std::uint64_t record) const {
  const auto [file, number] = place_of(record);
  return file.name(number);
}

std::string_view IndexLookup::comment(std::uint64_t record) const {
  const auto [file, number] = place_of(record);
  return file.comment(number);
}

void IndexLookup::read(std::uint64_t record, std::uint64_t begin, std::uint64_t end, bool keep_case,
                       std::string& out) const {
  const auto [file, number] = place_of(record);
  file.read(number, begin, end, keep_case, out);
}

SourceFiles IndexLookup::source_files() const {
  SourceFiles all;
  for (std::size_t f = 0; f < files_.size(); ++f)
    add_files(all, files_[f]->files(), begins_[f]);
  return all;
}

void IndexLookup::check_names() const {
  for (const auto& file : files_)
    file->check_names();
}

void IndexLookup::check_all() {
  for (const auto& file : files_)
    file->check_all();
}

void IndexLookup::require_unchanged() const {
  for (const auto& file : files_)
    file->require_unchanged();
}

}  // namespace gsx

// What an index that is joined of shards holds: one table of records over all of them.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "index/store/index.hpp"

namespace gsx {

struct Index::State::Joined {
  explicit Joined(std::vector<Index> shards) : parts(std::move(shards)) {}

  void add(const Index& part);
  RecordsView records_view() const;

  std::vector<Index> parts;
  std::vector<std::uint64_t> begins;  ///< of their texts
  Meta meta{};
  std::vector<RecordInfo> infos;
  std::vector<std::uint64_t> segment_starts;
  std::vector<std::uint64_t> segment_offsets;
  std::vector<std::uint64_t> segment_records;
  std::vector<Gap> gaps;
  PackedArray literals;
  std::string names;
  std::string comments;
  std::vector<std::uint64_t> name_ends;
  std::vector<std::uint64_t> comment_ends;
  SourceFiles files;
  LetterCase letter_case;
  std::vector<Md5> md5s;

  std::once_flag text_once;
  PackedArray text;  ///< that of all parts, once it has been asked for
};

}  // namespace gsx

#include "index/store/joined_index.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/messages.hpp"
#include "base/parallel.hpp"
#include "base/public_call.hpp"
#include "index/store/file_table.hpp"
#include "index/store/meta_checks.hpp"
#include "index/store/sections.hpp"
#include "index/store/shard_files.hpp"
#include "text/recoding.hpp"

namespace gsx {
namespace {

template <class T>
void append(std::vector<T>& all, std::span<const T> more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// Appends ends, which count from what is there before.
void append_ends(std::vector<std::uint64_t>& all, std::span<const std::uint64_t> more,
                 std::uint64_t before) {
  for (const std::uint64_t end : more)
    all.push_back(before + end);
}

/// Packs the values of all views one after another. value(i, view, v) is what to pack as value i of
/// all, which is v in the view of that number.
template <class Value>
PackedArray packed_of(std::span<const PackedView> views, std::uint32_t bits, const char* what,
                      int threads, const Value& value) {
  std::vector<std::uint64_t> begins{0};
  for (const PackedView& view : views)
    begins.push_back(begins.back() + view.size);
  PackedArray all(begins.back(), bits, what);
  const std::uint64_t slices = static_cast<std::uint64_t>(threads) * 4;
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    const Slice slice = slice_of(all.size(), slices, s, PackedArray::slice_unit);
    PackedWriter writer = all.writer(slice.begin);
    auto view = static_cast<std::size_t>(
        std::upper_bound(begins.begin(), begins.end(), slice.begin) - begins.begin() - 1);
    for (std::uint64_t i = slice.begin; i < slice.end; ++view) {
      const std::uint64_t end = std::min(slice.end, begins[view + 1]);
      for (; i < end; ++i)
        writer.push(value(i, view, views[view][i - begins[view]]));
    }
    writer.finish();
  });
  return all;
}

}  // namespace

void Index::State::Joined::add(const Index& part) {
  const RecordsView& records = part.records();
  const std::uint64_t record = infos.size(), segment = segment_offsets.size(), gap = gaps.size();
  begins.push_back(meta.length);
  for (RecordInfo info : records.infos) {
    info.first_segment += segment;
    info.first_gap += gap;
    infos.push_back(info);
  }
  const SegmentsView segments = part.fm().segments;
  append_ends(segment_starts, {segments.starts, segments.count}, meta.length);
  append(segment_offsets, records.segment_offsets);
  append_ends(segment_records, records.segment_records, record);
  for (Gap moved : records.gaps) {
    moved.record += record;
    if (moved.is_literal()) moved.source += meta.literals;
    gaps.push_back(moved);
  }
  append_ends(name_ends, records.name_ends, names.size());
  append_ends(comment_ends, records.comment_ends, comments.size());
  names += records.names;
  comments += records.comments;
  add_files(files, records.files, record);
  append_ends(letter_case.ends, part.letter_case().ends, letter_case.runs.size());
  append(letter_case.runs, part.letter_case().runs);
  append(md5s, part.md5s());
  add_shard(meta, part.meta());
}

RecordsView Index::State::Joined::records_view() const {
  return {infos, segment_offsets, segment_records, gaps,         literals.view(),
          names, comments,        name_ends,       comment_ends, files.view()};
}

Index::State::State(std::string path, std::vector<Index> shards)
    : path_(std::move(path)), joined_(std::make_unique<Joined>(std::move(shards))) {
  Joined& joined = *joined_;
  const Index& first = joined.parts.front();
  alphabet_ = first.alphabet();
  joined.meta = first.meta();
  for (std::uint64_t* number : {&joined.meta.length, &joined.meta.segments, &joined.meta.records,
                                &joined.meta.gaps, &joined.meta.literals})
    *number = 0;
  joined.meta.counts = {};
  const IndexTraits traits = traits_of(first.section_table(), first.meta());
  std::vector<PackedView> literals;
  for (const Index& part : joined.parts) {
    if (traits_of(part.section_table(), part.meta()) != traits)
      corrupt("its shards were made with different options");
    try {
      alphabet_ = gsx::joined(alphabet_, part.alphabet());
    } catch (const InputError& error) {
      corrupt(error.what());
    }
    joined.add(part);
    literals.push_back(part.records().literals);
  }
  joined.meta.sigma = alphabet_.size();
  joined.letter_case.kept = first.letter_case().kept;
  joined.literals = packed_of(literals, 2, "soft-masked bases", 1,
                              [](auto, auto, std::uint64_t base) { return base; });
  joined.segment_starts.push_back(joined.meta.length);
  meta_ = &joined.meta;
  records_ = joined.records_view();
  letter_case_ = joined.letter_case.view();
  md5s_ = joined.md5s;
  segments_ = Segments(std::move(joined.segment_starts));
  fm_.sigma = joined.meta.sigma;
  fm_.segments = segments_.view();
}

Index::State::~State() = default;

std::uint64_t Index::State::file_bytes() const {
  if (!joined_) return image_.bytes().size();
  std::uint64_t bytes = 0;
  for (const Index& part : joined_->parts)
    bytes += part.file_bytes();
  return bytes;
}

void Index::State::check_parts(int threads) const {
  for (const Index& part : joined_->parts)
    part.check_content(threads);
}

void Index::State::require_parts_unchanged() const {
  for (const Index& part : joined_->parts)
    part.require_unchanged();
}

Index Index::open_shards(const std::string& path, Load load, int threads) {
  require_path(path);
  return with_gsx_errors([&] {
    std::vector<Index> shards = open_shard_files(
        path, [&](const std::string& file) { return Index::open(file, load, threads); });
    return Index(std::make_shared<const State>(path, std::move(shards)));
  });
}

TextView Index::text() const {
  const State& state = *state_;
  PackedView symbols = state.symbols_;
  if (state.joined_) {
    State::Joined& joined = *state.joined_;
    std::call_once(joined.text_once, [&] {
      const SegmentsView segments = state.segments_.view();
      std::vector<PackedView> texts;
      std::vector<std::array<std::uint8_t, 256>> codes;
      for (const Index& part : joined.parts) {
        texts.push_back(part.text().symbols);
        codes.push_back(recoding(part.alphabet(), state.alphabet_));
      }
      joined.text = packed_of(
          texts, state.alphabet_.bits(), "the text of all shards", threads_for(0),
          [&](std::uint64_t position, std::size_t part, std::uint64_t code) {
            const std::uint64_t recoded = codes[part][code];
            if (recoded == Alphabet::none) state.corrupt("a shard has a symbol without a code");
            const bool separates =  // separators have code 0 in every alphabet
                code == 0 && recoded != 0 && segments.separator_from(position) == position;
            return separates ? 0 : recoded;
          });
    });
    symbols = joined.text.view();
  }
  return {symbols, state.segments_.view(), state.alphabet_.size()};
}

bool Index::is_mapped() const {
  if (!state_->joined_) return state_->image_.file() != nullptr;
  return std::ranges::all_of(parts(), &Index::is_mapped);
}

bool Index::names_by_file() const {
  if (state_->joined_) return parts().front().names_by_file();
  return state_->table_.has(Section::names_by_file);
}

bool Index::whole_header() const {
  if (state_->joined_) return std::ranges::any_of(parts(), &Index::whole_header);
  return state_->table_.has(Section::whole_header) ||
         records().names.find(' ') != std::string_view::npos;
}

std::span<const Index> Index::parts() const {
  return state_->joined_ ? std::span<const Index>(state_->joined_->parts)
                         : std::span<const Index>();
}

std::span<const std::uint64_t> Index::part_begins() const {
  return state_->joined_ ? std::span<const std::uint64_t>(state_->joined_->begins)
                         : std::span<const std::uint64_t>();
}

std::uint64_t Index::checksum_of_header() const {
  return state_->table_.header().checksum;
}

}  // namespace gsx

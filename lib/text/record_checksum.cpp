#include "text/record_checksum.hpp"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/beside.hpp"
#include "base/bits.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "text/decode_record.hpp"
#include "text/record_md5.hpp"

namespace gsx {
namespace {

/// The lower half of the value first, both little-endian.
RecordChecksum bytes_of(const XXH128_hash_t& value) {
  static_assert(std::endian::native == std::endian::little);
  RecordChecksum bytes;
  std::memcpy(bytes.data(), &value.low64, 8);
  std::memcpy(bytes.data() + 8, &value.high64, 8);
  return bytes;
}

RecordChecksum checksum_of(const RecordChecksum* pieces, std::uint64_t count) {
  return bytes_of(XXH3_128bits(pieces, count * sizeof(RecordChecksum)));
}

void store(const std::vector<RecordChecksum>& checksums, Text& text) {
  for (std::size_t r = 0; r < checksums.size(); ++r)
    text.records[r].checksum = checksums[r];
  text.checksummed = true;
}

}  // namespace

/// Hashes parts of records on one thread.
class RecordChecksums::Hasher {
 public:
  Hasher(const RecordChecksums& all, const Visit& visit)
      : all_(all), visit_(visit), state_(XXH3_createState(), XXH3_freeState) {
    if (state_ == nullptr) throw ResourceError("out of memory: the state of a checksum");
  }

  RecordChecksum piece(std::uint64_t record, std::uint64_t begin, std::uint64_t end) {
    XXH3_128bits_reset(state_.get());
    decode_record(all_.text_, all_.records_, all_.alphabet_, record, begin, end, symbols_,
                  [&](std::uint64_t at, std::string_view some) {
                    XXH3_128bits_update(state_.get(), some.data(), some.size());
                    if (visit_) visit_(record, at, some);
                  });
    return bytes_of(XXH3_128bits_digest(state_.get()));
  }

 private:
  const RecordChecksums& all_;
  const Visit& visit_;
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state_;
  std::string symbols_;
};

RecordChecksums::RecordChecksums(const TextView& text, const RecordsView& records,
                                 const Alphabet& alphabet)
    : text_(text), records_(records), alphabet_(alphabet), checksums_(records.size()) {
  std::uint64_t slots = 0;
  bool open = false;  // whether the last task takes more records
  for (std::uint64_t r = 0; r < records.size(); ++r) {
    const std::uint64_t length = records.infos[r].length;
    if (length > piece) {
      for (std::uint64_t begin = 0; begin < length; begin += piece)
        tasks_.push_back({r, r, begin, std::min(piece, length - begin), slots++});
      open = false;
      continue;
    }
    if (!open) tasks_.push_back({r, r, 0, 0, 0});
    Task& task = tasks_.back();
    task.end = r + 1;
    task.symbols += length;
    open = task.symbols + (task.end - task.record) * cost_of_record < enough_for_a_task;
  }
  pieces_.resize(slots);
}

std::uint64_t RecordChecksums::cost(std::uint64_t number) const {
  const Task& task = tasks_[number];
  const bool ends = task.begin + task.symbols == records_.infos[task.record].length;
  return task.symbols + (task.end == task.record ? (ends ? 1 : 0) : task.end - task.record);
}

void RecordChecksums::run(std::uint64_t number, const Visit& visit) {
  const Task& task = tasks_[number];
  Hasher hasher(*this, visit);
  if (task.end == task.record) {
    pieces_[task.slot] = hasher.piece(task.record, task.begin, task.begin + task.symbols);
    return;
  }
  for (std::uint64_t r = task.record; r < task.end; ++r) {
    const std::uint64_t length = records_.infos[r].length;
    RecordChecksum only{};
    if (length != 0) only = hasher.piece(r, 0, length);
    checksums_[r] = checksum_of(&only, length == 0 ? 0 : 1);
  }
}

std::vector<RecordChecksum> RecordChecksums::take() {
  const RecordChecksum* next = pieces_.data();
  for (std::uint64_t r = 0; r < records_.size(); ++r) {
    const std::uint64_t length = records_.infos[r].length;
    if (length <= piece) continue;
    checksums_[r] = checksum_of(next, divide_up(length, piece));
    next += divide_up(length, piece);
  }
  return std::move(checksums_);
}

void checksum_records(Text& text, int threads) {
  RecordChecksums checksums(text.view(), text.records_view(), text.alphabet);
  parallel_for(threads, checksums.tasks(), [&](std::uint64_t task, int) { checksums.run(task); });
  store(checksums.take(), text);
}

void checksum_records_beside(Text& text, int threads, int aside, const std::function<void()>& main,
                             const std::function<void()>& first) {
  std::optional<RecordMd5s> md5s;
  if (text.keeps_md5) md5s.emplace(text.view(), text.records_view(), text.alphabet);
  std::optional<RecordChecksums> checksums;
  if (!text.checksummed) checksums.emplace(text.view(), text.records_view(), text.alphabet);
  // MD5s before checksums: the longest task is the MD5 of the longest record.
  const std::uint64_t md5_begin = first ? 1 : 0;
  const std::uint64_t md5_end = md5_begin + (md5s ? md5s->tasks() : 0);
  const auto task = [&](std::uint64_t t) {
    if (t < md5_begin) {
      first();
    } else if (t < md5_end) {
      md5s->run(t - md5_begin);
    } else {
      checksums->run(t - md5_end);
    }
  };
  run_beside(threads, aside, md5_end + (checksums ? checksums->tasks() : 0), task, main);
  if (checksums) store(checksums->take(), text);
  if (md5s) text.md5s = md5s->take();
}

}  // namespace gsx

#include "text/record_md5.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/parallel.hpp"
#include "text/decode_record.hpp"
#include "text/md5_stream.hpp"

namespace gsx {

RecordMd5s::RecordMd5s(const TextView& text, const RecordsView& records, const Alphabet& alphabet)
    : text_(text), records_(records), alphabet_(alphabet), md5s_(records.size()) {
  for (std::uint64_t r = 0; r < records.size(); ++r) {
    if (tasks_.empty() || tasks_.back().symbols >= enough_for_a_task) tasks_.push_back({r, r, 0});
    tasks_.back().end = r + 1;
    tasks_.back().symbols += records.infos[r].length + cost_of_record;
  }
  // The longest first: a long record at the end would leave the other threads idle.
  std::sort(tasks_.begin(), tasks_.end(),
            [](const Task& a, const Task& b) { return a.symbols > b.symbols; });
}

void RecordMd5s::run(std::uint64_t number) {
  Md5Stream md5;
  std::string symbols;
  for (std::uint64_t r = tasks_[number].begin; r < tasks_[number].end; ++r) {
    decode_record(text_, records_, alphabet_, r, 0, records_.infos[r].length, symbols,
                  [&](std::uint64_t, std::string_view some) { md5.update(some); });
    md5s_[r] = md5.finish();
  }
}

std::vector<Md5> RecordMd5s::take() {
  return std::move(md5s_);
}

std::vector<Md5> md5s_of_records(const TextView& text, const RecordsView& records,
                                 const Alphabet& alphabet, int threads) {
  RecordMd5s md5s(text, records, alphabet);
  parallel_for(threads, md5s.tasks(), [&](std::uint64_t task, int) { md5s.run(task); });
  return md5s.take();
}

}  // namespace gsx

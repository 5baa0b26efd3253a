#include "index/store/index_batches.hpp"
#include "index/store/part_of_record.hpp"

#include "text/extract.hpp"

namespace gsx {

IndexBatches::IndexBatches(const Index& index, Names names, std::uint64_t batch_symbols)
    : index_(index),
      strips_names_(names == Names::as_read && index.names_by_file()),
      source_(std::make_shared<const std::string>(index.path())) {
  const RecordsView& records = index.records();
  std::uint64_t held = batch_symbols, file = 0;  // symbols and headers of the batch so far
  for (std::uint64_t r = 0; r < records.size(); ++r) {
    const std::uint64_t of = file_of(r);
    if (of != file || held >= batch_symbols) {
      cuts_.push_back({r, 0});
      held = 0;
    }
    file = of;
    std::uint64_t left = records.infos[r].length;
    for (; left > batch_symbols - held; held = 0) {
      left -= batch_symbols - held;
      cuts_.push_back({r, records.infos[r].length - left});
    }
    held += left + 1;
  }
  cuts_.push_back({records.size(), 0});
}

std::uint64_t IndexBatches::file_of(std::uint64_t record) const {
  const SourceFilesView& files = index_.records().files;
  return files.empty() ? 0 : files.file_of(record);
}

std::string_view IndexBatches::name_of(std::uint64_t record) const {
  const RecordsView& records = index_.records();
  std::string_view name = records.name(record);
  if (strips_names_)
    name.remove_prefix(records.files.name(records.files.file_of(record)).size() + 1);
  return name;
}

bool IndexBatches::next(RecordBatch& batch) {
  const std::uint64_t i = taken_.fetch_add(1, std::memory_order_relaxed);
  if (i >= size()) return false;
  batch.clear();
  batch.number = i;
  fill(batch, cuts_[i], cuts_[i + 1]);
  return true;
}

void IndexBatches::fill(RecordBatch& batch, const Cut& begin, const Cut& end) const {
  const RecordsView& records = index_.records();
  batch.file = file_of(begin.record);
  batch.source = source_;
  batch.continues = begin.offset != 0;
  batch.first_record = begin.record;
  batch.first_in_source = begin.record + 1;
  for (std::uint64_t r = begin.record; r < end.record || (r == end.record && end.offset != 0);
       ++r) {
    const std::uint64_t from = r == begin.record ? begin.offset : 0;
    const std::uint64_t to = r == end.record ? end.offset : records.infos[r].length;
    if (from == 0) batch.begin_record(name_of(r), records.comment(r));
    append(batch, r, from, to);
  }
}

void IndexBatches::append(RecordBatch& batch, std::uint64_t record, std::uint64_t begin,
                          std::uint64_t end) const {
  const auto [part, number] =
      part_of_record(index_, record);  // the text of shards is not put together
  std::string symbols;
  extract(part.text(), part.records(), part.alphabet(), number, begin, end, symbols);
  if (part.letter_case().kept) {
    restore_case(part.letter_case(), number, begin, symbols.data(), symbols.size());
  } else {
    lower_masked_bases(part.records(), number, begin, symbols.data(), symbols.size());
  }
  if (!symbols.empty()) batch.append(symbols);
}

}  // namespace gsx

#include "analysis/guides/guide_reader.hpp"

#include <utility>

namespace gsx {

GuideReader::GuideReader(std::vector<std::string> paths)
    : reader_(std::move(paths), ListForm::named) {}

bool GuideReader::next(RecordBatch& batch, std::size_t most, std::uint64_t most_symbols) {
  while (batch.size() < most && batch.symbols.size() < most_symbols &&
         reader_.has_next(batch.size() != 0)) {
    batch.begin_record(reader_.name(), "");
    batch.append(reader_.sequence());
    reader_.pass();
  }
  return batch.size() != 0;
}

}  // namespace gsx

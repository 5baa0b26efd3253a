// The records of an index as batches, as a reader of their files would give them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "index/store/index.hpp"
#include "records/record_batch.hpp"

namespace gsx {

/// Gives the records of an index, in batches of about `batch_symbols` symbols: names, comments and
/// symbols, lower case where the index knows it. A batch holds records of one file; long records
/// are split. Refers to the index. Cost: that of extract().
class IndexBatches {
 public:
  /// How the records are named, where the index names them FILE#NAME.
  enum class Names : std::uint8_t { as_stored, as_read };

  explicit IndexBatches(const Index& index, Names names = Names::as_stored,
                        std::uint64_t batch_symbols = std::uint64_t{1} << 20);

  std::uint64_t size() const { return cuts_.size() - 1; }
  /// As SequenceReader::next.
  bool next(RecordBatch& batch);

 private:
  /// Where a batch begins.
  struct Cut {
    std::uint64_t record;
    std::uint64_t offset;  ///< in the record
  };

  std::uint64_t file_of(std::uint64_t record) const;
  std::string_view name_of(std::uint64_t record) const;
  void fill(RecordBatch& batch, const Cut& begin, const Cut& end) const;
  void append(RecordBatch& batch, std::uint64_t record, std::uint64_t begin,
              std::uint64_t end) const;

  const Index& index_;
  bool strips_names_;  ///< of the file before them
  std::shared_ptr<const std::string> source_;
  std::vector<Cut> cuts_;  ///< of all batches, and one behind the last
  std::atomic<std::uint64_t> taken_{0};
};

}  // namespace gsx

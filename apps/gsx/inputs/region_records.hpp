// The records that regions name: of a text in memory, or looked up in an index.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "index/lookup/index_lookup.hpp"
#include "index/store/index.hpp"
#include "text/record_finder.hpp"
#include "text/text.hpp"

namespace gsx::app {

/// Finds records by name, and tells what a region needs of them.
class RegionRecords {
 public:
  virtual ~RegionRecords() = default;

  /// Prepares find() for these names; the memory that they refer to must live until the next call.
  virtual void expect(const std::vector<std::string_view>& names) = 0;
  /// The records of that name, in order. Pre: it was among those that were expected last.
  virtual std::vector<std::uint64_t> find(std::string_view name) const = 0;
  virtual std::string_view name(std::uint64_t record) const = 0;
  virtual std::string_view comment(std::uint64_t record) const = 0;
  virtual std::uint64_t length(std::uint64_t record) const = 0;
  /// All that is known of all records, for error messages. Cost: may open the whole index.
  virtual const RecordsView& all() = 0;
};

/// Those of a text in memory.
class ViewedRecords : public RegionRecords {
 public:
  explicit ViewedRecords(const RecordsView& records) : records_(records) {}

  void expect(const std::vector<std::string_view>& names) override;
  std::vector<std::uint64_t> find(std::string_view name) const override;
  std::string_view name(std::uint64_t record) const override { return records_.name(record); }
  std::string_view comment(std::uint64_t record) const override { return records_.comment(record); }
  std::uint64_t length(std::uint64_t record) const override {
    return records_.infos[record].length;
  }
  const RecordsView& all() override { return records_; }

 private:
  RecordsView records_;
  std::optional<RecordFinder> finder_;
};

/// Those of an index, of which no more is read. Refers to it. Files without a table of names are
/// searched for those that are expected.
class LookedUpRecords : public RegionRecords {
 public:
  explicit LookedUpRecords(const IndexLookup& index) : index_(index) {}

  void expect(const std::vector<std::string_view>& names) override;
  std::vector<std::uint64_t> find(std::string_view name) const override;
  std::string_view name(std::uint64_t record) const override { return index_.name(record); }
  std::string_view comment(std::uint64_t record) const override { return index_.comment(record); }
  std::uint64_t length(std::uint64_t record) const override { return index_.length(record); }
  const RecordsView& all() override;

 private:
  const IndexLookup& index_;
  std::vector<RecordFinder> finders_;  ///< of each file without a table, in order
  std::optional<Index> whole_;
};

}  // namespace gsx::app

// What gsx extract takes records from: an index, or sequences.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "inputs/reference_text.hpp"
#include "inputs/region_records.hpp"
#include "inputs/target_choice.hpp"
#include "process/session.hpp"
#include "text/alphabet.hpp"

namespace gsx::app {

class ExtractSource {
 public:
  virtual ~ExtractSource() = default;

  virtual RegionRecords& records() = 0;
  virtual const Alphabet& alphabet() const = 0;
  /// The number of records.
  virtual std::uint64_t size() const = 0;
  /// Those of all records.
  virtual std::uint64_t symbols() const = 0;
  /// Whether to write lower case, where --case names this; "" if it is not given. Throws
  /// UsageError for what cannot be given.
  virtual bool keeps_case(const std::string& letter_case) const = 0;
  /// Appends symbols [begin, end) of a record.
  virtual void read(std::uint64_t record, std::uint64_t begin, std::uint64_t end, bool keep_case,
                    std::string& out) const = 0;
  /// Call it before reading all.
  virtual void check_all() {}
  /// Throws CorruptIndexError if the file of an index has changed.
  virtual void require_unchanged() const {}
};

/// Opens an index, of which no more is read than is asked for, or reads sequences. Pre:
/// choose_target() chose the target.
std::unique_ptr<ExtractSource> open_extract_source(const TargetOptions& target,
                                                   ReferenceOptions reading, Session& session);

}  // namespace gsx::app

// Resolves regions to pieces of the records of an index.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "inputs/region_file.hpp"
#include "inputs/region_records.hpp"
#include "text/alphabet.hpp"

namespace gsx::app {

/// Symbols [begin, end) of a record, and their FASTA header.
struct Piece {
  std::uint64_t record = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool reverse = false;  ///< whether to give their reverse complement
  std::string header;    ///< without '>'
};

class RegionResolver {
 public:
  struct Options {
    RegionNumbers numbers = RegionNumbers::one_based;  ///< for requests that are not BED
    bool reverse = false;
    bool name_only = false;  ///< for BED: the header is column 4, and nothing else
    bool in_shard = false;   ///< leaves out regions of records that are not there
  };
  /// Refers to the records and the alphabet.
  RegionResolver(RegionRecords& records, const Alphabet& alphabet, Options options)
      : records_(records), alphabet_(alphabet), options_(options) {}

  /// Gives `take` the pieces of all requests, in order. `place` begins messages about a line.
  /// Throws InputError for a region that does not exist or that can be read in two ways; for an
  /// argument, where `line` is 0, the latter is a UsageError. Throws UsageError for a region whose
  /// name several records have. Cost: that of looking up the names, three for a region at most.
  void resolve(const std::vector<RegionRequest>& requests,
               const std::function<std::string(std::uint64_t line)>& place,
               const std::function<void(const Piece&)>& take);

  /// The requests of the last call that were left out, by their numbers.
  const std::vector<std::size_t>& absent() const { return absent_; }

  /// The whole record, as if its name had been asked for.
  Piece whole(std::uint64_t record) const;

  /// Logs how many regions were cut at the end of their record, or left out.
  void log_changed() const;

 private:
  struct Names;
  void resolve_bed(const RegionRequest& request, const Names& names,
                   const std::function<void(const Piece&)>& take);
  void resolve_region(const RegionRequest& request, const Names& names,
                      const std::function<void(const Piece&)>& take);
  void take_range(const RegionRequest& request, const NamedRange& range,
                  const std::function<void(const Piece&)>& take);
  Piece part(const RegionRequest& request, std::uint64_t record, const RegionBounds& bounds,
             RegionNumbers numbers);
  [[noreturn]] void refuse_two_readings(const std::string& text, const NamedRange& range) const;
  [[noreturn]] void refuse_name(std::string_view name) const;

  RegionRecords& records_;
  const Alphabet& alphabet_;
  Options options_;
  std::function<std::string(std::uint64_t)> place_;
  std::uint64_t clipped_ = 0;
  std::string first_clipped_;
  std::vector<std::size_t> absent_;
  std::uint64_t all_absent_ = 0;
};

}  // namespace gsx::app

// The records in which places lie, as a format names them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "output/lines/place_row.hpp"
#include "output/lines/result_format.hpp"
#include "output/lines/target_finder.hpp"

namespace gsx {

/// Finds the records of places. Remembers the name of the last one, since places often share it.
class ShownTargets {
 public:
  /// `with_files`: whether to name input files. Pre: then those of the targets are kept.
  ShownTargets(const RecordsView& targets, const SegmentsView& segments, ResultFormat format,
               bool with_files = false)
      : finder_(targets, segments), targets_(targets), format_(format), with_files_(with_files) {}

  /// Sets the record of a place, its file, and where it starts there. The names are valid until the
  /// next call.
  void find(std::uint64_t position, PlaceRow& row) {
    row.start = finder_.start_of(position);
    if (finder_.target() != target_) name_target();
    row.record = target_;
    row.target = {name_};
    row.file = {file_};
    row.target_length = length_;
  }
  /// The name of the record of the last call as the index has it.
  std::string_view name_in_index() const { return targets_.name(target_); }
  /// Likewise that of its file.
  std::string_view file_in_index() const {
    return targets_.files.name(targets_.files.file_of(target_));
  }
  /// Where the symbols of a place lie. Pre: the last call was find() of the same position.
  PlaceParts parts(std::uint64_t position, std::uint64_t length) const {
    return finder_.parts(position, length);
  }

 private:
  void name_target() {
    target_ = finder_.target();
    name_.clear();
    append_target(name_, targets_.name(target_), format_);
    length_ = targets_.infos[target_].length;
    if (!with_files_) return;
    file_.clear();
    append_query(file_, file_in_index(), format_);
  }

  TargetFinder finder_;
  RecordsView targets_;
  ResultFormat format_;
  bool with_files_;
  std::uint64_t target_ = ~std::uint64_t{0};
  std::uint64_t length_ = 0;
  std::string name_, file_;
};

}  // namespace gsx

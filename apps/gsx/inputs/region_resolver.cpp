#include "inputs/region_resolver.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "output/lines/text_format.hpp"

namespace gsx::app {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Undoes the escapes with which locate --bed writes a name.
std::string unescaped(std::string_view column) {
  if (column == ".") return {};
  std::string name;
  for (; !column.empty(); column.remove_prefix(1)) {
    if (column.starts_with("\\\\")) {
      column.remove_prefix(1);
    } else if (column.size() > 3 && column.starts_with("\\x") && hex_digit(column[2]) >= 0 &&
               hex_digit(column[3]) >= 0) {
      name += static_cast<char>(hex_digit(column[2]) * 16 + hex_digit(column[3]));
      column.remove_prefix(3);
      continue;
    }
    name += column.front();
  }
  return name;
}

/// No record has the name of a region.
struct NoRecord : InputError {
  using InputError::InputError;
};

struct SeveralRecords : UsageError {
  using UsageError::UsageError;
};

/// The record that has the name. Throws SeveralRecords if several have.
std::uint64_t only_one(RegionRecords& known, std::span<const std::uint64_t> found) {
  if (found.size() == 1) return found.front();
  throw SeveralRecords(several_records(known.all(), found));
}

/// The header of a piece that --name-only asks for. Throws InputError if the line has no name.
const std::string& name_only(const RegionRequest& request) {
  if (request.has_name && !request.name.empty()) return request.name;
  throw InputError("--name-only: the line has no name in column 4");
}

}  // namespace

/// The names that a request may mean, the likelier one first.
struct RegionResolver::Names {
  std::string own;    ///< for BED: the name as gsx writes it
  RegionText region;  ///< for other regions
};

void RegionResolver::resolve(const std::vector<RegionRequest>& requests,
                             const std::function<std::string(std::uint64_t)>& place,
                             const std::function<void(const Piece&)>& take) {
  place_ = place;
  absent_.clear();
  std::vector<Names> names(requests.size());
  std::vector<std::string_view> wanted;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const RegionRequest& request = requests[i];
    wanted.push_back(request.text);
    if (request.bed) {
      names[i].own = unescaped(request.text);
      wanted.push_back(names[i].own);
    } else {
      names[i].region = split_region(request.text);
      const RegionText& region = names[i].region;
      if (region.braced) wanted.push_back(region.braced->name);
      if (region.ranged) wanted.push_back(region.ranged->name);
    }
  }
  wanted.emplace_back();  // the empty name, which '.' may stand for
  records_.expect(wanted);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const RegionRequest& request = requests[i];
    try {
      if (request.bed) {
        resolve_bed(request, names[i], take);
      } else {
        resolve_region(request, names[i], take);
      }
    } catch (const NoRecord& error) {
      if (!options_.in_shard) throw InputError(place(request.line) + error.what());
      absent_.push_back(i);
      ++all_absent_;
    } catch (const InputError& error) {
      throw InputError(place(request.line) + error.what());
    } catch (const SeveralRecords& error) {
      throw UsageError(place(request.line) + error.what());
    } catch (const UsageError& error) {
      if (request.line == 0) throw;  // an argument
      throw InputError(place(request.line) + error.what());
    }
  }
}

void RegionResolver::resolve_bed(const RegionRequest& request, const Names& names,
                                 const std::function<void(const Piece&)>& take) {
  auto found = records_.find(names.own);
  if (found.empty()) found = records_.find(request.text);
  if (found.empty()) refuse_name(request.text);
  const std::uint64_t record = only_one(records_, found);
  const bool minus = request.strand == "-";
  if (minus && !alphabet_.has_reverse_complement()) {
    throw InputError("the minus strand of record '" + shown_name(request.text) +
                     "'; only DNA has a reverse complement");
  }
  Piece piece = part(request, record, request.bounds, RegionNumbers::zero_based);
  piece.reverse = minus != options_.reverse;
  if (options_.name_only) {
    piece.header = name_only(request);
  } else {
    if (request.has_name) piece.header = request.name + "::";
    piece.header += records_.name(record);
    piece.header += ':';
    append_number(piece.header, piece.begin);
    piece.header += '-';
    append_number(piece.header, piece.end);
    if (!request.strand.empty()) piece.header += '(' + request.strand + ')';
  }
  if (options_.reverse) piece.header += "/rc";
  take(piece);
}

namespace {

/// The records of that name. Tables show an empty name as '.', so '.' means it if no record is
/// called '.'.
std::vector<std::uint64_t> find_shown(const RegionRecords& records, std::string_view name) {
  auto found = records.find(name);
  return found.empty() && name == "." ? records.find("") : found;
}

}  // namespace

void RegionResolver::resolve_region(const RegionRequest& request, const Names& names,
                                    const std::function<void(const Piece&)>& take) {
  if (options_.name_only && request.line != 0)
    throw InputError("--name-only: the line is a region, and only BED gives regions names");
  const auto& [braced, ranged] = names.region;
  const auto has_record = [&](const std::optional<NamedRange>& reading) {
    return reading && !find_shown(records_, reading->name).empty();
  };
  if (has_record(braced)) return take_range(request, *braced, take);  // braces leave no doubt
  const auto whole = find_shown(records_, request.text);
  if (has_record(ranged) && (whole.empty() || ranged->bounds)) {
    if (!whole.empty()) refuse_two_readings(request.text, *ranged);
    return take_range(request, *ranged, take);
  }
  if (whole.empty()) {
    refuse_name(braced                     ? braced->name
                : ranged && ranged->bounds ? ranged->name
                                           : std::string_view(request.text));
  }
  take(this->whole(only_one(records_, whole)));
}

void RegionResolver::take_range(const RegionRequest& request, const NamedRange& range,
                                const std::function<void(const Piece&)>& take) {
  if (!range.bounds) {
    throw InputError("region '" + shown_name(request.text) +
                     "': what follows the name is not BEGIN-END, BEGIN, BEGIN- or -END");
  }
  const std::uint64_t record = only_one(records_, find_shown(records_, range.name));
  if (!range.bounds->begin && !range.bounds->end) return take(whole(record));
  Piece piece = part(request, record, *range.bounds, options_.numbers);
  piece.reverse = options_.reverse;
  piece.header = records_.name(record);
  piece.header += ':';
  append_number(piece.header, piece.begin + (options_.numbers == RegionNumbers::one_based));
  piece.header += '-';
  append_number(piece.header, piece.end);
  if (options_.reverse) piece.header += "/rc";
  take(piece);
}

Piece RegionResolver::part(const RegionRequest& request, std::uint64_t record,
                           const RegionBounds& bounds, RegionNumbers numbers) {
  const auto text = [&] {
    if (!request.bed) return "region '" + shown_name(request.text) + "'";
    return "region " + std::to_string(*bounds.begin) + " to " + std::to_string(*bounds.end) +
           " of record '" + shown_name(request.text) + "'";
  };
  try {
    const RecordPart found = part_of_record(bounds, numbers, records_.length(record));
    if (found.clipped && clipped_++ == 0) first_clipped_ = place_(request.line) + text();
    return {record, found.begin, found.end, false, {}};
  } catch (const InputError& error) {
    throw InputError(text() + ": " + error.what());
  }
}

Piece RegionResolver::whole(std::uint64_t record) const {
  Piece piece{record, 0, records_.length(record), options_.reverse, {}};
  piece.header = records_.name(record);
  if (options_.reverse) piece.header += "/rc";
  if (const auto comment = records_.comment(record); !comment.empty()) {
    if (comment.front() != ' ' && comment.front() != '\t') piece.header += ' ';
    piece.header += comment;
  }
  return piece;
}

void RegionResolver::log_changed() const {
  if (all_absent_ > 0)
    log().info("{} region{} of records that this shard does not have", all_absent_,
               all_absent_ == 1 ? " is" : "s are");
  if (clipped_ == 1) {
    log().warn("{} was cut at the end of the record", first_clipped_);
  } else if (clipped_ > 1) {
    log().warn("{} regions were cut at the end of their record, the first of them {}", clipped_,
               first_clipped_);
  }
}

void RegionResolver::refuse_two_readings(const std::string& text, const NamedRange& range) const {
  const std::string name = shown_name(range.name);
  const std::string numbers = text.substr(range.name.size());
  throw UsageError("'" + shown_name(text) +
                   "' is the name of a record and also a region of record '" + name +
                   "'; write '{" + shown_name(text) + "}' or '{" + name + "}" + numbers + "'");
}

void RegionResolver::refuse_name(std::string_view name) const {
  if (options_.in_shard) throw NoRecord("");  // advice takes a look at all names
  throw NoRecord("there is no record '" + shown_name(name) + "'; " +
                 advice_on_name(records_.all(), name));
}

}  // namespace gsx::app

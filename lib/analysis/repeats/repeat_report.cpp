#include "analysis/repeats/repeat_report.hpp"

#include <string_view>

#include "output/lines/result_header.hpp"
#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

using RepeatPlaceColumns = Joined<Columns<Column<"repeat_id", &RepeatRow::id>>, PlaceColumns,
                                  Columns<Column<"length", &RepeatRow::length>>, TotalColumns>;
using RepeatBed = BedLine<Joined<RepeatPlaceColumns, Columns<Column<"score", &RepeatRow::score>>>,
                          "repeat_id", "score">;
using RepeatGff3 = Gff3Line<RepeatPlaceColumns, "repeat_region", "repeat_id">;
using JsonRepeat = JsonObject<Without<RepeatColumns, "places">, ",\"places\":[">;
using JsonPlace = JsonObject<PlaceColumns, "}">;

/// Appends a name, which is shown as a column, as part of a list that commas separate. No two names
/// are written alike.
void append_listed_name(std::string& out, std::string_view shown, std::string_view name) {
  if (shown.find(',') == shown.npos) {
    out += shown;
    return;
  }
  const bool is_escaped = shown != name;  // then backslashes are doubled already
  for (const char c : shown) {
    if (c == ',') {
      out += "\\x2C";
    } else {
      if (c == '\\' && !is_escaped) out += c;
      out += c;
    }
  }
}

}  // namespace

std::string RepeatReport::header(bool pairs) const {
  return pairs ? result_header<RepeatPairColumns>(format_, records_)
               : result_header<RepeatColumns>(format_, records_);
}

void RepeatReport::find(const RepeatPlace& place) {
  targets_.find(place.begin, row_);
  row_.end = row_.start + row_.length;
  row_.strand = place.reverse ? '-' : '+';
}

void RepeatReport::append(std::string& out, std::uint64_t id, const Repeat& repeat) {
  row_.id = id;
  row_.length = repeat.length;
  row_.total = repeat.count;
  row_.reported = repeat.places.size();
  if (format_ == ResultFormat::jsonl) JsonRepeat::append(out, row_);
  places_.clear();
  for (const RepeatPlace& place : repeat.places) {
    const bool first = &place == &repeat.places.front();
    find(place);
    if (format_ == ResultFormat::bed) {
      RepeatBed::append(out, row_);
    } else if (format_ == ResultFormat::gff3) {
      RepeatGff3::append(out, row_);
    } else if (format_ == ResultFormat::jsonl) {
      if (!first) out += ',';
      JsonPlace::append(out, row_);
    } else {
      if (!first) places_ += ',';
      append_listed_name(places_, row_.target.text, targets_.name_in_index());
      places_ += ':';
      append_number(places_, row_.start);
      places_ += place.reverse ? ":-" : ":+";
    }
  }
  if (format_ == ResultFormat::jsonl) out += "]}\n";
  if (format_ != ResultFormat::tsv) return;
  row_.places = {places_};
  TabbedLine<RepeatColumns>::append(out, row_);
}

void RepeatReport::append_pair(std::string& out, const RepeatPair& pair) {
  targets_.find(pair.first, pair_);
  second_targets_.find(pair.second, pair_.second);
  pair_.length = pair.length;
  pair_.end = pair_.start + pair.length;
  pair_.second.end = pair_.second.start + pair.length;
  pair_.strand = pair.reverse ? '-' : '+';
  format_ == ResultFormat::jsonl ? JsonObject<RepeatPairColumns>::append(out, pair_)
                                 : TabbedLine<RepeatPairColumns>::append(out, pair_);
}

}  // namespace gsx

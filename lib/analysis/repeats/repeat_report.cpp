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
template <class List>
using RepeatGff3 = Gff3Line<List, "repeat_region", "repeat_id">;
using JsonRepeat = JsonObject<Without<RepeatColumns, "places">, ",\"places\":[">;
using JsonPlace = JsonObject<PlaceColumns, "}">;
using JsonPlaceWithFile = JsonObject<WithFile<PlaceColumns>, "}">;

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
  return pairs ? result_header<RepeatPairColumns, RepeatPairColumnsWithFiles>(written_, records_)
               : result_header<RepeatColumns, RepeatColumnsWithFiles>(written_, records_);
}

void RepeatReport::find(const RepeatPlace& place) {
  targets_.find(place.begin, row_);
  row_.end = row_.start + row_.length;
  row_.strand = place.reverse ? '-' : '+';
}

void RepeatReport::append(KeyedLines& lines, std::uint64_t id, const Repeat& repeat) {
  std::string& out = lines.text;
  row_.id = id;
  row_.length = repeat.length;
  row_.total = repeat.count;
  row_.reported = repeat.places.size();
  if (format_ == ResultFormat::jsonl) JsonRepeat::append(out, row_);
  places_.clear();
  files_.clear();
  for (const RepeatPlace& place : repeat.places) {
    const bool first = &place == &repeat.places.front();
    find(place);
    if (written_.sorted) lines.keys.push_back(place_key(row_));
    if (format_ == ResultFormat::bed) {
      RepeatBed::append(out, row_);
    } else if (format_ == ResultFormat::gff3) {
      written_.by_file ? RepeatGff3<WithFile<RepeatPlaceColumns>>::append(out, row_)
                       : RepeatGff3<RepeatPlaceColumns>::append(out, row_);
    } else if (format_ == ResultFormat::jsonl) {
      if (!first) out += ',';
      written_.by_file ? JsonPlaceWithFile::append(out, row_) : JsonPlace::append(out, row_);
    } else {
      if (!first) places_ += ',';
      append_listed_name(places_, row_.target.text, targets_.name_in_index());
      places_ += ':';
      append_number(places_, row_.start);
      places_ += place.reverse ? ":-" : ":+";
      if (!written_.by_file) continue;
      if (!first) files_ += ',';
      append_listed_name(files_, row_.file.text, targets_.file_in_index());
    }
  }
  if (format_ == ResultFormat::jsonl) out += "]}\n";
  if (format_ != ResultFormat::tsv) return;
  row_.places = {places_};
  row_.files = {files_};
  written_.by_file ? TabbedLine<RepeatColumnsWithFiles>::append(out, row_)
                   : TabbedLine<RepeatColumns>::append(out, row_);
}

template <class List>
void RepeatReport::append_columns(std::string& out) const {
  format_ == ResultFormat::jsonl ? JsonObject<List>::append(out, pair_)
                                 : TabbedLine<List>::append(out, pair_);
}

void RepeatReport::append_pair(KeyedLines& lines, const RepeatPair& pair) {
  targets_.find(pair.first, pair_);
  second_targets_.find(pair.second, pair_.second);
  pair_.length = pair.length;
  pair_.end = pair_.start + pair.length;
  pair_.second.end = pair_.second.start + pair.length;
  pair_.strand = pair.reverse ? '-' : '+';
  if (written_.sorted) lines.keys.push_back(place_key(pair_));
  written_.by_file ? append_columns<RepeatPairColumnsWithFiles>(lines.text)
                   : append_columns<RepeatPairColumns>(lines.text);
}

}  // namespace gsx

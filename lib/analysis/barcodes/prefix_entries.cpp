#include "analysis/barcodes/prefix_entries.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "output/lines/text_format.hpp"
#include "records/sequence_file.hpp"
#include "records/sequence_reader.hpp"
#include "search/sets/prefix_queries.hpp"

namespace gsx {
namespace {

/// The subject of what is said of a set that was read from these files.
std::string set_of(const std::vector<std::string>& paths) {
  if (paths.empty()) return "the set has";
  const std::string first = paths.front() == "-" ? "standard input" : printable(paths.front());
  return paths.size() == 1
             ? first + ": the set has"
             : first + " and " + std::to_string(paths.size() - 1) +
                   (paths.size() == 2 ? " other file" : " other files") + ": they have";
}

/// Where entries come from: those of one file that follow each other, or the patterns.
struct EntrySource {
  std::uint32_t first;                       ///< entry
  std::shared_ptr<const std::string> label;  ///< of the file; null for patterns
  bool has_lines;                            ///< whether places are lines, and not records
};

class EntryReader {
 public:
  explicit EntryReader(const PrefixReadOptions& options)
      : options_(options), growth_(options.require) {}

  void add_patterns(const std::vector<std::string>& patterns) {
    if (!patterns.empty()) sources_.push_back({0, nullptr, false});
    for (const std::string& pattern : patterns) {
      const std::string why = why_no_entry(pattern);
      if (!why.empty()) throw UsageError("--entry '" + shown_name(pattern) + "': it " + why);
      add(pattern, pattern, places_.size() + 1);
    }
  }
  void add_files(const std::vector<std::string>& paths) {
    if (paths.empty()) return;
    Decoding decoding = options_.decoding;
    decoding.lists = ListForm::named;
    SequenceReader reader(paths, {.threads = 1,
                                  .block_bytes = options_.block_bytes,
                                  .record_bytes = options_.record_bytes,
                                  .header_bytes = options_.record_bytes,
                                  .refuse_fastq_in_fasta = true,
                                  .allow_empty = true,
                                  .decoding = decoding});
    RecordBatch batch;
    while (reader.next(batch))
      add_batch(batch);
    list_notes_ = reader.list_notes();
  }
  PrefixEntries finish(const std::vector<std::string>& paths) {
    if (places_.empty()) throw InputError(set_of(paths) + " no sequences; give at least one");
    std::vector<std::string_view> views;
    require(places_.size() * sizeof(std::string_view) +
            PrefixSet::bytes_to_build(places_.size(), longest_));
    views.reserve(places_.size());
    for (std::size_t i = 0; i < places_.size(); ++i)
      views.push_back(sequences_[i]);
    try {
      return {PrefixSet(views), std::move(columns_), std::move(list_notes_)};
    } catch (const DuplicateSequence& same) {
      throw InputError(place_of(same.second) +
                       ": the sequence is in the set already: " + place_of(same.first));
    }
  }

 private:
  void add_batch(const RecordBatch& batch) {
    const bool lines = is_list(batch.format) && batch.lines.line_of(0) != 0;
    if (sources_.empty() || sources_.back().label != batch.source)
      sources_.push_back({static_cast<std::uint32_t>(places_.size()), batch.source, lines});
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::string_view sequence = batch.sequence(i);
      const std::uint64_t record = batch.first_in_source + i;
      const std::uint64_t line = lines ? batch.lines.line_of(batch.symbol_ends[i] - 1) : 0;
      const std::string why = why_no_entry(sequence);
      if (!why.empty()) {
        throw input_error(*batch.source, lines ? 0 : record, lines ? "" : batch.name(i), line,
                          "the sequence " + why);
      }
      add(sequence, batch.name(i), lines ? line : record);
    }
  }
  void add(std::string_view sequence, std::string_view name, std::uint64_t place) {
    if (places_.size() >= PrefixSetView::none - 1)
      throw ResourceError("the set has more than 2^32 - 2 sequences, the most that it can hold");
    make_room(sequences_.bytes, sequence.size());
    sequences_.add(sequence);
    longest_ = std::max<std::uint64_t>(longest_, sequence.size());
    places_.push_back(place);
    column_.clear();
    append_name(column_, name.empty() ? sequence : name);
    append_column(column_, sequence.size());
    make_room(columns_.bytes, column_.size());
    columns_.add(column_);
    growth_.grown_to(2 * 24 * places_.size());
  }

  /// Lets text grow, once there is memory for old and new together: by half, or by an eighth.
  void make_room(std::string& text, std::size_t more) {
    const std::size_t needed = text.size() + more;
    if (needed <= text.capacity()) return;
    std::size_t room = needed + needed / 2;
    try {
      require(room);
    } catch (const ResourceError&) {
      room = needed + needed / 8;
      require(room);
    }
    text.reserve(room);
  }
  void require(std::uint64_t bytes) const {
    if (options_.require) options_.require(bytes);
  }

  /// An entry as messages name it.
  std::string place_of(std::uint32_t entry) const {
    const auto after = std::ranges::upper_bound(sources_, entry, {}, &EntrySource::first);
    const EntrySource& source = *std::prev(after);
    const std::string shown = "'" + shown_name(sequences_[entry]) + "'";
    if (!source.label) return "--entry " + shown;
    return *source.label + (source.has_lines ? ": line " : ": record ") +
           std::to_string(places_[entry]) + " (" + shown + ")";
  }

  const PrefixReadOptions& options_;
  MemoryGrowth growth_;
  NameList sequences_;
  NameList columns_;
  std::vector<std::uint64_t> places_;  ///< lines or records, or the number of a pattern
  std::vector<EntrySource> sources_;
  std::uint64_t longest_ = 1;
  std::string column_;
  std::vector<std::string> list_notes_;
};

}  // namespace

PrefixEntries read_prefix_entries(const std::vector<std::string>& patterns,
                                  const std::vector<std::string>& paths,
                                  const PrefixReadOptions& options) {
  EntryReader reader(options);
  reader.add_patterns(patterns);
  reader.add_files(paths);
  return reader.finish(paths);
}

}  // namespace gsx

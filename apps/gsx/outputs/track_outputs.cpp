#include "outputs/track_outputs.hpp"

#include <malloc.h>
#include <CLI/App.hpp>
#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string_view>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "base/resources.hpp"
#include "bytes/output_place.hpp"
#include "options/format_suffix.hpp"
#include "options/option_kinds.hpp"
#include "options/options.hpp"
#include "output/tracks/bigwig_writer.hpp"
#include "output/tracks/range_index.hpp"
#include "output/tracks/section_cutter.hpp"
#include "output/tracks/zoom_records.hpp"
#include "process/environment.hpp"

namespace gsx::app {
namespace {

/// The name with a word before its suffix: one of `suffixes`, .gz or .bgz, or both. A name without
/// one of `suffixes` gets the first of them.
std::string with_word(const std::string& name, const std::string& word,
                      std::initializer_list<std::string_view> suffixes) {
  std::string stem = name, compressed, suffix = "." + std::string(*suffixes.begin());
  if (encoding_for(name) == Encoding::bgzf) {
    compressed = stem.substr(stem.rfind('.'));
    stem.resize(stem.size() - compressed.size());
  }
  if (std::ranges::find(suffixes, format_suffix(name)) != suffixes.end()) {
    suffix = stem.substr(stem.rfind('.'));
    stem.resize(stem.size() - suffix.size());
  }
  return stem + '.' + word + suffix + compressed;
}

std::string text_name(const std::string& output, const std::string& word, TrackText format) {
  if (word.empty()) return output;
  if (format == TrackText::tsv) return with_word(output, word, {"tsv", "bedgraph"});
  return with_word(output, word, {"bedgraph", "tsv"});
}

std::string bigwig_name(const std::string& output, const std::string& word) {
  return word.empty() ? output : with_word(output, word, {"bw", "bigwig"});
}

/// Refuses the name of a folder, a device or a pipe.
void refuse_special_file(const std::string& name, const char* why) {
  if (name.empty()) return;
  std::error_code ignored;
  const auto status = std::filesystem::status(name, ignored);
  const bool is_special =
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  if (is_special || OutputPlace::of(name).descriptor)
    throw UsageError("'" + printable(name) + "' is not a plain file, and " + why);
}

/// Of runs, in 4 pieces per thread, and of what they are encoded to.
constexpr std::uint64_t bytes_per_run = 12 + 40;
constexpr std::uint64_t pieces_per_thread = 4;
constexpr std::uint64_t least_piece = 4096;

/// What the writer of bigWig holds: sections, and bins of two levels.
std::uint64_t bigwig_bytes(std::uint64_t positions) {
  constexpr std::uint64_t most_of_level = ZoomSpool::most_held * sizeof(ZoomRecord);
  const std::uint64_t bins = ((positions >> least_zoom_shift) + 1) * sizeof(ZoomRecord);
  return positions / section_runs * sizeof(IndexedBlock) + 2 * std::min(most_of_level, bins);
}

std::uint64_t thread_bytes(std::uint64_t piece) {
  return pieces_per_thread * piece * bytes_per_run;
}

}  // namespace

void require_bigwig_name(const std::string& name) {
  if (name == "-") throw UsageError("--bigwig needs the name of a file");
  refuse_special_file(name, "a bigWig file is a plain file: its header is written last");
  refuse_compression(name, "bigWig files");
}

TrackText TrackOutputOptions::text_format(RunFiles& files) const {
  const std::string flag = bedgraph ? "bedgraph" : tsv ? "tsv" : "";
  std::string name = asked_format(flag, format);
  if (name.empty()) {
    name = output_format(output, {"mappability", "bedgraph, tsv or bigwig"}, files);
    if (name == "bigwig") throw UsageError("a bigWig file is written by --bigwig FILE, not by -o");
  }
  return name == "tsv" ? TrackText::tsv : TrackText::bed_graph;
}

void warn_of_shared_name(std::span<const TrackRecord> records, const std::string& format) {
  const auto shared = find_shared_name(records);
  if (!shared) return;
  log().warn(
      "records {} and {} have the name '{}', so programs that read {} take them for one; index "
      "records with different names",
      shared->first + 1, shared->second + 1, shown_name(records[shared->second].name), format);
}

void add_track_output_options(CLI::App& command, TrackOutputOptions& options) {
  begin_group(command, "Output");
  add_path(
      command, "-o,--output", options.output,
      "Write to FILE instead of standard output, as BGZF if the name ends in .gz or .bgz; with "
      "several K, g or g.bedgraph stands for g.k20.bedgraph and so on");
  add_path(command, "--bigwig", options.bigwig,
           "Write bigWig to FILE; write text as well only if -o or a format of text is given. With "
           "several K, g or g.bw stands for g.k20.bw and so on");
  add_choice(command, "--format", options.format, {"bedgraph", "tsv"},
             "Write this format of text (default: the one that the suffix of -o names, also before "
             ".gz; .bg and .bdg stand for bedgraph; otherwise bedgraph)");
  CLI::Option* const bedgraph =
      add_flag(command, "--bedgraph", options.bedgraph, "Short for --format bedgraph");
  add_flag(command, "--tsv", options.tsv, "Short for --format tsv, which has a header")
      ->excludes(bedgraph);
  add_no_header(command, options.no_header);
}

TrackOutputs::TrackOutputs(const TrackOutputOptions& options, const std::vector<std::string>& words,
                           Outputs& outputs, Session& session)
    : format_(options.text_format(session.files)),
      header_(!options.no_header),
      tracks_(std::max<std::size_t>(words.size(), 1)) {
  if (!words.empty() && options.wants_text() && (options.output.empty() || options.output == "-"))
    throw UsageError("several K need -o FILE or --bigwig FILE");
  if (!words.empty()) {
    refuse_special_file(options.output, "several tracks need names of files");
    refuse_special_file(options.bigwig, "several tracks need names of files");
  }
  if (!options.bigwig.empty()) require_bigwig_name(options.bigwig);
  std::vector<std::string> texts, bigwigs;
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    const std::string word = words.empty() ? "" : words[i];
    if (options.wants_text()) texts.push_back(text_name(options.output, word, format_));
    if (!options.bigwig.empty()) bigwigs.push_back(bigwig_name(options.bigwig, word));
  }
  std::vector<std::string> names = texts;
  names.insert(names.end(), bigwigs.begin(), bigwigs.end());
  check_outputs(names, session);
  for (std::size_t i = 0; i < texts.size(); ++i)
    tracks_[i].text = &outputs.open(texts[i]);
  for (std::size_t i = 0; i < bigwigs.size(); ++i) {
    tracks_[i].bigwig = &outputs.open(bigwigs[i]);
    require_replaceable(*tracks_[i].bigwig);
  }
}

void TrackOutputs::require(std::span<const TrackRecord> records) const {
  if (tracks_[0].bigwig != nullptr) require_bigwig(records);
  if (tracks_[0].text != nullptr && format_ == TrackText::bed_graph)
    warn_of_shared_name(records, "bedGraph");
}

void TrackOutputs::write(std::size_t track, std::span<const TrackRecord> records,
                         const TrackFill& fill, const TrackOptions& options) {
  const Files& files = tracks_[track];
  std::vector<std::unique_ptr<TrackWriter>> owners;
  if (files.text != nullptr)
    owners.push_back(std::make_unique<TextTrackWriter>(*files.text, format_, header_));
  if (files.bigwig != nullptr)
    owners.push_back(std::make_unique<BigWigWriter>(*files.bigwig, scratch_place()));
  std::vector<TrackWriter*> writers;
  writers.reserve(owners.size());
  for (const auto& owner : owners)
    writers.push_back(owner.get());
  write_track(records, fill, writers, options);
}

std::uint64_t track_bytes(std::uint64_t positions, bool bigwig) {
  return std::min(thread_bytes(TrackOptions().piece), positions * bytes_per_run) +
         (bigwig ? bigwig_bytes(positions) : 0);
}

TrackOptions within_memory(TrackOptions options, std::uint64_t limit,
                           std::span<const TrackRecord> records, bool bigwig) {
  malloc_trim(0);  // what the search for the values has freed
  std::uint64_t positions = 0;
  for (const TrackRecord& record : records)
    positions += record.length;
  const std::uint64_t held = resident_bytes() + (bigwig ? bigwig_bytes(positions) : 0);
  const std::uint64_t room = limit - std::min(limit, held);
  options.threads = static_cast<int>(std::clamp<std::uint64_t>(
      room / thread_bytes(options.piece), 1, static_cast<std::uint64_t>(options.threads)));
  options.piece = std::clamp(room / thread_bytes(1), least_piece, options.piece);
  return options;
}

}  // namespace gsx::app

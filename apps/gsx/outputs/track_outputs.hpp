// The files of tracks: bedGraph or TSV, and bigWig.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bytes/outputs.hpp"
#include "options/command_line.hpp"
#include "output/tracks/text_track.hpp"
#include "output/tracks/track_records.hpp"
#include "output/tracks/write_track.hpp"
#include "process/session.hpp"

namespace gsx::app {

/// Where tracks go, and how.
struct TrackOutputOptions {
  std::string output;
  std::string bigwig;
  std::string format;
  bool bedgraph = false;
  bool tsv = false;
  bool no_header = false;

  /// The format asked for; else the one that the suffix of the output names, before .gz or .bgz;
  /// else bedGraph. Throws UsageError if two different formats are asked for.
  TrackText text_format(RunFiles& files) const;
  /// Whether text is written: unless only a bigWig file is asked for.
  bool wants_text() const {
    return bigwig.empty() || !output.empty() || !format.empty() || bedgraph || tsv;
  }
};
/// Throws UsageError for a name that no bigWig file may have: "-", one of a folder, a device or a
/// pipe, or one that ends in .gz.
void require_bigwig_name(const std::string& name);
/// Warns of records of one name, which readers of a format that is in the order of places, and has
/// nothing else to tell records by, take for one. Cost: that of find_shared_name().
void warn_of_shared_name(std::span<const TrackRecord> records, const std::string& format);

void add_track_output_options(CLI::App& command, TrackOutputOptions& options);

/// The outputs of one run: a track, or several, which are told apart by a word in their names.
class TrackOutputs {
 public:
  /// Opens all of them among `outputs`. With `words`, these are put before the suffixes of the
  /// names given: NAME and NAME.bedgraph become NAME.WORD.bedgraph, and NAME.bw.gz is refused.
  /// Throws UsageError for outputs that replace what the run reads, or each other, or that several
  /// tracks would share; else what Output does.
  TrackOutputs(const TrackOutputOptions& options, const std::vector<std::string>& words,
               Outputs& outputs, Session& session);

  /// Throws InputError if a bigWig file is to hold records that it cannot; warns as
  /// warn_of_shared_name() does.
  void require(std::span<const TrackRecord> records) const;
  /// Writes the track of that number.
  void write(std::size_t track, std::span<const TrackRecord> records, const TrackFill& fill,
             const TrackOptions& options);

 private:
  /// Null for what is not asked for.
  struct Files {
    Output* text = nullptr;
    Output* bigwig = nullptr;
  };

  TrackText format_;
  bool header_;
  std::vector<Files> tracks_;
};

/// What writing a track of so many positions takes at least, beside its values.
std::uint64_t track_bytes(std::uint64_t positions, bool bigwig);

/// These options with so few threads, and such small pieces, that a process which holds what it
/// holds now stays below the limit: a thread takes up to 14 MB, and the writer of bigWig takes what
/// it holds. At least one thread, and pieces of 4096 positions. Gives freed memory back first.
TrackOptions within_memory(TrackOptions options, std::uint64_t limit,
                           std::span<const TrackRecord> records, bool bigwig);

}  // namespace gsx::app

#include "text/read_text.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/messages.hpp"
#include "base/public_call.hpp"
#include "records/file_stem.hpp"
#include "text/read_text_within.hpp"
#include "text/record_names.hpp"
#include "text/text_reading.hpp"

namespace gsx {
namespace {

/// The names of the files to keep: those of earlier records, and those of `paths` as file_stems()
/// gives them.
SourceFiles files_to_keep(const std::vector<std::string>& paths,
                          const std::vector<std::string>& own, const SourceFilesView& earlier) {
  SourceFiles files;
  std::set<std::string_view> names;
  for (std::uint64_t f = 0; f < earlier.size(); ++f)
    names.insert(earlier.name(f));
  const std::vector<std::string> stems = file_stems(paths, own);
  for (std::size_t f = 0; f < paths.size(); ++f) {
    if (!names.contains(stems[f])) continue;
    throw UsageError("'" + printable(paths[f]) + "' would be kept as '" + printable(stems[f]) +
                     "', and the index has a file of that name");
  }
  for (std::uint64_t f = 0; f < earlier.size(); ++f)
    files.add_name(earlier.name(f));
  for (const std::string& stem : stems)
    files.add_name(stem);
  return files;
}

Text read_all(MemoryLimit* memory, const std::vector<std::string>& paths,
              const ReadTextOptions& options, const ProgressReport& progress,
              const EarlierRecords& earlier) {
  SourceFiles files;
  if (options.keep_files) files = files_to_keep(paths, options.file_names, earlier.files);
  // Earlier records whose files are not known count as those of one.
  const std::uint64_t files_before =
      std::max<std::uint64_t>(earlier.files.size(), earlier.next ? 1 : 0);
  TextReading reading(memory, paths, options, progress, earlier.batches);
  const auto next = [&](RecordBatch& batch) {
    if (earlier.next && earlier.next(batch)) return true;
    if (!reading.next(batch)) return false;
    batch.file += files_before;
    return true;
  };
  // A plain file holds at least one byte per symbol, and one per separator.
  Text made = reading.read(next, earlier.symbols + reading.total_bytes() + 1);
  files.record_ends = std::move(made.files.record_ends);
  files.record_ends.resize(files_before + paths.size(), made.records.size());
  made.files = std::move(files);
  if (made.files.kept()) {
    if (memory != nullptr) memory->require(made.records.size() * 2 * sizeof(std::uint64_t));
    const auto twins = find_name_twins(made.records_view(), made.files.record_ends);
    if (twins && twins->of_two_files) name_by_file(made, memory);
  }
  reading.finish();
  return made;
}

}  // namespace

Text read_text(const std::vector<std::string>& paths, const ReadTextOptions& options,
               const ProgressReport& progress) {
  return with_gsx_errors([&] {
    std::optional<MemoryLimit> memory = MemoryLimit::below(options.memory_limit);
    return read_all(memory ? &*memory : nullptr, paths, options, progress, {});
  });
}

Text read_text_within(MemoryLimit* memory, const std::vector<std::string>& paths,
                      const ReadTextOptions& options, const ProgressReport& progress,
                      const EarlierRecords* earlier) {
  return with_gsx_errors([&] {
    return read_all(memory, paths, options, progress,
                    earlier == nullptr ? EarlierRecords{} : *earlier);
  });
}

Text text_of_records(const NextBatch& next, std::uint64_t symbols, const ReadTextOptions& options) {
  return with_gsx_errors([&] {
    std::optional<MemoryLimit> memory = MemoryLimit::below(options.memory_limit);
    return text_of_batches(next, symbols, options.text, memory ? &*memory : nullptr,
                           threads_for(options.threads), [] {});
  });
}

}  // namespace gsx

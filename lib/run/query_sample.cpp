#include "run/query_sample.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>

#include "base/error.hpp"
#include "base/out_of_memory.hpp"
#include "bytes/source_error.hpp"
#include "records/formats/byte_source.hpp"
#include "records/sequence_reader.hpp"

namespace gsx {
namespace {

/// Bytes that are looked at, and the most that a record of them may have.
constexpr std::uint64_t sampled_bytes = std::uint64_t{1} << 16;
constexpr std::uint64_t most_record_bytes = 4 * sampled_bytes;
/// The least for what xz and zstd look back to at their usual levels.
constexpr std::uint64_t unpack_bytes = std::uint64_t{8} << 20;

constexpr QuerySample unknown = {std::numeric_limits<double>::infinity(), 0};

/// Of the queries that a batch has, and others like them, so that there are `share` times as many.
QuerySample sample_of(const RecordBatch& batch, double share) {
  const auto queries = static_cast<double>(batch.size());
  if (batch.size() == 0) return {};
  return {queries * share, static_cast<double>(batch.symbol_count()) / queries};
}

/// Of the largest file, as if the others held the same. Throws SourceError, Error.
QuerySample sample_files(const std::vector<std::string>& files) {
  double all = 0, most = -1;
  std::string largest;
  for (const std::string& file : files) {
    std::error_code error;
    if (file == "-" || !std::filesystem::is_regular_file(file, error) || error) return unknown;
    const bool is_plain = ByteSource::kind_of_file(file) == FileKind::plain;
    const double bytes =
        static_cast<double>(std::filesystem::file_size(file)) * (is_plain ? 1 : usual_expansion);
    all += bytes;
    if (bytes > most) largest = file;
    most = std::max(most, bytes);
  }
  if (all == 0) return {};
  SequenceReader reader({largest}, {.block_bytes = sampled_bytes,
                                    .record_bytes = most_record_bytes,
                                    .header_bytes = most_record_bytes,
                                    .allow_empty = true,
                                    .decoding = {.unpack_bytes = unpack_bytes,
                                                 .record_bytes = most_record_bytes,
                                                 .lists = ListForm::named}});
  RecordBatch first, second;
  if (!reader.next(first)) return {};
  const bool is_whole = !reader.next(second);
  return sample_of(first, all / (is_whole ? most : static_cast<double>(sampled_bytes)));
}

}  // namespace

QuerySample sample_queries(const QueryInputs& inputs) {
  RecordBatch given;
  for (const std::string& pattern : inputs.patterns) {
    given.begin_record(pattern, "");
    given.append(pattern);
  }
  const QuerySample patterns = sample_of(given, 1);
  const std::vector<std::string> files = inputs.all_files();
  if (files.empty()) return patterns;
  QuerySample found;
  try {
    found = sample_files(files);
  } catch (const LongQueryError&) {
    found = {1, static_cast<double>(most_record_bytes)};  // few, and each is searched for long
  } catch (const SourceError&) {
    return unknown;
  } catch (const Error&) {
    return unknown;
  } catch (const std::filesystem::filesystem_error&) {
    return unknown;
  }
  found.queries += patterns.queries;
  if (found.mean_length == 0) found.mean_length = patterns.mean_length;
  return found;
}

}  // namespace gsx

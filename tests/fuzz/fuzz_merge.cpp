// Merging parts of results: any bytes are either refused, or give figures that fit one another.
//
// Input: a byte that chooses the kind and the rules, then the parts with 0x1E between them.
#include <array>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "fuzz/fuzz.hpp"
#include "output/merge/merge.hpp"
#include "output/merge/summaries.hpp"

namespace gsx::fuzzing {

std::vector<std::string> seeds() {
  const std::string between = "\x1E";
  const std::string counts = "query_id\tlength\tcount\tcount_fwd\tcount_rev\na\t3\t1\t1\t0\n";
  const std::string matrix = "query_id\tx\ty\na\t1\t0\n";
  const std::string hits =
      "query_id\ttarget_id\tstart\tend\tstrand\tmismatches\tn_total\tn_reported\ttruncated\n"
      "a\tt\t1\t4\t+\t0\t2\t2\tno\na\tt\t5\t8\t-\t1\t2\t2\tno\n";
  const std::string json =
      R"({"query_id":"a","length":3,"n_total":2,"n_reported":1,"truncated":true,"hits":[)"
      R"({"target_id":"t","start":1,"end":4,"strand":"+","mismatches":0}]})"
      "\n";
  const std::string paf = "a\t3\t0\t3\t+\tt\t9\t1\t4\t3\t3\t255\tNM:i:0\tnh:i:1\tcg:Z:3=\n";
  const std::string summary =
      R"({"version":"1","command":"locate","queries":2,"queries_with_hits":1,)"
      R"("queries_that_cannot_match":0,"queries_truncated":0,"hits":3,"hits_fwd":2,"hits_rev":1,)"
      R"("hits_reported":3,"records":1,"index":{"file":"g\".gsx","checksum":"00ff"},)"
      R"("query_files":["a","b\\"],"options":{"max_hits":1,"circular":[]}})"
      "\n";
  const std::string of_proteins =
      R"({"version":"1","command":"count","queries":2,"queries_with_hits":1,)"
      R"("queries_that_cannot_match":1,"queries_truncated":0,"hits":3,"hits_fwd":3,"hits_rev":0,)"
      R"("hits_reported":3,"records":1,"alphabet_symbols":"\"AC\\)"
      "\xC2\xBF\xC3\x83"
      R"(","absent_symbols":{"JX":1},)"
      R"("options":{"max_hits":1,"circular":[]}})"
      "\n";
  return {'\0' + counts + between + counts,
          '\1' + matrix + between + matrix,
          '\2' + matrix,
          "\3query_id\ttarget_id\tcount\tcount_fwd\tcount_rev\na\tt\t1\t1\t0\n",
          "\4query_id\tfile_id\tcount\tcount_fwd\tcount_rev\na\tf\t1\t1\t0\n",
          '\5' + hits + between + hits,
          "\6t\t1\t4\ta\t0\t+\n",
          '\7' + paf + between + paf,
          '\x18' + json + between + json,
          "\x09t\t1\t4\t2\n",
          '\x0A' + summary + between + summary,
          '\x0A' + of_proteins + between + of_proteins};
}

std::vector<std::string> tokens() {
  return {"\x1E", "\tyes\n", "18446744073709551615", "\"hits\":[", "]}\n", "\\\"", "nh:i:", "\r\n"};
}

namespace {

void merge_summaries(const std::vector<PartSummary>& parts) {
  require_alike(parts);
  MergeFigures figures;
  figures.queries = parts.front().queries();
  figures.with_hits = ~std::uint64_t{0};
  require_figures(parts, figures, PartKind::presence);
  require(merged_summary(parts, figures, {}, whole_index({}, parts)).ends_with("}}\n"),
          "a summary is whole");
}

}  // namespace
}  // namespace gsx::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gsx;
  using namespace gsx::fuzzing;
  if (size == 0) return 0;
  constexpr unsigned kinds = 10;
  const unsigned choice = data[0] & 15U;
  std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::vector<std::unique_ptr<MemoryFile>> files;
  for (bool more = true; more && files.size() < 4;) {
    const std::size_t end = rest.find('\x1E');
    files.push_back(std::make_unique<MemoryFile>(rest.substr(0, end)));
    more = end != rest.npos;
    if (more) rest.remove_prefix(end + 1);
  }
  try {
    if (choice >= kinds) {
      std::vector<PartSummary> parts;
      for (const auto& file : files)
        parts.emplace_back(file->path());
      merge_summaries(parts);
      return 0;
    }
    const auto kind = static_cast<PartKind>(choice);
    PartFiles parts;
    for (const auto& file : files) {
      parts.emplace_back(open_part(file->path()));
      if (has_header(kind) && !parts.back().next()) return 0;
    }
    constexpr std::array names = {"a", "b", "a"};
    std::size_t next = 0;
    MergeRules rules;
    if ((data[0] & 16U) != 0) {
      rules.max_hits = 1;
      rules.mismatches = (data[0] & 32U) != 0;
      rules.most_mismatches = rules.mismatches ? 255 : 0;
    }
    if (!has_every_query(kind)) {
      rules.next = [&](MergedQuery& query) {
        if (next == names.size()) return false;
        query = {names[next], names[next], 3};
        ++next;
        return true;
      };
    }
    Output out("/dev/null");
    const MergeFigures figures = merge_parts(kind, parts, rules, true, out);
    require(figures.with_hits <= figures.queries, "a part is at most its whole");
    require(figures.truncated <= figures.with_hits, "what is truncated has hits");
  } catch (const InputError&) {
  } catch (const UsageError&) {
  }
  return 0;
}

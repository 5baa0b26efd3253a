// The library without the program: index a FASTA file, then count and locate patterns.
//   count_and_locate GENOME.fa INDEX.gsx PATTERN...
#include <iostream>
#include <string>

#include "backend/registry.hpp"
#include "base/error.hpp"
#include "io/output.hpp"
#include "query/patterns.hpp"
#include "report/query_report.hpp"
#include "store/index.hpp"
#include "store/writer.hpp"
#include "text/extract.hpp"
#include "text/read_text.hpp"

namespace {

constexpr int threads = 2;

void build(gsx::Backend& backend, const std::string& genome, const std::string& path) {
  gsx::Output out(path);  // appears under its name only when committed
  gsx::Text text = gsx::read_text({genome}, gsx::ReadTextOptions(), {});
  gsx::BuildOptions options;
  options.threads = threads;
  const gsx::FmIndex fm = backend.build_index(text.view(), options);
  gsx::checksum_records(text, threads);
  gsx::write_index(out, text, fm, threads);
  out.commit();
}

void search(gsx::Backend& backend, const std::string& path, const gsx::RecordBatch& queries) {
  const gsx::Index index = gsx::Index::open(path, threads);  // must outlive the searcher
  const auto searcher = backend.open(index, threads);
  gsx::PatternBuffer patterns;
  patterns.encode(queries, index.alphabet());
  gsx::Hits hits;
  searcher->locate(patterns.patterns(), gsx::Strands::both, gsx::unlimited, hits);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    std::cout << queries.name(i) << ": " << hits.counts[i].forward << " forward, "
              << hits.counts[i].reverse << " reverse\n";
  }
  gsx::TextPieces lines;
  gsx::append_hits(lines, queries, hits.chunk(), index.records(), index.fm().segments,
                   gsx::LocateFormat::bed);
  std::cout << lines.text();
}

}  // namespace

int main(int argc, char** argv) try {
  gsx::RecordBatch queries;
  for (int i = 3; i < argc; ++i) {
    queries.begin_record(argv[i], "");
    queries.append(argv[i]);
  }
  const auto backend = gsx::make_backend("cpu");
  build(*backend, argv[1], argv[2]);
  search(*backend, argv[2], queries);
} catch (const gsx::Error& error) {
  std::cerr << "error: " << error.what() << '\n';
  return static_cast<int>(error.kind());
}

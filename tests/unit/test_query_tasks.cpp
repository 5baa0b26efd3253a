// The tasks of count and locate: figures, queries without a hit, and their output.
#include <doctest/doctest.h>

#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "run/query_tasks.hpp"
#include "support/sequence_files.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// An open index of two records, and a searcher for it.
struct Searched {
  TemporaryFolder folder;
  Text text = make_text({"GAATTCACGTACGT", "ACGTTT"});
  Index index = make();
  std::unique_ptr<Backend> backend = make_cpu_backend();
  std::unique_ptr<Searcher> searcher = backend->open<ExactSearch>({index, 1});
  QueryTargets targets{index.records(), index.fm().segments};

  Index make() const {
    Output out(folder / "g.gsx");
    write_index(out, text, make_cpu_backend()->build_index(text.view(), {}), 1);
    out.commit();
    return Index::open(folder / "g.gsx", Load::map, 1);
  }
};

RecordBatch batch_of_queries() {
  RecordBatch batch;
  const auto add = [&](const char* name, const char* comment, const char* symbols) {
    batch.begin_record(name, comment);
    batch.append(symbols);
  };
  add("own", "", "GAATTC");
  add("four", "", "ACGT");
  add("none", "with words", "CCCCC");
  add("odd", "", "ACNT");
  batch.end_names("/1");
  return batch;
}

/// What a task writes for the queries, in one batch.
std::string written(const Searched& searched, QueryTask& task, const RecordBatch& queries) {
  PatternBuffer patterns;
  patterns.encode(queries, searched.index.alphabet());
  TextPieces text;
  StageClock clock(nullptr);
  QueryBatch batch{queries, patterns.patterns(), text, clock};
  task.run(searched.searcher.get(), batch);
  if (const auto commit = task.finish()) commit();
  return text.text();
}

}  // namespace

TEST_CASE("a task adds up its queries, and writes those without a hit under the same names") {
  const Searched searched;
  const RecordBatch queries = batch_of_queries();
  for (const bool locate : {false, true}) {
    for (const bool once : {false, true}) {
      CAPTURE(locate);
      CAPTURE(once);
      Output unmatched(searched.folder / "u.fa");
      QueryTally tally(searched.index.alphabet(), &unmatched);
      QueryRun run{.request = {}, .palindromes_once = once, .tally = &tally};
      if (locate) run.request.max_hits = 2;
      const auto task = locate ? make_locate_task(run, searched.targets, ResultFormat::bed)
                               : make_count_task(run);
      const std::string lines = written(searched, *task, queries);
      unmatched.commit();
      const QueryFigures& figures = tally.figures();
      CHECK(figures.queries == 4);
      CHECK(figures.with_hits == 2);
      CHECK(figures.hits == (once ? 1 + 3 : 2 + 6));
      CHECK(figures.truncated == (locate ? 1 : 0));
      CHECK(figures.reported == (!locate ? figures.hits : once ? 1 + 2 : 2 + 2));
      CHECK(figures.odd.count == 1);
      CHECK(read_file(searched.folder / "u.fa") == ">none/1 with words\nCCCCC\n>odd/1\nACNT\n");
      if (!locate) {
        CHECK(lines == (once ? "own/1\t6\t1\t1\t0\nfour/1\t4\t3\t3\t0\n"
                               "none/1\t5\t0\t0\t0\nodd/1\t4\t0\t0\t0\n"
                             : "own/1\t6\t2\t1\t1\nfour/1\t4\t6\t3\t3\n"
                               "none/1\t5\t0\t0\t0\nodd/1\t4\t0\t0\t0\n"));
      }
    }
  }
}

TEST_CASE("a task without a tally writes the same") {
  const Searched searched;
  const RecordBatch queries = batch_of_queries();
  QueryTally tally(searched.index.alphabet());
  const QueryRun counted{.request = {.max_hits = 3}, .palindromes_once = false, .tally = &tally};
  const QueryRun bare{.request = {.max_hits = 3}};
  const auto same = [&](const auto& make) {
    const std::string expected = written(searched, *make(counted), queries);
    CHECK(!expected.empty());
    CHECK(written(searched, *make(bare), queries) == expected);
  };
  same([](const QueryRun& run) { return make_count_task(run); });
  same([&](const QueryRun& run) { return make_record_count_task(run, searched.targets); });
  same([&](const QueryRun& run) {
    return make_locate_task(run, searched.targets, ResultFormat::tsv);
  });
}

// gsx bench: the text that it measures, generated or read.
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/error.hpp"
#include "bench/bench.hpp"
#include "bench/synthetic.hpp"
#include "bytes/output.hpp"
#include "inputs/input_options.hpp"
#include "records/sequence_reader.hpp"
#include "text/read_text.hpp"
#include "text/text_builder.hpp"

namespace gsx::app {
namespace {

std::string synthesize(const BenchOptions& options, int threads) {
  const std::uint64_t n = options.length;
  if (options.kind == "genome") return synthetic_genome(n, options.seed, threads);
  if (options.kind == "random") return synthetic_random(n, "ACGT", options.seed, threads);
  if (options.kind == "copies") return synthetic_copies(n, 30'000, options.seed, threads);
  if (options.kind == "fibonacci") return fibonacci_bases(n);
  if (options.kind == "protein") {
    return synthetic_random(n, "ACDEFGHIKLMNPQRSTVWY", options.seed, threads);
  }
  if (options.kind == "prose") return synthetic_prose(n, options.seed, threads);
  if (options.kind == "halves") {
    return repeated_bases(synthetic_random((n + 1) / 2, "ACGT", options.seed, threads), n);
  }
  return repeated_bases(options.kind == "period-2" ? "AC" : "A", n);
}

RecordBatch generate(const BenchOptions& options, int threads) {
  RecordBatch batch;
  if (options.kind == "assembly") {
    SyntheticAssembly assembly = synthetic_assembly(options.length, options.seed, threads);
    for (std::size_t k = 0; k < assembly.ends.size(); ++k)
      batch.begin_record("chr" + std::to_string(k + 1), "");
    batch.symbols = std::move(assembly.symbols);
    batch.symbol_ends = std::move(assembly.ends);
  } else {
    batch.begin_record("synthetic", "");
    batch.symbols = synthesize(options, threads);
    batch.symbol_ends.back() = batch.symbols.size();
  }
  return batch;
}

void write_fasta(const RecordBatch& records, Output& out) {
  constexpr std::size_t width = 80;
  std::string line;
  for (std::size_t r = 0; r < records.size(); ++r) {
    out.write(">" + std::string(records.name(r)) + "\n");
    const std::string_view symbols = records.sequence(r);
    for (std::size_t i = 0; i < symbols.size(); i += width) {
      line = symbols.substr(i, width);
      line += '\n';
      out.write(line);
    }
  }
  out.finish();
}

RecordBatch read_records(const std::string& file) {
  SequenceReader reader({file}, {});
  RecordBatch all, batch;
  while (reader.next(batch)) {
    all.source = batch.source;
    for (std::size_t r = 0; r < batch.size(); ++r) {
      all.begin_record(batch.name(r), "");
      all.append(batch.sequence(r));
    }
  }
  return all;
}

/// What stands between the name of a record and the number of its haplotype: as many underscores as
/// it takes for no name to be that of another record.
std::string before_number(const RecordBatch& records, std::uint64_t haplotypes) {
  std::unordered_set<std::string_view> names;
  for (std::size_t r = 0; r < records.size(); ++r)
    names.insert(records.name(r));
  const auto has_one = [&](const std::string& between) {
    for (std::size_t r = 0; r < records.size(); ++r) {
      const std::string begin = std::string(records.name(r)) + between;
      for (std::uint64_t number = 2; number <= haplotypes; ++number)
        if (names.contains(begin + std::to_string(number))) return true;
    }
    return false;
  };
  std::string between = "_";
  while (has_one(between))
    between += '_';
  return between;
}

/// Puts haplotypes of the records behind them until there are `haplotypes` of each.
void add_haplotypes(RecordBatch& records, std::uint64_t haplotypes, std::uint64_t seed) {
  const std::size_t originals = records.size();
  const std::string between = before_number(records, haplotypes);
  records.symbols.reserve(records.symbols.size() * haplotypes);
  for (std::uint64_t number = 1; number < haplotypes; ++number) {
    for (std::size_t r = 0; r < originals; ++r) {
      const std::string made = haplotype(records.sequence(r), human_variants, seed, records.size());
      records.begin_record(std::string(records.name(r)) + between + std::to_string(number + 1), "");
      records.append(made);
    }
  }
}

SymbolPolicy policy_of(const BenchOptions& options) {
  if (!options.file.empty() && options.alphabet != "auto") return alphabet_named(options.alphabet);
  if (options.file.empty() && options.kind == "protein") return SymbolPolicy::protein;
  if (options.file.empty() && options.kind == "prose") return SymbolPolicy::bytes;
  return SymbolPolicy::dna;
}

Text read_whole(const BenchOptions& options, Session& session) {
  ReadTextOptions read;
  read.threads = session.threads;
  if (options.alphabet != "auto") read.text.alphabet = alphabet_named(options.alphabet);
  session.expect_reading({options.file});
  return read_text({options.file}, read, session.progress());
}

}  // namespace

void check_text(const BenchOptions& options) {
  if (options.makes_text()) {
    if (options.haplotypes > 1 && policy_of(options) != SymbolPolicy::dna)
      throw UsageError("--haplotypes needs a text of DNA");
  } else if (!options.write_text.empty()) {
    throw UsageError(
        "--write-text writes a text that bench makes; with --input, it needs --haplotypes of 2 or "
        "more");
  }
}

Text make_text(const BenchOptions& options, Output* out, Session& session) {
  if (!options.makes_text()) return read_whole(options, session);
  TextOptions text;
  text.alphabet = policy_of(options);
  text.only_dna = options.haplotypes > 1;
  TextBuilder builder(text);
  session.report("generating the text", -1);
  RecordBatch batch =
      options.file.empty() ? generate(options, session.threads) : read_records(options.file);
  add_haplotypes(batch, options.haplotypes, options.seed);
  if (out != nullptr) write_fasta(batch, *out);
  builder.add(batch);
  return builder.finish();
}

}  // namespace gsx::app

#include "output/page/index_facts.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>

#include "base/parallel.hpp"
#include "index/store/index_checksum.hpp"
#include "output/page/symbol_counts.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t records_of_task = 64;

/// The symbols of a record that are indexed.
CodeCounts counts_of(const Index& index, std::uint64_t record) {
  CodeCounts counts{};
  const RecordsView& records = index.records();
  const TextView text = index.text();
  const std::uint64_t last =
      record + 1 < records.size() ? records.infos[record + 1].first_segment : text.segments.count;
  for (std::uint64_t s = records.infos[record].first_segment; s < last; ++s)
    count_codes(text.symbols, text.segments.starts[s], text.segments.starts[s + 1] - 1, counts);
  return counts;
}

/// The runs of N, where a DNA index keeps N apart, and how many N each record has.
struct NRuns {
  std::vector<NRun> runs;
  std::vector<std::uint64_t> of_record;

  explicit NRuns(const RecordsView& records) : of_record(records.size(), 0) {
    for (const Gap& gap : records.gaps) {
      if (gap.is_literal() || to_upper(static_cast<char>(gap.source)) != 'N') continue;
      of_record[gap.record] += gap.length;
      if (!runs.empty() && runs.back().record == gap.record &&
          runs.back().begin + runs.back().length == gap.offset) {
        runs.back().length += gap.length;
      } else {
        runs.push_back({gap.record, gap.offset, gap.length});
      }
    }
  }
};

class Gatherer {
 public:
  Gatherer(const Index& index, const FactOptions& options) : index_(index), options_(options) {}

  IndexFacts gather() {
    describe();
    count_symbols();
    find_n_runs();
    find_longest();
    return std::move(facts_);
  }

 private:
  bool is_dna() const { return facts_.policy == SymbolPolicy::dna; }

  void describe() {
    const Meta& meta = index_.meta();
    facts_.path = index_.path();
    facts_.checksum = checksum_of(index_);
    facts_.version.assign(meta.gsx_version, strnlen(meta.gsx_version, sizeof meta.gsx_version));
    facts_.format = format_version;
    facts_.policy = index_.alphabet().policy();
    facts_.symbols_of_alphabet = index_.alphabet().symbols();
    facts_.soft_mask = index_.letter_case().kept   ? "keep"
                       : meta.soft_mask_split != 0 ? "split"
                                                   : "fold";
    facts_.has_md5 = !index_.md5s().empty();
    facts_.sample_rate = meta.sample_rate;
    facts_.kmer_length = meta.kmer_length;
    facts_.file_bytes = index_.file_bytes();
    facts_.indexed = meta.length - meta.segments;
    facts_.segments = meta.segments;
    facts_.counts = meta.counts;
    facts_.shards = index_.parts().size();
    for (const SectionEntry& entry : index_.sections())
      facts_.sections.push_back({name_of_section(entry), entry.bytes, entry.checksum});
    for (const Index& part : index_.parts())
      add_sections(part);
    std::vector<std::uint64_t> lengths;
    for (const RecordInfo& info : index_.records().infos)
      lengths.push_back(info.length);
    facts_.lengths = LengthFacts(std::move(lengths), options_.genome);
  }

  static std::string name_of_section(const SectionEntry& entry) {
    return {entry.name, strnlen(entry.name, sizeof entry.name)};
  }

  /// Adds those of a shard to those of the same names.
  void add_sections(const Index& part) {
    for (const SectionEntry& entry : part.sections()) {
      const std::string name = name_of_section(entry);
      const auto same = std::ranges::find(facts_.sections, name, &SectionFact::name);
      if (same != facts_.sections.end()) {
        same->bytes += entry.bytes;
      } else {
        facts_.sections.push_back({name, entry.bytes, std::nullopt});
      }
    }
  }

  void count_symbols() {
    const std::uint64_t records = index_.records().size();
    gc_.assign(records, 0);
    plain_.assign(records, 0);
    CodeCounts all{};
    std::mutex mutex;
    const std::uint64_t tasks = (records + records_of_task - 1) / records_of_task;
    parallel_for(options_.threads, tasks, [&](std::uint64_t task, int) {
      CodeCounts sum{};
      const std::uint64_t end = std::min(records, (task + 1) * records_of_task);
      for (std::uint64_t r = task * records_of_task; r < end; ++r) {
        const CodeCounts counts = counts_of(index_, r);
        plain_[r] = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
        gc_[r] = counts[1] + counts[2];
        for (std::size_t c = 0; c < sum.size(); ++c)
          sum[c] += counts[c];
      }
      const std::lock_guard lock(mutex);
      for (std::size_t c = 0; c < sum.size(); ++c)
        all[c] += sum[c];
    });
    for (std::uint32_t c = 0; c < index_.alphabet().size(); ++c)
      facts_.composition.push_back({std::string(1, index_.alphabet().symbol(c)), all[c]});
    if (is_dna()) count_bases_and_others(all);
  }

  void count_bases_and_others(const CodeCounts& all) {
    facts_.gc = all[1] + all[2];
    facts_.acgt = all[0] + all[1] + all[2] + all[3];
    const SymbolCounts& counts = facts_.counts;
    const std::pair<const char*, std::uint64_t> others[] = {
        {"masked", counts.base - facts_.acgt},  // soft-masked bases that are not indexed
        {"N", counts.n},
        {"other IUPAC", counts.iupac},
        {"gaps", counts.gap},
        {"other", counts.other}};
    for (const auto& [word, count] : others) {
      if (count != 0) facts_.composition.push_back({word, count});
    }
    for (std::uint64_t r = 0; r < gc_.size(); ++r) {
      if (plain_[r] == 0) continue;
      const std::uint64_t bin = std::min(GcBins::count - 1, gc_[r] * GcBins::count / plain_[r]);
      ++facts_.gc_bins.records[bin];
      facts_.gc_bins.symbols[bin] += plain_[r];
    }
  }

  void find_n_runs() {
    NRuns found(is_dna() ? index_.records() : RecordsView{});
    n_ = std::move(found.of_record);
    n_.resize(index_.records().size(), 0);
    std::vector<std::uint64_t> lengths;
    for (const NRun& run : found.runs)
      lengths.push_back(run.length);
    facts_.n_runs = LengthFacts(std::move(lengths));
    const std::size_t shown = std::min<std::size_t>(found.runs.size(), options_.n_runs);
    std::ranges::partial_sort(found.runs, found.runs.begin() + static_cast<std::ptrdiff_t>(shown),
                              [](const NRun& a, const NRun& b) {
                                if (a.length != b.length) return a.length > b.length;
                                return std::pair(a.record, a.begin) < std::pair(b.record, b.begin);
                              });
    found.runs.resize(shown);
    for (const NRun& run : found.runs)
      facts_.n_run_records.emplace_back(index_.records().name(run.record));
    facts_.longest_n_runs = std::move(found.runs);
  }

  void find_longest() {
    const RecordsView& records = index_.records();
    std::vector<std::uint64_t> order(records.size());
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    const std::size_t shown = std::min<std::size_t>(order.size(), options_.records);
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(shown),
                              [&](std::uint64_t a, std::uint64_t b) {
                                const std::uint64_t of_a = records.infos[a].length,
                                                    of_b = records.infos[b].length;
                                return of_a != of_b ? of_a > of_b : a < b;
                              });
    facts_.others_symbols = facts_.lengths.total;
    for (std::size_t i = 0; i < shown; ++i) {
      const std::uint64_t r = order[i];
      facts_.longest.push_back(
          {r, std::string(records.name(r)), records.infos[r].length, plain_[r], gc_[r], n_[r]});
      facts_.others_symbols -= records.infos[r].length;
    }
  }

  const Index& index_;
  const FactOptions& options_;
  IndexFacts facts_;
  std::vector<std::uint64_t> gc_, plain_, n_;  ///< of each record
};

}  // namespace

IndexFacts index_facts(const Index& index, const FactOptions& options) {
  return Gatherer(index, options).gather();
}

}  // namespace gsx

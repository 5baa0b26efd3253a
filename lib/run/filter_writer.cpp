#include "run/filter_writer.hpp"

#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "records/interleaving.hpp"

namespace gsx {
namespace {

/// Each read stands alone. Holds the first ones until it is known that they are not mates.
class SingleWriter final : public FilterWriter {
 public:
  explicit SingleWriter(const FilterTask& task) : FilterWriter(task) {
    if (task.may_be_pairs) answer_ = PairWatch::Answer::single;
  }

  void take(FilteredReads& batch) override {
    count(batch);
    if (answer_ == PairWatch::Answer::open && !look_at(batch.reads)) {
      held_.push_back(std::exchange(batch, {}));
      return;
    }
    release();
    write_reads(batch);
  }
  void finish() override {
    if (answer_ == PairWatch::Answer::open) answer_ = watch_.end();
    refuse_pairs();
    release();
  }
  void release() override {
    for (const FilteredReads& batch : held_)
      write_reads(batch);
    held_.clear();
  }

 private:
  /// Whether it is known by now what the reads are. Throws UsageError if they are pairs.
  bool look_at(const RecordBatch& reads) {
    answer_ = watch_.take(reads, is_alignment(reads.file));
    refuse_pairs();
    return answer_ != PairWatch::Answer::open;
  }
  void refuse_pairs() const {
    if (answer_ == PairWatch::Answer::pairs)
      watch_.refuse("keep pairs together", "decide on each read by itself");
  }
  void write_reads(const FilteredReads& batch) {
    const std::size_t size = batch.reads.size();
    for (std::size_t first = 0, last = 0; first < size; first = last) {
      const bool passes = task_.rules.passes(batch.matched[first] != 0);
      const auto same = [&](std::size_t i) {
        return task_.rules.passes(batch.matched[i] != 0) == passes;
      };
      for (last = first + 1; last < size && same(last);)
        ++last;
      Half& half = half_of(passes);
      write(batch.reads, first, last, half, half.first);
    }
  }

  PairWatch watch_;
  PairWatch::Answer answer_ = PairWatch::Answer::open;
  std::vector<FilteredReads> held_;
};

}  // namespace

void FilterWriter::flush_streams() {
  for (Half* const half : {&passed_, &rest_})
    for (const Sink* const sink : {&half->first, &half->second})
      if (sink->out != nullptr) sink->out->flush_stream();
}

void FilterWriter::count(const FilteredReads& batch) {
  figures_.reads += batch.reads.size();
  figures_.reads_matched +=
      std::accumulate(batch.matched.begin(), batch.matched.end(), std::uint64_t{0});
  figures_.reads_that_cannot_match += batch.unmatchable;
  figures_.reads_too_short += batch.too_short;
  figures_.reads_like_dna += batch.like_dna;
  figures_.bases += batch.reads.symbols.size();
}

bool FilterWriter::decide(bool first, bool second) {
  const bool matches = task_.rules.matches(first, second);
  ++figures_.pairs;
  figures_.pairs_matched += matches ? 1 : 0;
  return task_.rules.passes(matches);
}

void FilterWriter::Sink::write(std::string_view bytes, const std::function<std::string()>& place) {
  if (bytes.empty()) return;
  if (mark != 0 && mark != bytes.front())
    throw InputError(place() + " is " + (mark == '>' ? "FASTQ" : "FASTA") +
                     ", unlike those before: no output can have both formats; filter each file by "
                     "itself");
  mark = bytes.front();
  out->write(missing_end);
  out->write(bytes);
  missing_end = {};
  if (bytes.back() == '\n') return;
  const std::size_t end = bytes.rfind('\n');
  const bool has_cr = end != std::string_view::npos && end != 0 && bytes[end - 1] == '\r';
  missing_end = has_cr && bytes.back() != '\r' ? "\r\n" : "\n";
}

void FilterWriter::write(const RecordBatch& reads, std::size_t first, std::size_t last, Half& half,
                         Sink& sink) {
  if (first == last || sink.out == nullptr) return;
  sink.write(reads.bytes.run(first, last), [&] { return place_of(reads, first); });
  count_written(last - first,
                reads.symbol_ends[last - 1] - (first == 0 ? 0 : reads.symbol_ends[first - 1]),
                half);
}

void FilterWriter::write_pairs(const RecordBatch& one, std::size_t i, const RecordBatch& two,
                               std::size_t j, std::size_t pairs, Half& half) {
  if (half.has_two()) {
    write(one, i, i + pairs, half, half.first);
    write(two, j, j + pairs, half, half.second);
    return;
  }
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    write(one, i + pair, i + pair + 1, half, half.first);
    write(two, j + pair, j + pair + 1, half, half.first);
  }
}

void FilterWriter::count_written(std::uint64_t reads, std::uint64_t bases, const Half& half) {
  if (&half != &passed_) return;
  figures_.reads_written += reads;
  figures_.bases_written += bases;
}

std::unique_ptr<FilterWriter> make_filter_writer(const FilterTask& task) {
  if (task.pairing == ReadPairing::none) return std::make_unique<SingleWriter>(task);
  return make_pair_writer(task);
}

}  // namespace gsx

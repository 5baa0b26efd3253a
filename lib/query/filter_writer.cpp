#include "query/filter_writer.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "query/mate_names.hpp"

namespace gsx {
namespace {

/// "record 5 ('name') of 'file'"
std::string place_of(std::uint64_t number, std::string_view name, const std::string& file) {
  return "record " + std::to_string(number) + " ('" + shown_name(name) + "') of " + file;
}
std::string place_of(const RecordBatch& reads, std::size_t i) {
  return place_of(reads.first_in_source + i, reads.name(i), *reads.source);
}

[[noreturn]] void fail_on_names(const std::string& first, const std::string& second,
                                const std::string& advice) {
  throw InputError("mates are out of step: " + first + " and " + second +
                   " have different names; " + advice);
}

/// Each read stands alone.
class SingleWriter final : public FilterWriter {
 public:
  using FilterWriter::FilterWriter;

  void take(FilteredReads& batch) override {
    count(batch);
    const std::size_t size = batch.reads.size();
    for (std::size_t first = 0, last = 0; first < size; first = last) {
      const bool passes = rules_.passes(batch.matched[first] != 0);
      const auto same = [&](std::size_t i) {
        return rules_.passes(batch.matched[i] != 0) == passes;
      };
      for (last = first + 1; last < size && same(last);)
        ++last;
      if (passes) write(batch.reads, first, last, outputs_[0]);
    }
  }
};

/// The mates of a pair follow one another.
class InterleavedWriter final : public FilterWriter {
 public:
  using FilterWriter::FilterWriter;

  void take(FilteredReads& batch) override {
    count(batch);
    const RecordBatch& reads = batch.reads;
    if (single_ && single_->file != reads.file) finish();
    std::size_t i = single_ ? 1 : 0;
    if (single_) end_single(batch);
    std::size_t run = i;  // where the pairs begin that pass and are not written yet
    const auto write_run = [&] {
      if (outputs_[1].out == nullptr) write(reads, run, i, outputs_[0]);
    };
    for (; i + 1 < reads.size(); i += 2) {
      if (!are_mates(reads.name(i), reads.name(i + 1))) {
        write_run();
        fail_on_names(place_of(reads, i), place_of(reads, i + 1), advice);
      }
      const bool passes = decide(batch.matched[i] != 0, batch.matched[i + 1] != 0);
      if (passes && outputs_[1].out != nullptr) {
        write(reads, i, i + 1, outputs_[0]);
        write(reads, i + 1, i + 2, outputs_[1]);
      }
      if (passes) continue;
      write_run();
      run = i + 2;
    }
    write_run();
    if (i < reads.size()) keep_single(batch, i);
  }
  void finish() override {
    if (!single_) return;
    throw InputError("mates are out of step: " + single_->place() +
                     ", its last, has no mate; give whole pairs, or leave out --interleaved");
  }

 private:
  static constexpr const char* advice =
      "let each mate follow the other, or leave out --interleaved: two files are then those of "
      "mates, and --unpaired is for any others";

  /// A first mate whose second one is in the next batch.
  struct Single {
    std::string name, bytes, source;
    std::uint64_t number;  ///< in its file
    std::size_t file;
    std::uint64_t bases;
    bool matched;
    std::string place() const { return place_of(number, name, source); }
  };

  Sink& second() { return outputs_[outputs_[1].out == nullptr ? 0 : 1]; }
  /// Counts a pair; whether it passes.
  bool decide(bool first, bool other) {
    const bool matches = rules_.matches(first, other);
    ++figures_.pairs;
    figures_.pairs_matched += matches ? 1 : 0;
    return rules_.passes(matches);
  }
  /// Decides on the pair of the mate that is kept and the first read.
  void end_single(const FilteredReads& batch) {
    const RecordBatch& reads = batch.reads;
    if (!are_mates(single_->name, reads.name(0)))
      fail_on_names(single_->place(), place_of(reads, 0), advice);
    if (decide(single_->matched, batch.matched[0] != 0)) {
      outputs_[0].write(single_->bytes, [&] { return single_->place(); });
      ++figures_.reads_written;
      figures_.bases_written += single_->bases;
      write(reads, 0, 1, second());
    }
    single_.reset();
  }
  void keep_single(const FilteredReads& batch, std::size_t i) {
    const RecordBatch& reads = batch.reads;
    single_.emplace(Single{std::string(reads.name(i)), std::string(reads.bytes.run(i, i + 1)),
                           *reads.source, reads.first_in_source + i, reads.file, reads.length(i),
                           batch.matched[i] != 0});
  }

  std::optional<Single> single_;
};

/// The mates of a pair have the same place in two files. Their batches end at different places.
class FilesWriter final : public FilterWriter {
 public:
  using FilterWriter::FilterWriter;

  void take(FilteredReads& batch) override {
    count(batch);
    std::deque<FilteredReads>& waiting = waiting_[batch.reads.file];
    const auto later =
        std::find_if(waiting.begin(), waiting.end(), [&](const FilteredReads& other) {
          return other.reads.first_record > batch.reads.first_record;
        });
    waiting.insert(later, std::exchange(batch, take_spare()));
    while (is_next(0) && is_next(1))
      join_fronts();
  }
  void finish() override {
    for (const std::size_t file : {0, 1}) {
      if (waiting_[file].empty()) continue;
      const RecordBatch& reads = waiting_[file].front().reads;
      throw InputError("mates are out of step: " + place_of(reads, begin_[file]) +
                       " has no mate: " + last_of(1 - file) +
                       "; give both files whole, or --unpaired");
    }
  }

 private:
  FilteredReads take_spare() {
    if (spare_.empty()) return {};
    FilteredReads spare = std::move(spare_.back());
    spare_.pop_back();
    return spare;
  }
  bool is_next(std::size_t file) const {
    return !waiting_[file].empty() &&
           waiting_[file].front().reads.first_record + begin_[file] == pairs_;
  }
  /// Decides on the pairs whose mates are both in the first batches.
  void join_fronts() {
    const FilteredReads& one = waiting_[0].front();
    const FilteredReads& two = waiting_[1].front();
    const std::size_t pairs = std::min(one.reads.size() - begin_[0], two.reads.size() - begin_[1]);
    std::size_t run = 0;  // where the pairs begin that pass and are not written yet
    const auto write_run = [&](std::size_t end) {
      write(one.reads, begin_[0] + run, begin_[0] + end, outputs_[0]);
      write(two.reads, begin_[1] + run, begin_[1] + end, outputs_[1]);
    };
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::size_t first = begin_[0] + i, second = begin_[1] + i;
      if (!are_mates(one.reads.name(first), two.reads.name(second))) {
        write_run(i);
        fail_on_names(place_of(one.reads, first), place_of(two.reads, second),
                      "give both files in the same order, or --unpaired");
      }
      const bool matches = rules_.matches(one.matched[first] != 0, two.matched[second] != 0);
      figures_.pairs_matched += matches ? 1 : 0;
      if (rules_.passes(matches)) continue;
      write_run(i);
      run = i + 1;
    }
    write_run(pairs);
    figures_.pairs += pairs;
    pairs_ += pairs;
    for (const std::size_t file : {0, 1}) {
      begin_[file] += pairs;
      FilteredReads& front = waiting_[file].front();
      if (begin_[file] < front.reads.size()) continue;
      last_[file] = place_of(front.reads, front.reads.size() - 1);
      spare_.push_back(std::move(front));
      waiting_[file].pop_front();
      begin_[file] = 0;
    }
  }
  std::string last_of(std::size_t file) const {
    return last_[file].empty() ? "the other file has no records"
                               : "the other file ends with " + last_[file];
  }

  std::array<std::deque<FilteredReads>, 2> waiting_;  ///< in order
  std::array<std::size_t, 2> begin_{};                ///< of the first batch, reads that are done
  std::array<std::string, 2> last_;                   ///< of the batches that are done
  std::vector<FilteredReads> spare_;
  std::uint64_t pairs_ = 0;  ///< done
};

}  // namespace

void FilterWriter::count(const FilteredReads& batch) {
  figures_.reads += batch.reads.size();
  figures_.reads_matched +=
      std::accumulate(batch.matched.begin(), batch.matched.end(), std::uint64_t{0});
  figures_.reads_that_cannot_match += batch.unmatchable;
  figures_.reads_like_dna += batch.like_dna;
  figures_.bases += batch.reads.symbols.size();
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

void FilterWriter::write(const RecordBatch& reads, std::size_t first, std::size_t last,
                         Sink& sink) {
  if (first == last) return;
  sink.write(reads.bytes.run(first, last), [&] { return place_of(reads, first); });
  figures_.reads_written += last - first;
  figures_.bases_written +=
      reads.symbol_ends[last - 1] - (first == 0 ? 0 : reads.symbol_ends[first - 1]);
}

std::unique_ptr<FilterWriter> make_filter_writer(ReadPairing pairing, const FilterRules& rules,
                                                 const FilterOutputs& outputs) {
  switch (pairing) {
    case ReadPairing::interleaved:
      return std::make_unique<InterleavedWriter>(rules, outputs);
    case ReadPairing::files:
      return std::make_unique<FilesWriter>(rules, outputs);
    case ReadPairing::none:
      break;
  }
  return std::make_unique<SingleWriter>(rules, outputs);
}

}  // namespace gsx

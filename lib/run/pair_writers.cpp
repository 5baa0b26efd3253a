// Writers of pairs: both mates in one output, or each in its own.
#include "run/filter_writer.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "records/interleaving.hpp"

namespace gsx {
namespace {

/// The mates of a pair follow one another.
class InterleavedMateWriter final : public FilterWriter {
 public:
  using FilterWriter::FilterWriter;

  void take(FilteredReads& batch) override {
    count(batch);
    const RecordBatch& reads = batch.reads;
    if (single_ && single_->file != reads.file) finish();
    std::size_t i = single_ ? 1 : 0;
    if (single_) end_single(batch);
    std::size_t run = i;      // where the pairs begin that are decided in the same way
    bool run_passes = false;  // how
    const auto write_run = [&] { write_interleaved(reads, run, i, half_of(run_passes)); };
    for (; i + 1 < reads.size(); i += 2) {
      const MateAnswer answer = compare(read_header(reads, i), read_header(reads, i + 1));
      if (answer != MateAnswer::mates) {
        write_run();
        fail_on_mates(answer, place_of(reads, i), place_of(reads, i + 1),
                      advice_on_order(is_alignment(reads.file)));
      }
      const bool passes = decide(batch.matched[i] != 0, batch.matched[i + 1] != 0);
      if (passes == run_passes) continue;
      write_run();
      run = i;
      run_passes = passes;
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
  /// A first mate whose second one is in the next batch.
  struct Single {
    std::string name, comment, bytes, source;
    std::uint64_t number;  ///< in its file
    std::size_t file;
    std::uint64_t bases;
    bool matched;
    std::string place() const { return place_of(number, name, source); }
  };

  MateAnswer compare(const ReadHeader& first, const ReadHeader& second) {
    return task_.by_order ? MateAnswer::mates : names_.compare(first, second);
  }
  /// Writes the pairs of reads [first, last).
  void write_interleaved(const RecordBatch& reads, std::size_t first, std::size_t last,
                         Half& half) {
    if (!half.has_two()) return write(reads, first, last, half, half.first);
    for (std::size_t i = first; i < last; i += 2)
      write_pairs(reads, i, reads, i + 1, 1, half);
  }
  /// Decides on the pair of the mate that is kept and the first read.
  void end_single(const FilteredReads& batch) {
    const RecordBatch& reads = batch.reads;
    const MateAnswer answer = compare({single_->name, single_->comment}, read_header(reads, 0));
    if (answer != MateAnswer::mates)
      fail_on_mates(answer, single_->place(), place_of(reads, 0),
                    advice_on_order(is_alignment(reads.file)));
    Half& half = half_of(decide(single_->matched, batch.matched[0] != 0));
    if (half.first.out != nullptr) {
      half.first.write(single_->bytes, [&] { return single_->place(); });
      count_written(1, single_->bases, half);
      write(reads, 0, 1, half, half.of_second());
    }
    single_.reset();
  }
  void keep_single(const FilteredReads& batch, std::size_t i) {
    const RecordBatch& reads = batch.reads;
    single_.emplace(Single{std::string(reads.name(i)), std::string(reads.comment(i)),
                           std::string(reads.bytes.run(i, i + 1)), *reads.source,
                           reads.first_in_source + i, reads.file, reads.length(i),
                           batch.matched[i] != 0});
  }

  MateNames names_;
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
                       "; give both files whole, or --unpaired if each read stands alone");
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
  /// Throws for mates that are none: UsageError if both files are of the same mates.
  [[noreturn]] static void fail(MateAnswer answer, const std::string& one, const std::string& two,
                                bool is_first) {
    if (!is_first) {
      fail_on_mates(answer, one, two,
                    "give both files in the same order, --unpaired if each read stands alone, or "
                    "--mates order to pair records whatever their names");
    }
    if (answer == MateAnswer::strangers) {
      fail_on_mates(answer, one, two,
                    "two files are taken for those of mates: give --unpaired if each read stands "
                    "alone, the files in the same order, or --mates order to pair records "
                    "whatever their names");
    }
    throw UsageError(one + " and " + two + what_is(answer) +
                     "; name a file of first mates and one of second mates, or give --unpaired if "
                     "each read stands alone, or --mates order to pair records whatever their "
                     "names");
  }
  /// Decides on the pairs whose mates are both in the first batches.
  void join_fronts() {
    const FilteredReads& one = waiting_[0].front();
    const FilteredReads& two = waiting_[1].front();
    const std::size_t pairs = std::min(one.reads.size() - begin_[0], two.reads.size() - begin_[1]);
    std::size_t run = 0;      // where the pairs begin that are decided in the same way
    bool run_passes = false;  // how
    const auto write_run = [&](std::size_t end) {
      write_pairs(one.reads, begin_[0] + run, two.reads, begin_[1] + run, end - run,
                  half_of(run_passes));
    };
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::size_t first = begin_[0] + i, second = begin_[1] + i;
      const MateAnswer answer = compare(one.reads, first, two.reads, second);
      if (answer != MateAnswer::mates) {
        write_run(i);
        fail(answer, place_of(one.reads, first), place_of(two.reads, second), pairs_ + i == 0);
      }
      const bool passes = decide(one.matched[first] != 0, two.matched[second] != 0);
      if (passes == run_passes) continue;
      write_run(i);
      run = i;
      run_passes = passes;
    }
    write_run(pairs);
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
  MateAnswer compare(const RecordBatch& one, std::size_t i, const RecordBatch& two, std::size_t j) {
    return task_.by_order ? MateAnswer::mates
                          : names_.compare(read_header(one, i), read_header(two, j));
  }
  std::string last_of(std::size_t file) const {
    return last_[file].empty() ? "the other file has no records"
                               : "the other file ends with " + last_[file];
  }

  MateNames names_;
  std::array<std::deque<FilteredReads>, 2> waiting_;  ///< in order
  std::array<std::size_t, 2> begin_{};                ///< of the first batch, reads that are done
  std::array<std::string, 2> last_;                   ///< of the batches that are done
  std::vector<FilteredReads> spare_;
  std::uint64_t pairs_ = 0;  ///< done
};

}  // namespace

std::unique_ptr<FilterWriter> make_pair_writer(const FilterTask& task) {
  if (task.pairing == ReadPairing::interleaved)
    return std::make_unique<InterleavedMateWriter>(task);
  return std::make_unique<FilesWriter>(task);
}

}  // namespace gsx

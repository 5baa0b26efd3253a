#include "analysis/barcodes/set_report.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/ordered_pipeline.hpp"
#include "base/text_pieces.hpp"
#include "output/lines/text_format.hpp"

namespace gsx {
namespace {

/// Some lines of a table, and their text.
struct ReportLines {
  std::uint64_t number;
  std::string text;
};

/// Writes what append(pieces, i) appends for each i in [begin, end), made on threads. A line may be
/// of any length: each thread holds about 256 KB of text.
template <class Append>
class LinesWorker {
 public:
  static constexpr std::uint64_t at_once = 1024;

  LinesWorker(std::uint64_t begin, std::uint64_t end, const WriteText& write, const Append& append)
      : begin_(begin),
        end_(end),
        write_(write),
        append_(append),
        text_(std::size_t{1} << 18, [this](std::string& text) { write_in_turn(text); }) {}
  LinesWorker(const LinesWorker&) = delete;  // text_ refers to this object
  LinesWorker& operator=(const LinesWorker&) = delete;

  void prepare(ReportLines& lines, const ItemTurn& turn) {
    turn_ = &turn;
    std::swap(text_.text(), lines.text);  // for its memory
    text_.text().clear();
    const std::uint64_t from = begin_ + lines.number * at_once;
    for (std::uint64_t i = from; i < std::min(end_, from + at_once); ++i) {
      append_(text_, i);
      text_.check();
    }
    std::swap(text_.text(), lines.text);
  }
  void commit(ReportLines& lines) { write_(lines.text); }
  void finish(ReportLines&) {}

 private:
  void write_in_turn(std::string& text) {
    turn_->wait();
    write_(text);
    text.clear();
  }

  std::uint64_t begin_, end_;
  const WriteText& write_;
  const Append& append_;
  const ItemTurn* turn_ = nullptr;
  TextPieces text_;
};

template <class Append>
void write_lines(std::uint64_t begin, std::uint64_t end, int threads, const WriteText& write,
                 const Append& append) {
  using Worker = LinesWorker<Append>;
  std::atomic<std::uint64_t> taken{0};
  const std::uint64_t items = (end - begin + Worker::at_once - 1) / Worker::at_once;
  run_in_order<ReportLines>(
      [&](ReportLines& lines) { return (lines.number = taken.fetch_add(1)) < items; },
      static_cast<int>(std::clamp<std::uint64_t>(items, 1, static_cast<std::uint64_t>(threads))),
      [&] { return Worker(begin, end, write, append); });
}

void append_name_column(std::string& text, const SequenceSet& set, std::uint64_t i) {
  text += '\t';
  append_name(text, set.has_names() ? set.name(i) : std::string_view());
}

}  // namespace

std::string_view NeighborReport::header() const {
  constexpr std::string_view all =
      "sequence_a\tsequence_b\tdistance\tcount_a\tcount_b\tid_a\tid_b\n";
  constexpr std::string_view unnamed = "sequence_a\tsequence_b\tdistance\tcount_a\tcount_b\n";
  return named_ ? all : unnamed;
}

void NeighborReport::write(const NeighborChunk& chunk, int threads, const WriteText& write) const {
  write_lines(chunk.begin, chunk.end, threads, write, [&](TextPieces& pieces, std::uint64_t i) {
    std::string& text = pieces.text();
    if (chunk.of(i).empty()) return;
    std::string first;
    set_.append_sequence(first, i);
    first += '\t';
    for (const std::uint32_t other : chunk.of(i)) {
      text += first;
      second_.append_sequence(text, other);
      append_column(text, distance_between(set_, i, second_, other));
      append_column(text, set_.count(i));
      append_column(text, second_.count(other));
      if (named_) {
        append_name_column(text, set_, i);
        append_name_column(text, second_, other);
      }
      text += '\n';
      pieces.check();
    }
  });
}

void write_clusters(const SequenceSet& set, const Clusters& clusters, int threads,
                    const WriteText& write) {
  write_lines(0, clusters.list.size(), threads, write, [&](TextPieces& pieces, std::uint64_t c) {
    std::string& text = pieces.text();
    const Cluster& cluster = clusters.list[c];
    set.append_sequence(text, cluster.centroid);
    append_column(text, cluster.count);
    if (cluster.begin == cluster.end) text += "\t.";
    char before = '\t';
    for (const std::uint32_t member : clusters.members_of(cluster)) {
      text += std::exchange(before, ',');
      set.append_sequence(text, member);
      pieces.check();
    }
    text += '\n';
  });
}

void write_corrections(const SetCorrections& all, const DecidedReads& decided, int threads,
                       const WriteText& write) {
  const SequenceSet& set = all.set;
  write_lines(0, set.size(), threads, write, [&](TextPieces& pieces, std::uint64_t i) {
    std::string& text = pieces.text();
    const auto append = [&](const std::uint32_t* target, unsigned distance, std::uint64_t count) {
      set.append_sequence(text, i);
      text += '\t';
      if (target != nullptr) {
        all.targets.append_sequence(text, *target);
        append_column(text, distance);
      } else {
        text += ".\t.";
      }
      append_column(text, count);
      text += '\n';
      pieces.check();
    };
    const Correction& correction = all.of_sequences[i];
    const auto place = all.several.place_of(static_cast<std::uint32_t>(i));
    if (!place) {
      const bool known = correction.has_target() || &set == &all.targets;
      return append(known ? &correction.target : nullptr, correction.distance, set.count(i));
    }
    const auto entries = all.several.of(*place);
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const std::uint64_t count = decided.corrected[all.several.begin_of(*place) + e];
      if (count != 0) append(&entries[e], distance_between(set, i, all.targets, entries[e]), count);
    }
    if (decided.ambiguous[*place] != 0) append(nullptr, 0, decided.ambiguous[*place]);
  });
}

}  // namespace gsx

#include "sets/set_report.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/messages.hpp"
#include "base/ordered_pipeline.hpp"

namespace gsx {
namespace {

void append_number(std::string& text, std::uint64_t number) {
  char digits[20];
  char* const end = digits + sizeof digits;
  char* at = end;
  do {
    *--at = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  text.append(at, end);
}

/// Some lines of a table, and their text.
struct Lines {
  std::uint64_t number;
  std::string text;
};

/// Writes what append(text, i) appends for each i in [begin, end), made on threads.
template <class Append>
void write_lines(std::uint64_t begin, std::uint64_t end, int threads, const WriteText& write,
                 const Append& append) {
  constexpr std::uint64_t at_once = 2048;
  struct Worker {
    std::uint64_t begin, end;
    const WriteText& write;
    const Append& append;
    void prepare(Lines& lines, const ItemTurn&) {
      lines.text.clear();
      const std::uint64_t from = begin + lines.number * at_once;
      for (std::uint64_t i = from; i < std::min(end, from + at_once); ++i)
        append(lines.text, i);
    }
    void commit(Lines& lines) { write(lines.text); }
    void finish(Lines&) {}
  };
  std::atomic<std::uint64_t> taken{0};
  const std::uint64_t pieces = (end - begin + at_once - 1) / at_once;
  run_in_order<Lines>(
      [&](Lines& lines) { return (lines.number = taken.fetch_add(1)) < pieces; },
      static_cast<int>(std::clamp<std::uint64_t>(pieces, 1, static_cast<std::uint64_t>(threads))),
      [&] {
        return Worker{begin, end, write, append};
      });
}

void append_name(std::string& text, const SequenceSet& set, std::uint64_t i) {
  const std::string_view name = set.has_names() ? set.name(i) : std::string_view();
  text += '\t';
  text += name.empty() ? "." : printable(name);
}

}  // namespace

std::string_view NeighborReport::header() const {
  constexpr std::string_view all =
      "sequence_a\tsequence_b\tdistance\tcount_a\tcount_b\tid_a\tid_b\n";
  constexpr std::string_view unnamed = "sequence_a\tsequence_b\tdistance\tcount_a\tcount_b\n";
  return named_ ? all : unnamed;
}

void NeighborReport::write(const NeighborChunk& chunk, int threads, const WriteText& write) const {
  write_lines(chunk.begin, chunk.end, threads, write, [&](std::string& text, std::uint64_t i) {
    if (chunk.of(i).empty()) return;
    std::string first;
    set_.append_sequence(first, i);
    first += '\t';
    for (const std::uint32_t other : chunk.of(i)) {
      text += first;
      second_.append_sequence(text, other);
      text += '\t';
      append_number(text, distance_between(set_, i, second_, other));
      text += '\t';
      append_number(text, set_.count(i));
      text += '\t';
      append_number(text, second_.count(other));
      if (named_) {
        append_name(text, set_, i);
        append_name(text, second_, other);
      }
      text += '\n';
    }
  });
}

void write_clusters(const SequenceSet& set, const Clusters& clusters, int threads,
                    const WriteText& write) {
  write_lines(0, clusters.list.size(), threads, write, [&](std::string& text, std::uint64_t c) {
    const Cluster& cluster = clusters.list[c];
    set.append_sequence(text, cluster.centroid);
    text += '\t';
    append_number(text, cluster.count);
    text += '\t';
    if (cluster.begin == cluster.end) text += '.';
    for (const std::uint32_t member : clusters.members_of(cluster)) {
      if (text.back() != '\t') text += ',';
      set.append_sequence(text, member);
    }
    text += '\n';
  });
}

void write_corrections(const SequenceSet& set, const SequenceSet& targets,
                       const std::vector<Correction>& corrections, int threads,
                       const WriteText& write) {
  write_lines(0, set.size(), threads, write, [&](std::string& text, std::uint64_t i) {
    const Correction& correction = corrections[i];
    const bool known = correction.has_target() || &set == &targets;
    set.append_sequence(text, i);
    text += '\t';
    if (known) {
      targets.append_sequence(text, correction.target);
      text += '\t';
      append_number(text, correction.distance);
    } else {
      text += ".\t.";
    }
    text += '\t';
    append_number(text, set.count(i));
    text += '\n';
  });
}

}  // namespace gsx

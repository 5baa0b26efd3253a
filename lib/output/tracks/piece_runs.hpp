// The values of a piece of a track, as runs of equal ones.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace gsx {

/// What the values of a track are: floats, of which NaN stands for no value, or counts, of which
/// `no_count` does.
enum class TrackKind : std::uint8_t { real, count };
inline constexpr std::uint32_t no_count = ~std::uint32_t{0};

/// Positions [begin, end) of a record.
struct TrackRange {
  std::uint64_t record;
  std::uint64_t begin;
  std::uint64_t end;
};

/// Positions that have one value; counted from a base that stands beside the run.
struct TrackRun {
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t bits;  ///< of the float, or the count
};
static_assert(sizeof(TrackRun) == 12);

/// Takes the values of one range of positions after another, in order, and keeps their runs. -0
/// becomes 0. What is added to a range must be in the order of the positions and inside the range;
/// positions that nothing is added for have no value. Infinite values are not for bigWig.
class PieceRuns {
 public:
  /// The runs of one range: [first, end of the part behind it) of runs().
  struct Part {
    TrackRange range;
    std::size_t first;
  };

  explicit PieceRuns(TrackKind kind) : kind_(kind) {}

  void clear();
  /// What is added next is in this range. Pre: it has fewer than 2^32 positions.
  void begin(const TrackRange& range);

  /// Adds positions [begin, end) of the record. Pre: not empty. Throws RuntimeError if they are
  /// outside the range or before what was added.
  void add(std::uint64_t begin, std::uint64_t end, float value);
  void add_count(std::uint64_t begin, std::uint64_t end, std::uint32_t value);
  /// Adds the values of the positions from `begin` on; one per position. Throws as add() does.
  /// Cost: some 0.5 ns per position, and less where values repeat for 64 positions; 3 ns per run.
  void add_values(std::uint64_t begin, std::span<const float> values);
  void add_counts(std::uint64_t begin, std::span<const std::uint32_t> values);
  /// Adds values by codes: table[code] is the value. Pre: every code is in the table.
  void add_codes(std::uint64_t begin, std::span<const std::uint8_t> codes,
                 std::span<const float> table);
  void add_codes(std::uint64_t begin, std::span<const std::uint16_t> codes,
                 std::span<const float> table);
  void add_codes(std::uint64_t begin, std::span<const std::uint32_t> codes,
                 std::span<const float> table);

  TrackKind kind() const { return kind_; }
  std::span<const Part> parts() const { return parts_; }
  std::span<const TrackRun> runs_of(std::size_t part) const;

 private:
  void require(std::uint64_t begin, std::uint64_t end, TrackKind kind);
  template <class Code, class BitsOf>
  void add_array(std::uint64_t begin, std::span<const Code> codes, const BitsOf& bits_of);
  void push(std::uint32_t begin, std::uint32_t end, std::uint32_t bits);

  TrackKind kind_;
  std::vector<Part> parts_;
  std::vector<TrackRun> runs_;
  std::uint64_t added_ = 0;  ///< where the positions added to the last range end
};

}  // namespace gsx

#include "output/merge/part_join.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <string>

#include "base/messages.hpp"
#include "output/merge/kept_hits.hpp"

namespace gsx {
namespace {

constexpr std::size_t results_at_once = std::size_t{1} << 16, queries_at_once = 4096;

/// Throws InputError that names the first option that differs.
[[noreturn]] void fail_on_options(const PartReader& part, const PartReader& first) {
  for (const auto& [name, value] : part.run().options) {
    const JsonValue& other = first.run().option(name);
    if (value == other) continue;
    part.fail("its option " + name + " was " + json_text(value) + ", and that of '" +
              first.label() + "' was " + json_text(other) +
              ": make all parts with the same options");
  }
  part.fail("its options are not those of '" + first.label() + "'");
}

void require_alike(const PartReader& part, const PartReader& first) {
  const auto require = [&](bool same, const std::string& what, const std::string& own,
                           const std::string& other) {
    if (!same)
      part.fail("it is of " + what + own + ", and '" + first.label() + "' of " + what + other);
  };
  const RunSummary &run = part.run(), &of_first = first.run();
  require(run.version == of_first.version, "gsx ", run.version, of_first.version);
  require(run.command == of_first.command, "gsx ", run.command, of_first.command);
  if (run.option("regions_checksum") != of_first.option("regions_checksum"))
    part.fail("-R was given other regions than for '" + first.label() +
              "': make all parts with the same regions");
  if (run.options != of_first.options || part.content() != first.content())
    fail_on_options(part, first);
}

/// Adds the counts of a part, which are below 2^55. Throws InputError before a sum could wrap.
void add_to(StrandCounts& sum, const StrandCounts& more, const PartReader& part) {
  constexpr std::uint64_t too_many = std::uint64_t{1} << 62;
  sum.forward += more.forward;
  sum.reverse += more.reverse;
  if (sum.forward >= too_many || sum.reverse >= too_many)
    part.fail("the part is damaged: all parts together have too many hits; make it again");
}

/// That of KeptHits.
std::size_t class_of(const PartReader& part, const Hit& hit) {
  if (part.content() == PartContent::mismatched_hits) return hit.mismatches();
  return part.spans_origin() ? 2 : hit.is_reverse() ? 1 : 0;
}

/// Throws InputError unless each name of --circular is that of one record in all parts.
void require_circular(const std::deque<PartReader>& parts) {
  for (const JsonValue& name : parts.front().run().option("circular").items) {
    if (name.text == "all") return;
    std::ptrdiff_t records = 0;
    for (const PartReader& part : parts)
      records += std::ranges::count(part.circular_names(), name.text);
    if (records != 1)
      parts.front().fail("--circular names '" + shown_name(name.text) + "', and the parts have " +
                         counted(static_cast<std::uint64_t>(records), "record", "records") +
                         " of this name, not 1: make all parts again, with the name of one record");
  }
}

/// Throws InputError unless the record of each region of -R is in one of the parts.
void require_regions(const std::deque<PartReader>& parts) {
  const RunSummary& run = parts.front().run();
  const std::uint64_t asked = run.number_option("regions");
  PartRegions found;
  for (const PartReader& part : parts) {
    found.number += std::min(part.regions().number, asked + 1);
    found.checksum += part.regions().checksum;
  }
  if (asked == 0 || (found.number == asked &&
                     fmt::format("{:016x}", found.checksum) == run.option("regions_checksum").text))
    return;
  parts.front().fail((found.number < asked
                          ? counted(asked - found.number, "region", "regions") + " of -R, of " +
                                std::to_string(asked) + " in all, are of records that no part has"
                          : std::string("regions of -R are of records whose names several parts "
                                        "have")) +
                     ": name one record by each, and make all parts again");
}

}  // namespace

PartJoin::PartJoin(std::deque<PartReader>& parts) : parts_(parts) {
  for (const PartReader& part : parts)
    require_alike(part, parts.front());
  require_circular(parts);
  require_regions(parts);
  if (const std::uint64_t most = parts.front().run().number_option("max_hits"); most != 0)
    max_hits_ = most;
}

/// Takes the next query of all parts, which must be the same.
bool PartJoin::next_query() {
  PartReader& first = parts_.front();
  const bool more = first.next(query_);
  total_ = query_.total;
  for (std::size_t p = 1; p < parts_.size(); ++p) {
    PartReader& part = parts_[p];
    if (part.next(other_) != more) {
      const PartReader& shorter = more ? part : first;
      shorter.fail("it has " + counted(figures_.queries, "query", "queries") + ", and '" +
                   (more ? first : part).label() +
                   "' has more: make all parts with the same queries");
    }
    if (!more) continue;
    const char* const other = other_.name != query_.name         ? "another name"
                              : other_.length != query_.length   ? "another length"
                              : other_.symbols != query_.symbols ? "other symbols"
                                                                 : nullptr;
    if (other != nullptr) {
      part.fail("query " + std::to_string(figures_.queries + 1) + ", '" + shown_name(other_.name) +
                "', is not the one of '" + first.label() + "', '" + shown_name(query_.name) +
                "' (" + std::string(other) + "): make all parts with the same queries");
    }
    add_to(total_, other_.total, part);
  }
  if (more) ++figures_.queries;
  return more;
}

/// Opens an entry for the query at hand.
void PartJoin::begin_query() {
  queries_.begin_record(query_.name, "");
  queries_.dropped += query_.length;
  queries_.symbol_ends.back() = queries_.dropped;
}

void PartJoin::begin_batch() {
  queries_.clear();
  queries_.number = ++batches_;
  ends_.clear();
}

bool PartJoin::is_full(std::size_t results) const {
  return results >= results_at_once || queries_.size() >= queries_at_once;
}

MergeFigures PartJoin::hits(const TakeHits& take) {
  begin_batch();
  while (next_query()) {
    begin_query();
    totals_.push_back(total_);
    given_ = 0;
    std::uint64_t in_parts = 0;
    for (const PartReader& part : parts_)
      in_parts += part.hits_left();
    const std::uint64_t total = total_.total(), reported = std::min(total, max_hits_);
    figures_.with_hits += total != 0 ? 1 : 0;
    figures_.truncated += reported < total ? 1 : 0;
    figures_.reported += reported;
    figures_.in_parts += in_parts;
    add_query_hits(reported, in_parts, take);
    ends_.push_back(hits_.size());
    if (!is_full(hits_.size())) continue;
    give_hits(take);
    before_ = 0;
  }
  give_hits(take);
  return figures_;
}

void PartJoin::add_query_hits(std::uint64_t reported, std::uint64_t in_parts,
                              const TakeHits& take) {
  const bool holds = in_parts > reported;
  KeptHits kept;
  held_ = {};
  for (PartReader& part : parts_) {
    while (part.hits_left() != 0) {
      const Hit hit = part.next_hit();
      if (!holds) {
        add_hit(hit, part.mismatches(), take);
        continue;
      }
      held_.hits.push_back(hit);
      auto& [ends, places] = held_.mismatches;
      places.insert(places.end(), part.mismatches().begin(), part.mismatches().end());
      ends.push_back(places.size());
      held_.classes.push_back(class_of(part, hit));
      kept.add(held_.classes.back());
    }
  }
  kept.keep(reported);
  for (std::size_t i = 0; i < held_.hits.size(); ++i)
    if (kept.take(held_.classes[i])) add_hit(held_.hits[i], held_.mismatches.of(i), take);
}

void PartJoin::add_hit(const Hit& hit, std::span<const std::uint64_t> mismatches,
                       const TakeHits& take) {
  if (hits_.size() >= results_at_once) {
    ends_.push_back(hits_.size());
    give_hits(take);
    begin_query();
    totals_.push_back(total_);
    before_ = given_;
  }
  hits_.push_back(hit);
  mismatches_.places.insert(mismatches_.places.end(), mismatches.begin(), mismatches.end());
  mismatches_.ends.push_back(mismatches_.places.size());
  ++given_;
}

void PartJoin::give_hits(const TakeHits& take) {
  if (queries_.size() != 0)
    take(queries_, {0, before_, max_hits_, totals_, ends_, hits_}, mismatches_);
  begin_batch();
  totals_.clear();
  hits_.clear();
  mismatches_.clear();
}

MergeFigures PartJoin::counts(const TakeCounts& take) {
  begin_batch();
  while (next_query()) {
    begin_query();
    total_ = {};
    for (PartReader& part : parts_)
      for (PlaceCount count; part.next_count(count);)
        add_count(count, take);
    ends_.push_back(counts_.size());
    figures_.with_hits += total_.total() != 0 ? 1 : 0;
    figures_.in_parts += total_.total();
    if (is_full(counts_.size())) give_counts(take);
  }
  give_counts(take);
  return figures_;
}

void PartJoin::add_count(const PlaceCount& count, const TakeCounts& take) {
  add_to(total_, count.counts, parts_.back());
  if (counts_.size() >= results_at_once && parts_.front().content() == PartContent::record_counts) {
    ends_.push_back(counts_.size());
    give_counts(take);
    begin_query();
  }
  const std::size_t begin = ends_.empty() ? 0 : ends_.back();
  if (counts_.size() > begin && counts_.back().place == count.place) {  // a file in two shards
    add_to(counts_.back().counts, count.counts, parts_.back());
  } else {
    counts_.push_back(count);
  }
}

void PartJoin::give_counts(const TakeCounts& take) {
  if (queries_.size() != 0) take(queries_, ends_, counts_);
  begin_batch();
  counts_.clear();
}

}  // namespace gsx

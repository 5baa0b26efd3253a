#include "analysis/primers/primer_pairing.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "records/sequence_file.hpp"

namespace gsx {
namespace {

/// What two primers of a pair share, if one of them is `reverse` and both are read by `mark`.
std::string key_of(const PrimerName& name, bool reverse, bool any_mark) {
  const auto mark = any_mark ? primer_marks : static_cast<int>(name.mark);
  return std::string{static_cast<char>('a' + mark), reverse ? 'r' : 'f'} + name.pair;
}

std::string place_of(const SinglePrimer& primer) {
  return "'" + shown_name(primer.name) + "' in " + (primer.is_line ? "line " : "record ") +
         std::to_string(primer.number);
}

const char* other_form(const SinglePrimer& primer) {
  return primer.is_line ? "; or give lines of NAME<tab>FORWARD<tab>REVERSE"
                        : "; FASTA of primers has two records per pair";
}

std::uint64_t bytes_of(const SinglePrimer& primer) {
  constexpr std::uint64_t entry_bytes = 512;
  return entry_bytes + 4 * primer.name.size() + primer.sequence.size();
}

}  // namespace

void SinglePrimer::fail(const std::string& what) const {
  if (is_line) throw input_error(*source, 0, {}, number, what);
  throw input_error(*source, number, name, 0, what);
}

void PrimerPairing::add(SinglePrimer primer, std::uint64_t most_bytes) {
  if (primer.readings.empty()) {
    primer.fail("the name '" + shown_name(primer.name) +
                "' does not tell which primer of a pair this is, as NAME_F and NAME_R do" +
                other_form(primer));
  }
  bytes_ += bytes_of(primer);
  if (bytes_ > most_bytes) {
    throw ResourceError("too little memory for the primers that wait for their partners, up to " +
                        place_of(primer) + "; put the two primers of a pair one behind the other");
  }
  Entry& entry = entries_.emplace_back();
  entry.first = std::move(primer);
  find_partner(entry, PrimerName(entry.first.readings[0]), false, waiting_);
}

std::optional<PrimerPair> PrimerPairing::take() {
  while (!entries_.empty() && entries_.front().joined)
    entries_.pop_front();
  if (entries_.empty() || !entries_.front().second) return std::nullopt;
  Entry entry = std::move(entries_.front());
  entries_.pop_front();
  bytes_ -= bytes_of(entry.first) + bytes_of(*entry.second);
  if (entry.name.reverse) std::swap(entry.first, *entry.second);
  return PrimerPair{std::move(entry.name.pair), std::move(entry.first.sequence),
                    std::move(entry.second->sequence)};
}

void PrimerPairing::finish() {
  // By each mark in turn, then by what each name surely says, whatever marks it.
  for (int mark = 0; mark <= primer_marks; ++mark) {
    const bool any_mark = mark == primer_marks;
    Waiting waiting;
    for (Entry& entry : entries_) {
      const auto readings = entry.first.readings;
      for (std::size_t i = 0; i < readings.size() && entry.open(); ++i) {
        const bool counts = any_mark ? i == 0 : static_cast<int>(readings[i].mark) == mark;
        if (counts && find_partner(entry, readings[i], any_mark, waiting)) break;
      }
    }
  }
  const auto alone = std::ranges::find_if(entries_, &Entry::open);
  if (alone == entries_.end()) return give_up();
  alone->first.fail("the primer '" + shown_name(alone->first.name) +
                    "' has no partner, whose name differs in the direction alone, as NAME_F and "
                    "NAME_R do" +
                    other_form(alone->first));
}

void PrimerPairing::give_up() {
  waiting_.clear();
  bytes_ = 0;
  std::deque<Entry> complete;
  for (Entry& entry : entries_) {
    if (!entry.second) continue;
    bytes_ += bytes_of(entry.first) + bytes_of(*entry.second);
    complete.push_back(std::move(entry));
  }
  entries_ = std::move(complete);
}

/// Joins an entry with the one that waits for it by this name; otherwise it waits, too, and false
/// is returned.
bool PrimerPairing::find_partner(Entry& entry, const PrimerName& name, bool any_mark,
                                 Waiting& waiting) {
  const auto found = waiting.find(key_of(name, !name.reverse, any_mark));
  if (found != waiting.end()) {
    std::erase_if(found->second, [](const Entry* other) { return !other->open(); });
    if (found->second.size() > 1) {
      entry.first.fail("the primer '" + shown_name(entry.first.name) + "' may go with " +
                       place_of(found->second[0]->first) + " or with " +
                       place_of(found->second[1]->first) + "; give each pair a name of its own");
    }
    if (found->second.size() == 1) {
      join(*found->second[0], entry, name);
      waiting.erase(found);
      return true;
    }
  }
  waiting[key_of(name, name.reverse, any_mark)].push_back(&entry);
  return false;
}

void PrimerPairing::join(Entry& first, Entry& second, const PrimerName& name) {
  first.second = std::move(second.first);
  first.name = {name.pair, !name.reverse, name.mark};
  second.joined = true;
}

}  // namespace gsx

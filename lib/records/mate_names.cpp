#include "records/mate_names.hpp"

#include <algorithm>
#include <cstddef>

namespace gsx {
namespace {

bool is_mate(char c) {
  return c == '1' || c == '2';
}

/// Whether text[at] is the mate in `1:N:` or `2:Y:`, with which Illumina's comments begin.
bool begins_comment(std::string_view text, std::size_t at) {
  return at + 3 < text.size() && is_mate(text[at]) && text[at + 1] == ':' &&
         (text[at + 2] == 'Y' || text[at + 2] == 'N') && text[at + 3] == ':';
}

/// Whether name[at] is the mate in `X_1:N:0`: the comment behind the name, without a blank.
bool is_inside(std::string_view name, std::size_t at) {
  return at > 1 && name[at - 1] == '_' && begins_comment(name, at);
}

/// The mate that a name tells beyond doubt, as X/1 or X_1:N:0 does; 0 if none.
char mate_in_name(std::string_view name) {
  if (ends_in_mate(name)) return name.back();
  for (std::size_t at = 2; at + 3 < name.size(); ++at)
    if (is_inside(name, at)) return name[at];
  return '\0';
}

/// The mate that a comment tells, as `1:N:0:GATTCA` or `X:1101/1 length=100` does; 0 if none.
char mate_in(std::string_view comment) {
  comment.remove_prefix(std::min(comment.find_first_not_of(" \t"), comment.size()));
  if (begins_comment(comment, 0)) return comment[0];
  const std::string_view word = comment.substr(0, comment.find_first_of(" \t"));
  return ends_in_mate(word) ? word.back() : '\0';
}

MateAnswer both(char mate) {
  return mate == '1' ? MateAnswer::both_first : MateAnswer::both_second;
}

MateAnswer answer(bool mates) {
  return mates ? MateAnswer::mates : MateAnswer::strangers;
}

/// What two reads of different names are: files of the same mates begin with such.
MateAnswer unlike(const ReadHeader& first, const ReadHeader& second) {
  const auto mate_of = [](const ReadHeader& header) {
    const char in_comment = mate_in(header.comment);
    return in_comment != 0 ? in_comment : mate_in_name(header.name);
  };
  const char mate = mate_of(first);
  return mate != 0 && mate == mate_of(second) ? both(mate) : MateAnswer::strangers;
}

}  // namespace

MateAnswer MateNames::learn(const ReadHeader& first, const ReadHeader& second) {
  const std::string_view one = first.name, two = second.name;
  if (one.size() != two.size()) return unlike(first, second);
  const char in_first = mate_in(first.comment), in_second = mate_in(second.comment);
  const bool comments_tell = in_first != 0 && in_second != 0;
  const auto differ = static_cast<std::size_t>(
      std::mismatch(one.begin(), one.end(), two.begin()).first - one.begin());
  if (differ == one.size()) {
    const char in_name = mate_in_name(one);
    if (comments_tell ? in_first == in_second : in_name != 0)
      return both(comments_tell ? in_first : in_name);
    mark_ = comments_tell ? Mark::comment : Mark::none;
    first_ = in_first;
    second_ = in_second;
    return MateAnswer::mates;
  }
  if (one.substr(differ + 1) != two.substr(differ + 1) || !is_mate(one[differ]) ||
      !is_mate(two[differ]))
    return unlike(first, second);
  const bool at_end = differ + 1 == one.size() && differ > 1;
  if (at_end && std::string_view("/._-").find(one[differ - 1]) != std::string_view::npos) {
    mark_ = static_cast<Mark>(one[differ - 1]);
  } else if (is_inside(one, differ)) {
    mark_ = Mark::inner;
  } else {
    return unlike(first, second);
  }
  first_ = one[differ];
  second_ = two[differ];
  if (!comments_tell || in_first != in_second) return MateAnswer::mates;
  mark_ = Mark::unknown;
  return both(in_first);
}

MateAnswer MateNames::compare(const ReadHeader& first, const ReadHeader& second) {
  if (mark_ == Mark::unknown) return learn(first, second);
  const std::string_view one = first.name, two = second.name;
  if (mark_ == Mark::none) return answer(one == two);
  if (mark_ == Mark::comment) {
    if (one != two) return MateAnswer::strangers;
    const char in_first = mate_in(first.comment), in_second = mate_in(second.comment);
    if (in_first == 0 || in_second == 0) return MateAnswer::mates;
    if (in_first == in_second) return both(in_first);
    return answer(in_first == first_);
  }
  if (one.size() != two.size()) return MateAnswer::strangers;
  if (mark_ == Mark::inner) {
    const auto at = static_cast<std::size_t>(
        std::mismatch(one.begin(), one.end(), two.begin()).first - one.begin());
    if (at == one.size()) return answer(false);
    return answer(is_inside(one, at) && one[at] == first_ && two[at] == second_ &&
                  one.substr(at + 1) == two.substr(at + 1));
  }
  const std::size_t stem = one.size() - 1;
  return answer(one.size() > 2 && one[stem - 1] == static_cast<char>(mark_) &&
                one[stem] == first_ && two[stem] == second_ &&
                one.substr(0, stem) == two.substr(0, stem));
}

}  // namespace gsx

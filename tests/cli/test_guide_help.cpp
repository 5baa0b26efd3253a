// What the manual pages of offtarget and amplicon say of their results.
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

/// Lines and columns of blanks as one blank.
std::string in_one_line(const std::string& text) {
  std::string joined;
  for (const char symbol : text) {
    const bool blank = symbol == ' ' || symbol == '\n';
    if (!blank) joined += symbol;
    if (blank && !joined.ends_with(' ')) joined += ' ';
  }
  return joined;
}

bool says(const Arguments& asked, const std::string& words) {
  const Outcome outcome = run(asked);
  CHECK(outcome.exit_code == 0);
  std::string shown = in_one_line(outcome.out);
  for (std::size_t at; asked[1] == "--man" && (at = shown.find("\\-")) != shown.npos;)
    shown.erase(at, 1);
  return shown.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("the manual tells that a place over N is no place, not even with mismatches") {
  for (const char* command : {"offtarget", "amplicon"}) {
    CAPTURE(command);
    const std::string words = "such a symbol matches nothing, not even as a mismatch.";
    CHECK(says({"help", "--man", command}, words));
  }
}

TEST_CASE("the manual tells how scores are made, and what they leave out") {
  const std::string distance = "d is the mean distance of neighbouring mismatches";
  CHECK(says({"help", "--man", "offtarget"}, distance));
  CHECK(says({"help", "--man", "offtarget"}, "mit scores a site of any PAM alike"));
}

TEST_CASE("the manual tells from which number places count") {
  CHECK(
      says({"help", "--man", "offtarget"}, "after its place with the PAM, 0-based and half-open"));
  CHECK(
      says({"help", "--man", "offtarget"}, "NAME:BEGIN-END, which counts from 1 and includes END"));
}

TEST_CASE("the manual tells what primers that are the same make") {
  CHECK(says({"help", "--man", "amplicon"}, "they count as one: all products are FF."));
}

TEST_CASE("the manual pages of searches with mismatches name the variables of searches") {
  for (const char* command : {"offtarget", "amplicon", "mem", "ms"}) {
    CAPTURE(command);
    for (const char* variable : {"GSX_INDEX", "GSX_CPU"}) {
      CAPTURE(variable);
      CHECK(says({"help", "--man", command}, ".TP \\fB" + std::string(variable) + "\\fR"));
    }
  }
}

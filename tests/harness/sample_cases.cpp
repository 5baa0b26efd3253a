// Cases with every possible outcome, for check_outcomes.py. They are not tests themselves.
#include "support/skip.hpp"

TEST_CASE("passes") {
  CHECK(true);
}

TEST_CASE("fails") {
  MESSAGE("skipped: says what a skipped case says");
  CHECK(false);
}

TEST_CASE("is skipped") {
  GSX_SKIP_IF(true, "it is not for this build");
}

TEST_CASE("needs a unicorn") {
  GSX_NEED("UNICORN", false, "there is no unicorn");
  CHECK(true);
}

TEST_CASE("fails, and is skipped then") {
  CHECK(false);
  GSX_SKIP_IF(true, "it is too late to skip");
}

TEST_CASE("checks nothing") {}

TEST_CASE("crashes") {
  CHECK(true);
  __builtin_trap();
}

TEST_CASE("has a name, with \"quotes\", [brackets], ]==], a; b, $x ${x}, <y> & \\ 100 % * ?") {
  CHECK(true);
}

TEST_CASE("is run by other cases only" * doctest::skip()) {
  CHECK(false);
}

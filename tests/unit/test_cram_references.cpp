// Which places of REF_PATH and REF_CACHE count as local, and which htslib looks at without them.
#include "records/formats/cram_references.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

using namespace gsx;

TEST_CASE("a place for reference sequences is expanded as htslib does it") {
  const std::string sum = "0123456789abcdef";
  CHECK(expand_reference_place("/refs", sum) == "/refs/" + sum);
  CHECK(expand_reference_place("/refs/", sum) == "/refs/" + sum);
  CHECK(expand_reference_place("/refs/%s", sum) == "/refs/" + sum);
  CHECK(expand_reference_place("/refs/%2s/%2s/%s", sum) == "/refs/01/23/456789abcdef");
  CHECK(expand_reference_place("/refs/%2s/%2s", sum) == "/refs/01/23/456789abcdef");
  CHECK(expand_reference_place("%4s.d/%s.fa", sum) == "0123.d/456789abcdef.fa");
  CHECK(expand_reference_place("/r%%2s", sum) == "/r%01/23456789abcdef");
  CHECK(expand_reference_place("/r/%99s", sum) == "/r/" + sum);
}

TEST_CASE("usual references are those of the variables that htslib reads") {
  const auto of = [](std::map<std::string, std::string> variables) {
    return usual_references([&](const char* name) { return variables[name]; });
  };
  CramReferences named = of({{"REF_PATH", "/refs"}, {"HOME", "/home/me"}});
  CHECK(named.search);
  CHECK(named.fasta == "");
  CHECK(named.path == "/refs");
  CHECK(named.cache == "");
  CHECK(of({{"REF_CACHE", "/cache/%s"}}).cache == "/cache/%s");
  // Where neither is set, htslib has a cache of its own.
  CHECK(of({}).cache == "/tmp/hts-ref/%2s/%2s/%s");
  CHECK(of({{"TEMP", "/temp"}}).cache == "/temp/hts-ref/%2s/%2s/%s");
  CHECK(of({{"TMPDIR", "/t"}, {"TEMP", "/temp"}}).cache == "/t/hts-ref/%2s/%2s/%s");
  CHECK(of({{"HOME", "/me"}, {"TMPDIR", "/t"}}).cache == "/me/.cache/hts-ref/%2s/%2s/%s");
  CHECK(of({{"XDG_CACHE_HOME", "/x"}, {"HOME", "/me"}}).cache == "/x/hts-ref/%2s/%2s/%s");
}

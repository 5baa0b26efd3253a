// Reading a summary of a run: any bytes are either refused, or give figures that a page shows as
// well-formed markup.
//
// Input: the bytes of the file.
#include <string>
#include <vector>

#include "base/error.hpp"
#include "fuzz/fuzz.hpp"
#include "output/page/report_page.hpp"

namespace gsx::fuzzing {

std::vector<std::string> seeds() {
  return {R"({"version":"0.1.0","command":"count","queries":10,"queries_with_hits":4,)"
          R"("queries_that_cannot_match":1,"queries_truncated":0,"hits":9,"hits_fwd":5,)"
          R"("hits_rev":4,"options":{"strand":"both","circular":["<a>\u202e","\ud83d\ude00"]}})",
          R"({"version":"1","command":"filter","reads":7,"reads_matched":3,)"
          R"("reads_that_cannot_match":0,"reads_written":3,"bases":70,"bases_written":30,)"
          R"("options":{"both":false,"pairs":null}})"};
}

std::vector<std::string> tokens() {
  return {"\\u0000", "\\ud800", "[[[[", "{\"", "\"options\":", "1e9", "</td>", "<script>"};
}

namespace {

/// Whether each `<` begins a tag, and each tag that is opened is closed in order.
bool is_balanced(const std::string& page) {
  std::vector<std::string> open;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    const std::size_t end = page.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = page.substr(at + 1, end - at - 1);
    if (tag.empty() || tag.find('<') != std::string::npos) return false;
    if (tag[0] == '!' || tag.back() == '/') continue;
    if (tag[0] != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
      continue;
    }
    if (open.empty() || open.back() != tag.substr(1)) return false;
    open.pop_back();
  }
  return open.empty();
}

}  // namespace
}  // namespace gsx::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gsx;
  using namespace gsx::fuzzing;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  ReportData report;
  try {
    report.runs.push_back(run_facts(parse_summary(bytes, bytes)));
  } catch (const InputError&) {
    return 0;
  }
  const RunFacts& run = report.runs[0];
  require(run.matched <= run.queries, "a part is at most its whole");
  require(is_balanced(report_page(report)), "a page closes what it opens");
  return 0;
}

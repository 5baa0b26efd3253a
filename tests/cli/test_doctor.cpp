// gsx doctor: what it finds, and its exit code.
#include <map>

#include "support/json.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"

using namespace gsx::testing;

namespace {

/// Values by name. For a name with several lines, all of them, one per line.
std::map<std::string, std::string> facts_of(const std::string& out) {
  std::map<std::string, std::string> facts;
  for (const std::string& line : lines_of(out)) {
    const auto tab = line.find('\t');
    REQUIRE(tab != std::string::npos);
    CHECK(line.find('\t', tab + 1) == std::string::npos);
    facts[line.substr(0, tab)] += line.substr(tab + 1) + '\n';
  }
  return facts;
}

bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("doctor is a table of facts that ends with conclusions") {
  auto facts = facts_of(output_of(run({"doctor", "-t", "3"})));
  CHECK(facts["gsx_version"] == run({"--version"}).out.substr(4));
  CHECK(facts["threads"] == "3\n");
  CHECK(std::stoull(facts["memory_total_bytes"]) > 0);
  CHECK(std::stoull(facts["memory_available_bytes"]) <= std::stoull(facts["memory_total_bytes"]));
  CHECK(std::stoull(facts["memory_for_a_run_bytes"]) > 0);
  CHECK(std::stoull(facts["page_bytes"]) >= 4096);
  CHECK(std::stoull(facts["temporary_folder_free_bytes"]) > 0);
  CHECK(facts["htslib_version"] != ".\n");
  for (const char* packing : {"bzip2", "xz", "zstd"})
    CHECK(facts[std::string("reads_") + packing] == "yes\n");
  const bool slow = facts["gzip_inflater"] == "zlib\n";
  CHECK((slow || facts["gzip_inflater"] == "ISA-L\n"));
  CHECK(has(facts["conclusion"], "built without ISA-L") == slow);
  const bool slow_blocks = facts["bgzf_inflater"] == "zlib\n";
  CHECK((slow_blocks || facts["bgzf_inflater"] == "libdeflate\n"));
  CHECK(has(facts["conclusion"], "built without libdeflate") == slow_blocks);
  const bool sorts_with_vectors = facts["cpu_instructions_sorting"] == "avx512\n";
  CHECK((sorts_with_vectors || facts["cpu_instructions_sorting"] == "baseline\n"));
  CHECK(has(facts["conclusion"], "sorting the suffixes of DNA with AVX-512") == sorts_with_vectors);
  CHECK_FALSE(has(facts["conclusion"], "input is read slowly"));
  CHECK(has(facts["conclusion"], "CPU: 3 threads"));
  CHECK(has(facts["conclusion"], "memory: a run may take"));
  const bool gpu = facts["gpus"] != "0\n";
  CHECK(has(facts["conclusion"], gpu ? "GPU 0" : "no GPU ("));
}

TEST_CASE("doctor --json is one line of strict JSON with the same facts") {
  const std::string out = output_of(run({"doctor", "--json"}));
  CHECK(is_json(out));
  CHECK(lines_of(out).size() == 1);
  for (auto& [name, value] : facts_of(output_of(run({"doctor"})))) {
    CAPTURE(name);
    CHECK(has(out, '"' + (name == "conclusion" ? "conclusions" : name) + "\":"));
  }
  CHECK(is_json(output_of(run({"doctor", "--json"}, {.environment = {"TMPDIR=/no/\x01\"\xff"}}))));
}

TEST_CASE("doctor shows the limits that the process has") {
  auto facts =
      facts_of(output_of(run_shell("ulimit -n 123; ulimit -f 1000; \"$gsx\" doctor --device cpu")));
  CHECK(facts["open_files_limit"] == "123\n");
  CHECK(facts["file_size_limit_bytes"] == std::to_string(1000 * 1024) + '\n');
}

TEST_CASE("doctor shows the limit of the address space") {
  GSX_SKIP_IF(sanitized, "sanitizers need all of the address space");
  auto facts =
      facts_of(output_of(run_shell("ulimit -v 1500000; \"$gsx\" doctor --device cpu -t 2")));
  CHECK(facts["memory_limit_address_space_bytes"] == std::to_string(1500000 * 1024ull) + '\n');
  CHECK(facts["memory_for_a_run_limited_by"] == "ulimit -v\n");
  CHECK(std::stoull(facts["memory_for_a_run_bytes"]) < 1500000 * 1024ull);
}

TEST_CASE("doctor reports what will not work") {
  auto facts =
      facts_of(output_of(run({"doctor"}, {.environment = {"TMPDIR=/no/such", "GSX_CPU=baseline",
                                                          "GSX_INDEX=/no/such.gsx"}})));
  CHECK(facts["temporary_folder"] == "/no/such\n");
  CHECK(facts["temporary_folder_free_bytes"] == ".\n");
  CHECK(facts["cpu_instructions"] == "baseline\n");
  CHECK(has(facts["conclusion"], "bench cannot write its files: '/no/such'"));
  CHECK(has(facts["conclusion"], "GSX_INDEX names '/no/such.gsx', which cannot be read"));
  check_failure(run({"doctor"}, {.environment = {"GSX_CPU=fast"}}), 2, {"GSX_CPU"});
}

TEST_CASE("doctor fails, after its report, if a demanded GPU is not usable") {
  const Outcome outcome = run({"doctor", "--device", "cuda:99"});
  check_error(outcome, 7);
  CHECK(has(outcome.out, "conclusion\t"));
  check_error(run({"doctor", "--device", "quantum"}), 2, {"unknown device"});
  CHECK(run({"doctor", "--device", "cpu"}).exit_code == 0);
}

// The main function of every suite: doctest's exit code, and three more verdicts. A run whose cases
// were all skipped has an exit code of its own. A case that checked nothing is a failure, and so is
// a selection that matches no case.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "support/skip.hpp"

namespace {

int cases_run = 0;
std::vector<std::string> empty_cases;

/// Watches which cases run, and what they check.
class CaseWatcher final : public doctest::IReporter {
 public:
  explicit CaseWatcher(const doctest::ContextOptions&) {}
  void test_case_start(const doctest::TestCaseData& data) override {
    ++cases_run;
    name_ = data.m_name;
    skipped_before_ = gsx::testing::skipped_cases;
  }
  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    const bool skipped = gsx::testing::skipped_cases != skipped_before_;
    if (stats.numAssertsCurrentTest == 0 && !skipped) empty_cases.push_back(name_);
  }
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  std::string name_;
  int skipped_before_ = 0;
};

}  // namespace

REGISTER_LISTENER("cases", 1, CaseWatcher);

int main(int argc, char** argv) {
  doctest::Context context(argc, argv);
  const int failed = context.run();
  if (failed != 0 || context.shouldExit()) return failed;  // help and lists run no case
  if (cases_run == 0) {
    std::fprintf(stderr, "error: no test case was selected\n");
    return 1;
  }
  for (const std::string& name : empty_cases)
    std::fprintf(stderr, "error: the test case '%s' checked nothing\n", name.c_str());
  if (!empty_cases.empty()) return 1;
  const bool all_skipped = cases_run > 0 && gsx::testing::skipped_cases == cases_run;
  return all_skipped ? gsx::testing::skipped_exit_code : 0;
}

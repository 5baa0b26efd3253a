// Manual pages: they say what help says, and programs that read manual pages accept them.
#include <map>

#include "support/program.hpp"

using namespace gsx::testing;

namespace {

/// Page and help of the program ("") and of each command.
struct Pages {
  std::string manual, help;
};
std::map<std::string, Pages> all_pages() {
  std::map<std::string, Pages> pages;
  pages[""] = {output_of(run({"help", "--man"})), output_of(run({"help"}))};
  const std::vector<std::string> names = names_of_commands(pages[""].help);
  REQUIRE(names.size() >= 20);
  for (const std::string& name : names)
    pages[name] = {output_of(run({"help", "--man", name})), whole_help(name)};
  return pages;
}

/// The text of a page without the escapes of roff.
std::string plain(const std::string& roff) {
  std::string out;
  for (std::size_t i = 0; i < roff.size(); ++i) {
    if (roff[i] != '\\' || i + 1 == roff.size()) {
      out += roff[i];
    } else if (roff[i + 1] == 'f') {
      i += 2;
    } else if (roff[i + 1] == '(') {
      const std::string name = roff.substr(i + 2, 2);
      out += name == "aq" ? '\'' : name == "ga" ? '`' : name == "ha" ? '^' : '~';
      i += 3;
    } else if (roff[i + 1] == '&') {
      ++i;
    } else {
      out += roff[i + 1] == 'e' ? '\\' : roff[i + 1];
      ++i;
    }
  }
  return out;
}

/// Replaces each run of blanks and line ends with one blank.
std::string squeezed(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' && c != '\n')
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out;
}

std::vector<std::string> sections_of(const std::string& roff) {
  std::vector<std::string> sections;
  for (const std::string& line : lines_of(roff))
    if (line.starts_with(".SH ")) sections.push_back(line.substr(4));
  return sections;
}

bool has_section(const std::string& roff, const std::string& section) {
  const auto sections = sections_of(roff);
  return std::find(sections.begin(), sections.end(), section) != sections.end();
}

}  // namespace

TEST_CASE("every manual page passes the lint of mandoc or groff") {
  const bool mandoc = has_command("mandoc");
  GSX_NEED("MANDOC", mandoc || has_command("man"), "there is neither mandoc nor man");
  for (const auto& [name, pages] : all_pages()) {
    CAPTURE(name);
    const std::string lint = mandoc ? "mandoc -T lint -W warning /dev/stdin"
                                    : "LC_ALL=C.UTF-8 MANROFFSEQ= man --warnings -E UTF-8 -l - "
                                      "2>&1 > /dev/null | (! grep .)";
    const Outcome outcome = run_shell(lint, {.input = pages.manual});
    CHECK(outcome.out == "");
    CHECK(outcome.exit_code == 0);
  }
}

TEST_CASE("a manual page has every option, argument, default and example that help has") {
  for (const auto& [name, pages] : all_pages()) {
    CAPTURE(name);
    const std::string manual = squeezed(plain(pages.manual));
    std::size_t options = 0;
    for (const std::string& line : lines_of(pages.help)) {
      if (!line.starts_with("  -")) continue;
      const std::string names = line.substr(2, line.find("  ", 2) - 2);
      CAPTURE(names);
      CHECK(manual.find(names) != std::string::npos);
      ++options;
    }
    CHECK(options > 0);
    std::size_t entries = 0;
    for (const std::string& line : lines_of(pages.manual))
      entries += line == ".TP";
    CHECK(entries >= options);
    for (std::size_t at = 0; (at = pages.help.find("(default: ", at)) != std::string::npos; ++at) {
      const std::string value = squeezed(pages.help.substr(at, pages.help.find(')', at) - at));
      CAPTURE(value);
      CHECK(manual.find(value) != std::string::npos);
    }
    bool example = false;
    for (const std::string& line : lines_of(pages.help)) {
      if (line.empty()) example = false;
      if (example) CHECK(plain(pages.manual).find(line.substr(2) + '\n') != std::string::npos);
      if (line == "Examples:") example = true;
    }
  }
}

TEST_CASE("manual pages have the sections that apply, in the usual order") {
  const std::vector<std::string> order = {"NAME",      "SYNOPSIS", "DESCRIPTION", "COMMANDS",
                                          "ARGUMENTS", "OPTIONS",  "EXIT STATUS", "ENVIRONMENT",
                                          "FILES",     "EXAMPLES", "SEE ALSO"};
  const auto pages = all_pages();
  for (const auto& [name, page] : pages) {
    CAPTURE(name);
    std::size_t last = 0;
    for (const std::string& section : sections_of(page.manual)) {
      CAPTURE(section);
      const auto at = std::find(order.begin(), order.end(), section);
      REQUIRE(at != order.end());
      const auto place = static_cast<std::size_t>(at - order.begin());
      CHECK(place >= last);
      last = place;
    }
    for (const char* section :
         {"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"}) {
      CAPTURE(section);
      CHECK(has_section(page.manual, section));
    }
    const std::string title = name.empty() ? "gsx" : "gsx-" + name;
    CHECK(plain(page.manual).find(".SH NAME\n" + title + " - ") != std::string::npos);
  }
  CHECK(has_section(pages.at("").manual, "COMMANDS"));
  CHECK(has_section(pages.at("count").manual, "ENVIRONMENT"));
  CHECK(has_section(pages.at("count").manual, "FILES"));
  CHECK_FALSE(has_section(pages.at("completion").manual, "ENVIRONMENT"));
  CHECK_FALSE(has_section(pages.at("completion").manual, "FILES"));
}

TEST_CASE("manual pages name the variables and exit codes of their command only") {
  const auto pages = all_pages();
  const auto has = [&](const std::string& name, const std::string& entry) {
    return pages.at(name).manual.find(".TP\n\\fB" + entry + "\\fR\n") != std::string::npos;
  };
  for (const char* variable :
       {"GSX_INDEX", "GSX_CPU", "GSX_LOG", "GSX_MEMORY_LIMIT", "GSX_GPU_MEMORY"}) {
    CAPTURE(variable);
    CHECK(has("", variable));
    CHECK(has("count", variable));
  }
  CHECK(has("locate", "TMPDIR"));
  CHECK(has("info", "GSX_LOG"));
  CHECK_FALSE(has("help", "GSX_LOG"));
  CHECK(has("count", "REF_PATH, REF_CACHE"));
  CHECK_FALSE(has("index", "GSX_INDEX"));
  CHECK(has("", "7"));
  CHECK(has("count", "5"));
  CHECK_FALSE(has("index", "5"));
  CHECK_FALSE(has("info", "7"));
}

TEST_CASE("a manual page for an unknown command is refused") {
  check_failure(run({"help", "--man", "cuont"}), 2, {"'cuont'", "did you mean count?"});
  check_failure(run({"help", "--man", "tuning"}), 2, {"no manual page", "those of the commands"});
  check_failure(run({"help", "--man=yes"}), 2, {"--man takes no value"});
  check_failure(run({"help", "--mna"}), 2, {"did you mean --man?", "gsx help --help"});
  check_failure(run_shell("\"$gsx\" help --man > /dev/full"), 6, {"No space left on device"});
}

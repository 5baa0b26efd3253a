// An index of a later gsx, which has sections that this one does not know.
#include "support/index_file.hpp"
#include "support/program.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// The file with one more section behind the others.
IndexFile with_section(const IndexFile& file, const std::string& name, std::string content) {
  SectionEntry added{};
  name.copy(added.name, sizeof added.name - 1);
  added.offset = file.bytes.size() + sizeof added;
  added.bytes = content.size();
  content.resize(added.padded_bytes());
  IndexFile changed(file.bytes);
  const std::size_t sections = file.header().sections;
  changed.bytes.insert(file.entry_at(sections), sizeof added, '\0');
  changed.bytes += content;
  changed.change_header([&](IndexHeader& header) {
    ++header.sections;
    header.header_bytes += sizeof added;
    header.file_bytes = changed.bytes.size();
  });
  for (std::size_t s = 0; s < sections; ++s)
    changed.change_entry(s, [](SectionEntry& entry) { entry.offset += sizeof(SectionEntry); });
  changed.set(changed.entry_at(sections), added);
  changed.seal();
  return changed;
}

}  // namespace

TEST_CASE("a section that this gsx does not know is checked and passed over") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">a\nACGTTGCAACGTNNACGATTACA\n");
  const RunOptions here = {.folder = folder.path()};
  REQUIRE(run({"index", "-q", "g.fa"}, here).exit_code == 0);
  const IndexFile file(folder.read("g.gsx"));
  IndexFile later = with_section(file, "lcp", "values of a later gsx");
  folder.write("later.gsx", later.bytes);
  for (const Arguments& command : {Arguments{"locate", "-p", "ACG", "-x"}, Arguments{"extract"}}) {
    Arguments known = command, unknown = command;
    known.emplace_back("g.gsx");
    unknown.emplace_back("later.gsx");
    const Outcome expected = run(known, here), found = run(unknown, here);
    CHECK(found.exit_code == 0);
    CHECK(found.out == expected.out);
  }
  CHECK(run({"verify", "-q", "later.gsx"}, here).exit_code == 0);

  ++later.bytes[later.at("lcp")];
  folder.write("later.gsx", later.bytes);
  const Outcome damaged = run({"locate", "-p", "ACG", "-x", "later.gsx"}, here);
  CHECK(damaged.exit_code == 5);
  CHECK(damaged.err.find("section 'lcp' does not match its checksum") != std::string::npos);
}

#include "wording.hpp"

#include <string_view>

namespace gsx::python {
namespace {

struct Words {
  std::string_view program, package;
};

constexpr Words all_words[] = {
    {" | gsx ... -", " > NEW, and give the path of NEW"},
    {"'gsx extract' gives its sequences, and queries take it with -x", "gsx.open opens it"},
    {"by gsx index", "by gsx.build"},
    {"with gsx index", "with gsx.build"},
    {"(as gsx index does)", "(as Index.save does)"},
    {"--alphabet bytes", "alphabet='bytes'"},
    {"--alphabet dna", "alphabet='dna'"},
    {"--alphabet protein", "alphabet='protein'"},
    {"--ambiguous split", "ambiguous='split'"},
    {"add --allow-no-eof", "pass allow_no_eof=True"},
    {"leave out --whole-header", "leave out whole_header"},
    {"without --whole-header", "without whole_header"},
    {"--cram-reference", "cram_reference"},
    {"--threads", "threads"},
    {"--files keeps", "keep_files keeps"},
    {"make it with join_shards()", "make it with Index.join()"},
    {"--cap", "cap"},
};

}  // namespace

std::string in_words_of_python(std::string message) {
  for (const Words& words : all_words) {
    for (std::size_t at = 0; (at = message.find(words.program, at)) != std::string::npos;) {
      message.replace(at, words.program.size(), words.package);
      at += words.package.size();
    }
  }
  return message;
}

}  // namespace gsx::python

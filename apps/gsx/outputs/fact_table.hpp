// A list of facts (name and value) as lines or as one JSON object.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "output/json/json.hpp"

namespace gsx::app {

class FactTable {
 public:
  /// Adds a word; an empty one becomes '.', in JSON null.
  void word(const std::string& name, std::string_view value);
  /// Adds a number; a missing one becomes '.', in JSON null.
  void number(const std::string& name, std::optional<std::uint64_t> value);
  /// Adds a limit; a missing one becomes "unlimited", in JSON null.
  void limit(const std::string& name, std::optional<std::uint64_t> value);
  /// Adds one line per value under `name`; in JSON, a list under `plural`.
  void words(const std::string& name, const std::string& plural,
             const std::vector<std::string>& values);

  /// One line per fact: name, tab, value, with control bytes as \xHH.
  std::string text() const { return text_; }
  /// One object on one line.
  std::string json() const { return json_text(members_) + '\n'; }
  const JsonMembers& members() const { return members_; }

 private:
  void line(const std::string& name, std::string_view value);

  std::string text_;
  JsonMembers members_;
};

}  // namespace gsx::app

// Facts, name and value, as lines or as one JSON object.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gsx::app {

class FactTable {
 public:
  /// A word; '.' (in JSON null) where it is empty.
  void word(const std::string& name, std::string_view value);
  /// '.' or null where there is none.
  void number(const std::string& name, std::optional<std::uint64_t> value);
  /// "unlimited" or null where there is none.
  void limit(const std::string& name, std::optional<std::uint64_t> value);
  /// A line each under `name`; in JSON a list under `plural`.
  void words(const std::string& name, const std::string& plural,
             const std::vector<std::string>& values);

  /// One line per fact: name, tab, value, control bytes as \xHH.
  std::string text() const { return text_; }
  /// One line.
  std::string json() const { return '{' + json_ + "}\n"; }

 private:
  void line(const std::string& name, std::string_view value);
  void key(const std::string& name);

  std::string text_;
  std::string json_;
};

}  // namespace gsx::app

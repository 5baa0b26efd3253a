#include "outputs/fact_table.hpp"

#include "output/lines/text_format.hpp"

namespace gsx::app {

void FactTable::line(const std::string& name, std::string_view value) {
  text_ += name + '\t';
  append_name(text_, value);
  text_ += '\n';
}

void FactTable::key(const std::string& name) {
  if (!json_.empty()) json_ += ',';
  append_json_string(json_, name);
  json_ += ':';
}

void FactTable::word(const std::string& name, std::string_view value) {
  line(name, value);
  key(name);
  if (value.empty()) {
    json_ += "null";
  } else {
    append_json_string(json_, value);
  }
}

void FactTable::number(const std::string& name, std::optional<std::uint64_t> value) {
  const std::string digits = value ? std::to_string(*value) : std::string();
  line(name, digits);
  key(name);
  json_ += value ? digits : "null";
}

void FactTable::limit(const std::string& name, std::optional<std::uint64_t> value) {
  const std::string digits = value ? std::to_string(*value) : std::string();
  line(name, value ? digits : "unlimited");
  key(name);
  json_ += value ? digits : "null";
}

void FactTable::words(const std::string& name, const std::string& plural,
                      const std::vector<std::string>& values) {
  key(plural);
  json_ += '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    line(name, values[i]);
    if (i > 0) json_ += ',';
    append_json_string(json_, values[i]);
  }
  json_ += ']';
}

}  // namespace gsx::app

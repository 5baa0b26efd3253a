#include "outputs/fact_table.hpp"

#include "output/lines/text_format.hpp"

namespace gsx::app {

void FactTable::line(const std::string& name, std::string_view value) {
  text_ += name + '\t';
  append_name(text_, value);
  text_ += '\n';
}

void FactTable::word(const std::string& name, std::string_view value) {
  line(name, value);
  members_.push_back({name, value.empty() ? JsonValue() : JsonValue(value)});
}

void FactTable::number(const std::string& name, std::optional<std::uint64_t> value) {
  line(name, value ? std::to_string(*value) : std::string());
  members_.push_back({name, value ? JsonValue(*value) : JsonValue()});
}

void FactTable::limit(const std::string& name, std::optional<std::uint64_t> value) {
  line(name, value ? std::to_string(*value) : "unlimited");
  members_.push_back({name, value ? JsonValue(*value) : JsonValue()});
}

void FactTable::words(const std::string& name, const std::string& plural,
                      const std::vector<std::string>& values) {
  for (const std::string& value : values)
    line(name, value);
  members_.push_back({plural, values});
}

}  // namespace gsx::app

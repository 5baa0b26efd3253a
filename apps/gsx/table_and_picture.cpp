#include "table_and_picture.hpp"

#include <array>

#include "options.hpp"
#include "process.hpp"

namespace gsx::app {

TableAndPicture::TableAndPicture(const std::string& table, const std::string& picture,
                                 const std::vector<std::string>& read, int threads) {
  refuse_overwriting(table, read);
  refuse_overwriting(picture, read);
  refuse_same_outputs({table, picture});
  const Encoding encoding = encoding_for(table);
  if (encoding == Encoding::bgzf)
    refuse_terminal(table, "BGZF", "name a file, or leave .gz out of the name");
  table_ = std::make_unique<Output>(table, encoding, threads);
  if (!picture.empty())
    picture_ = std::make_unique<Output>(picture, encoding_for(picture), threads);
}

void TableAndPicture::check_before_writing(const std::function<void()>& check) {
  table_->check_before_writing(check);
  if (picture_) picture_->check_before_writing(check);
}

void TableAndPicture::commit() {
  commit_all(std::array{picture_.get(), table_.get()});
}

}  // namespace gsx::app

#include "outputs/table_and_picture.hpp"

#include <array>

#include "options/options.hpp"
#include "process/process.hpp"

namespace gsx::app {

TableAndPicture::TableAndPicture(const std::string& table, const std::string& picture,
                                 int threads) {
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

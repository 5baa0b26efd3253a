#include "index/store/joined_index.hpp"

#include <algorithm>

#include "arrays/rank/quad_check.hpp"
#include "arrays/rank/wavelet_matrix.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/messages.hpp"
#include "base/public_call.hpp"
#include "bytes/output.hpp"
#include "index/fm/fm_index.hpp"
#include "index/store/corrupt_index.hpp"
#include "index/store/meta_checks.hpp"
#include "index/store/record_sections.hpp"
#include "index/store/section_views.hpp"
#include "index/store/sections.hpp"

namespace gsx {

void Index::State::corrupt(const std::string& why) const {
  throw_corrupt_index(path_, why);
}

Index::State::State(std::string path, IndexImage image, int threads, Load load)
    : path_(std::move(path)), image_(std::move(image)), table_(path_, image_.bytes()) {
  for (const SectionEntry& entry : table_.entries())
    if (load != Load::lazy || !is_large_section(entry.name)) table_.check(entry, threads);
  meta_of_file_ = meta_of(table_);
  meta_ = &meta_of_file_;
  alphabet_ = alphabet_of(table_, *meta_);
  read_sections(threads);
  if (image_.file() != nullptr) start_watch(threads, load);
}

Index Index::open(const std::string& path, Load load, int threads) {
  require_path(path);
  return with_gsx_errors([&] {
    IndexImage image;
    try {
      image = load == Load::read ? IndexImage::read(path) : IndexImage(MappedFile(path));
    } catch (const RuntimeError& error) {
      throw ForeignIndexError(std::string(error.what()) + "; an index is made by gsx index");
    }
    return Index(std::make_shared<const State>(path, std::move(image), threads_for(threads), load));
  });
}

Index Index::of(Buffer<std::uint8_t> bytes, int threads) {
  return Index(std::make_shared<const State>("memory", IndexImage(std::move(bytes)),
                                             threads_for(threads), Load::read));
}

void Index::save(const std::string& path) const {
  if (path.empty()) throw UsageError("an index cannot be saved to a file without a name");
  if (state_->joined_) throw UsageError("an index in shards cannot be saved as one file");
  require_path(path);
  with_gsx_errors([&] {
    Output out(path == "-" ? "./-" : path);  // standard output is not the library's
    out.write(state_->image_.bytes().data(), state_->image_.bytes().size());
    require_unchanged();
    out.commit();
  });
}

void Index::check_content(int threads) const {
  with_gsx_errors([&] { state_->check_content(threads_for(threads)); });
}

void Index::require_unchanged() const {
  state_->require_unchanged();
}

void Index::State::check_content(int threads) const {
  if (joined_) return check_parts(threads);
  for (const SectionEntry& entry : table_.entries())
    if (is_large_section(entry.name)) table_.check(entry, threads);
  if (watch_ == nullptr) return;
  const std::lock_guard lock(watch_->mutex);
  watch_->checked = true;
}

QuadView Index::State::level(std::uint32_t k, std::uint64_t size) const {
  const Section blocks = k == 0 ? Section::level0_blocks : Section::level_blocks;
  const Section superblocks = k == 0 ? Section::level0_superblocks : Section::level_superblocks;
  const SectionViews views(table_, *meta_);
  QuadView view;
  view.size = size;
  view.blocks = views.array<QuadBlock>(blocks, k).data();
  view.superblocks = views.array<QuadSuperblock>(superblocks, k).data();
  for (std::uint32_t d = 0; d < 4; ++d) {
    if (view.base(d) > size)
      corrupt("section '" + name_of(superblocks, k) + "' has impossible counts");
    view.base_sum += view.base(d);
  }
  return view;
}

void Index::State::read_sections(int threads) {
  const Meta& meta = *meta_;
  const SectionViews views(table_, meta);
  const RecordSections tables = record_sections_of(table_, meta);
  records_ = tables.records;
  letter_case_ = tables.letter_case;
  md5s_ = tables.md5s;
  segments_ = Segments({tables.segment_starts.begin(), tables.segment_starts.end()});
  symbols_ = views.packed(Section::text);

  fm_.bwt.level_count = WaveletMatrix::level_count(alphabet_.bits());
  std::uint64_t size = meta.length;
  for (std::uint32_t k = 0; k < fm_.bwt.level_count; ++k) {
    fm_.bwt.levels[k] = level(k, size);
    size = meta.length - meta.segments;  // only level 0 has holes
  }
  QuadView& top = fm_.bwt.levels[0];
  top.holes = views.packed(Section::separator_rows);
  for (std::uint64_t k = 0; k < meta.segments; ++k) {
    if (top.holes[k] >= meta.length || (k > 0 && top.holes[k] <= top.holes[k - 1])) {
      corrupt("section 'separator_rows' is not in order");
    }
  }
  fm_.hole_segments = views.packed(Section::separator_segments);
  for (std::uint64_t k = 0; k < meta.segments; ++k) {
    if (fm_.hole_segments[k] >= meta.segments) corrupt("a separator has no segment");
  }
  fm_.kmers = {views.packed(Section::kmers), meta.kmer_length, meta.sigma};
  fm_.sampling = RowSampling(meta.sample_rate);
  fm_.samples = views.packed(Section::samples);
  fm_.sigma = meta.sigma;
  // A rank on one level is a position on the next, so if there are several, all ranks must be true.
  for (std::uint32_t k = 0; fm_.bwt.level_count > 1 && k < fm_.bwt.level_count; ++k) {
    if (find_wrong_counts(fm_.bwt.levels[k], threads)) {
      corrupt("section 'level" + std::to_string(k) + "_blocks' has impossible counts");
    }
  }
  c_offsets_ = c_offsets_of(fm_.bwt, meta.sigma, meta.segments);
  fm_.c_offset = c_offsets_.data();
  fm_.segments = segments_.view();
}

}  // namespace gsx

#include "analysis/repeats/build.hpp"

#include "analysis/repeats/dot_plot_svg.hpp"
#include "analysis/repeats/repeat_finder.hpp"
#include "analysis/repeats/repeat_pair_finder.hpp"
#include "base/error.hpp"
#include "device/products.hpp"

namespace gsx {

void require_askable(const RepeatRequest& request) {
  if (request.min_length == 0) throw UsageError("min_length is 0, and must be at least 1");
  if (request.min_count < 2)
    throw UsageError("min_count is less than 2, and a repeat has two places");
  if (request.max_places == 0) throw UsageError("max_places is 0, and must be at least 1");
}

std::uint64_t repeat_bytes(const BothStrandsView& text) {
  return text.text.length() / 4 + (std::uint64_t{32} << 20);
}

Repeats::Repeats(Backend& backend, const BothStrandsView& text, std::uint64_t min_length,
                 const BuildOptions& options)
    : text_(text),
      require_(options.memory.require_as_needed("a text that repeats itself so often")),
      progress_(options.progress),
      rows_(is_wide(text.text.length(), options.width)
                ? decltype(rows_)(shared_rows<std::uint64_t>(backend, min_length, options))
                : decltype(rows_)(shared_rows<std::uint32_t>(backend, min_length, options))) {}

template <class Pos>
SharedRows<Pos> Repeats::shared_rows(Backend& backend, std::uint64_t min_length,
                                     BuildOptions options) {
  options.memory.used += repeat_bytes(text_);
  SharedRowsBuilder<Pos> builder(text_.text, min_length, options.threads, require_);
  add_all_rows(backend, text_.text, options, builder);
  return builder.finish();
}

template <class Work>
void Repeats::with_rows(const Work& work) const {
  std::visit(work, rows_);
}

template <class Pos, class Actions>
void Repeats::go_through(const SharedRows<Pos>& rows, Actions& actions) const {
  rows.for_each_group(actions, [this](double fraction) {
    if (progress_) progress_("repeats", fraction);
  });
  if (progress_) progress_("repeats", 1);
}

void Repeats::find(const RepeatRequest& request, const TakeRepeat& take) const {
  with_rows([&]<class Pos>(const SharedRows<Pos>& rows) {
    RepeatFinder<Pos> finder(text_, rows, request, take, require_);
    go_through(rows, finder);
  });
}

void Repeats::find_pairs(const TakeRepeatPair& take) const {
  with_rows([&]<class Pos>(const SharedRows<Pos>& rows) {
    require_(rows.pairs() * sizeof(Pos));
    RepeatPairFinder<Pos> finder(text_, rows, take, require_);
    go_through(rows, finder);
  });
}

std::string Repeats::dot_plot(const RecordsView& records) const {
  const PlotAxis axis(records, text_.text.segments, dot_plot_cells);
  std::string image;
  with_rows([&]<class Pos>(const SharedRows<Pos>& rows) {
    const bool both = text_.half < text_.text.length();
    DotPlotter<Pos> plotter(text_, rows, axis);
    go_through(rows, plotter);
    image =
        dot_plot_svg(axis, plotter.forward(), both ? &plotter.reverse() : nullptr, rows.least());
  });
  return image;
}

}  // namespace gsx

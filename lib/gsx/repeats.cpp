#include "gsx/repeats.hpp"

#include <vector>

#include "analysis/repeats/build.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"
#include "run/build_job.hpp"
#include "text/both_strands.hpp"
#include "text/require_text.hpp"

namespace gsx {
namespace {

/// Finds the repeats of a text and calls work(repeats). Its last report is of 1.
template <class Work>
void with_repeats(const Text& text, std::uint64_t min_length, const RepeatOptions& options,
                  const Work& work) {
  if (min_length == 0) throw UsageError("min_length is 0, and must be at least 1");
  require_text(text);
  with_gsx_errors([&] {
    const int threads = threads_for(options.sort.threads, text.length());
    const ChosenStrands strands(text.view(), text.alphabet, options.both_strands, threads);
    run_build(options.sort, cost_of_sorting(strands.view().text.length()), threads,
              [&](const BuildJob& job) {
                work(Repeats(job.backend, strands.view(), min_length, job.build));
              });
  });
}

}  // namespace

void find_repeats(const Text& text, const RepeatRequest& request, const RepeatOptions& options,
                  const RepeatSink& sink) {
  require_sink(sink);
  require_askable(request);
  with_repeats(text, request.min_length, options, [&](const Repeats& repeats) {
    std::vector<Occurrence> places;
    repeats.find(request, [&](const Repeat& repeat) {
      places.clear();
      for (const RepeatPlace& place : repeat.places)
        places.push_back(occurrence_of(text, Hit(place.begin, place.reverse), repeat.length));
      sink({repeat.length, repeat.count, places});
    });
  });
}

void find_repeat_pairs(const Text& text, std::uint64_t min_length, const RepeatOptions& options,
                       const OccurrencePairSink& sink) {
  require_sink(sink);
  with_repeats(text, min_length, options, [&](const Repeats& repeats) {
    repeats.find_pairs([&](const RepeatPair& pair) {
      sink({occurrence_of(text, Hit(pair.first, false), pair.length),
            occurrence_of(text, Hit(pair.second, pair.reverse), pair.length)});
    });
  });
}

std::string dot_plot(const Text& text, std::uint64_t min_length, const RepeatOptions& options) {
  std::string image;
  with_repeats(text, min_length, options,
               [&](const Repeats& repeats) { image = repeats.dot_plot(text.records_view()); });
  return image;
}

}  // namespace gsx

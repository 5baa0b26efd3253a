#include "gsx/repeats.hpp"

#include <vector>

#include "analysis/repeats/build.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"
#include "index/store/verify.hpp"
#include "run/build_job.hpp"
#include "run/target.hpp"
#include "text/both_strands.hpp"
#include "text/require_text.hpp"

namespace gsx {
namespace {

Target target_of(const Text& text) {
  require_text(text);
  return Target(text);
}
Target target_of(const Index& index) {
  return Target(index);
}

/// Finds the repeats of a text or an index and calls work(repeats). Its last report is of 1.
template <class Searched, class Work>
void with_repeats(const Searched& searched, std::uint64_t min_length, const RepeatOptions& options,
                  const Work& work) {
  if (min_length == 0) throw UsageError("min_length is 0, and must be at least 1");
  with_gsx_errors([&] {
    const Target target = target_of(searched);
    const RecordSource source = target.source();
    const int threads = threads_for(options.sort.threads, source.text.length());
    if (target.index() != nullptr) verify_text(*target.index(), threads);
    const ChosenStrands strands(source.text, *source.alphabet, options.both_strands, threads);
    run_build(options.sort, cost_of_sorting(strands.view().text.length()), threads,
              [&](const BuildJob& job) {
                work(Repeats(job.backend, strands.view(), min_length, job.build));
                target.require_unchanged();
              });
  });
}

template <class Searched>
void find_repeats_of(const Searched& searched, const RepeatRequest& request,
                     const RepeatOptions& options, const RepeatSink& sink) {
  require_sink(sink);
  require_askable(request);
  with_repeats(searched, request.min_length, options, [&](const Repeats& repeats) {
    std::vector<Occurrence> places;
    repeats.find(request, [&](const Repeat& repeat) {
      places.clear();
      for (const RepeatPlace& place : repeat.places)
        places.push_back(occurrence_of(searched, Hit(place.begin, place.reverse), repeat.length));
      sink({repeat.length, repeat.count, places});
    });
  });
}

template <class Searched>
void find_pairs_of(const Searched& searched, std::uint64_t min_length, const RepeatOptions& options,
                   const OccurrencePairSink& sink) {
  require_sink(sink);
  with_repeats(searched, min_length, options, [&](const Repeats& repeats) {
    repeats.find_pairs([&](const RepeatPair& pair) {
      sink({occurrence_of(searched, Hit(pair.first, false), pair.length),
            occurrence_of(searched, Hit(pair.second, pair.reverse), pair.length)});
    });
  });
}

template <class Searched>
std::string dot_plot_of(const Searched& searched, std::uint64_t min_length,
                        const RepeatOptions& options) {
  std::string image;
  with_repeats(searched, min_length, options, [&](const Repeats& repeats) {
    image = repeats.dot_plot(target_of(searched).records());
  });
  return image;
}

}  // namespace

void find_repeats(const Text& text, const RepeatRequest& request, const RepeatOptions& options,
                  const RepeatSink& sink) {
  find_repeats_of(text, request, options, sink);
}

void find_repeats(const Index& index, const RepeatRequest& request, const RepeatOptions& options,
                  const RepeatSink& sink) {
  find_repeats_of(index, request, options, sink);
}

void find_repeat_pairs(const Text& text, std::uint64_t min_length, const RepeatOptions& options,
                       const OccurrencePairSink& sink) {
  find_pairs_of(text, min_length, options, sink);
}

void find_repeat_pairs(const Index& index, std::uint64_t min_length, const RepeatOptions& options,
                       const OccurrencePairSink& sink) {
  find_pairs_of(index, min_length, options, sink);
}

std::string dot_plot(const Text& text, std::uint64_t min_length, const RepeatOptions& options) {
  return dot_plot_of(text, min_length, options);
}

std::string dot_plot(const Index& index, std::uint64_t min_length, const RepeatOptions& options) {
  return dot_plot_of(index, min_length, options);
}

}  // namespace gsx

// Runs threads that work on items in parallel and commit their results in input order.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "base/ordered_results.hpp"
#include "base/ordered_turns.hpp"
#include "base/parallel.hpp"
#include "base/stage_times.hpp"

namespace gsx {

/// Thrown by ItemTurn::wait() if the run has failed in another thread; ends this thread quietly.
struct RunStopped {};

/// An item's turn in the input order.
class ItemTurn {
 public:
  ItemTurn(OrderedTurns& turns, std::uint64_t number) : turns_(turns), number_(number) {}
  /// Waits until all items before it have been committed. Throws RunStopped.
  void wait() const {
    if (!turns_.wait_for(number_)) throw RunStopped{};
  }

 private:
  OrderedTurns& turns_;
  std::uint64_t number_;
};

namespace detail {

/// Calls start(item) and work(item) for item after item, as long as there are some. If
/// start() returns true, the next item is taken and started before work(): that is why there are
/// two `items`. They belong to the caller, so that they outlive what was started. Items are worked
/// on in the order in which they were started: once a failed run has dropped one, no later one
/// follows. Pre: start() does not throw: what was started before would be dropped.
template <class Item, class Next, class Start, class Work>
void take_in_order(const Next& next, OrderedTurns& turns, std::array<Item, 2>& items,
                   const Start& start, const Work& work) {
  Item* item = &items[0];
  Item* started = nullptr;
  const auto finish = [&] {
    Item* const last = std::exchange(started, nullptr);
    if (last != nullptr && !turns.failed()) work(*last);
  };
  while (!turns.failed()) {
    try {
      if (!next(*item)) break;
    } catch (...) {
      finish();
      // Let all earlier items commit first. If memory was too short to number the item, its number
      // is an earlier one.
      if (turns.wait_until(item->number)) throw;
      return;
    }
    const bool goes_on = start(*item);
    finish();
    if (goes_on) {
      started = std::exchange(item, item == &items[0] ? &items[1] : &items[0]);
    } else if (!turns.failed()) {  // else finish() may have dropped the item before this one
      work(*item);
    }
  }
  finish();
}

/// Works on items in order, without a start: one item is in memory at a time.
template <class Item, class Next, class Work>
void take_in_order(const Next& next, OrderedTurns& turns, const Work& work) {
  std::array<Item, 2> items;
  take_in_order(
      next, turns, items, [](const Item&) { return false; }, work);
}

/// Prepares the item. What fails waits for the items before it: of several items that fail, the
/// first in input order ends the run. Throws RunStopped if one before this has failed.
template <class Worker, class Item>
decltype(auto) prepare_in_turn(Worker& worker, Item& item, OrderedTurns& turns) {
  const std::uint64_t number = item.number;
  try {
    return worker.prepare(item, ItemTurn(turns, number));
  } catch (const RunStopped&) {
    throw;
  } catch (...) {
    if (!turns.wait_until(number)) throw RunStopped{};
    throw;
  }
}

/// Commits the item when its turn has come. Throws RunStopped.
template <class Item, class Worker>
void commit_in_turn(Item& item, Worker& worker, OrderedTurns& turns, StageTimes* times) {
  StageClock clock(times);
  const OrderedTurns::Turn turn = turns.take(item.number);
  if (!turn) throw RunStopped{};
  clock.done(Stage::wait);
  worker.commit(item);
}

/// Runs threads that each call work(); an error of one stops all, by `run.fail()`.
template <class Turns, class Work>
void run_in_turns(Turns& run, int threads, const Work& work) {
  run_threads(threads, [&](int) {
    try {
      work();
    } catch (const RunStopped&) {
      // Another thread reports the error.
    } catch (...) {
      run.fail();
      throw;
    }
  });
}

}  // namespace detail

/// Reads in order, works in parallel, commits in order. Runs `threads` threads, each of which makes
/// its own worker and takes items until there are no more. At most one item per thread is in
/// memory.
///
/// next(item) fills an item with the next input and sets its `number`, counted from 0; false if
/// there is no more. Any number of threads may call it. If it throws, the item has the number of
/// the one that could not be filled, or if it was not numbered yet, any earlier one.
///
/// A worker has these functions:
///   prepare(item, turn)  at any time, in parallel with other threads. May wait for the item's turn
///                        and then do part of what commit() does
///   commit(item)         one item at a time, in input order, over all threads
///   finish(item)         at any time again
/// An error stops all threads and is rethrown: that of the first item in input order which fails,
/// unless a worker cannot be made or finish() fails. All items before it have been committed. Adds
/// the time spent waiting to `times`, if that is not null.
template <class Item, class Next, class MakeWorker>
void run_in_order(const Next& next, int threads, const MakeWorker& make_worker,
                  StageTimes* times = nullptr) {
  OrderedTurns turns;
  detail::run_in_turns(turns, threads, [&] {
    auto worker = make_worker();
    detail::take_in_order<Item>(next, turns, [&](Item& item) {
      detail::prepare_in_turn(worker, item, turns);
      detail::commit_in_turn(item, worker, turns, times);
      worker.finish(item);
    });
  });
}

/// Small results that may wait for each thread: a thread that the system has put aside for some
/// milliseconds then holds up no other one.
inline constexpr std::size_t small_results_per_thread = 8;

/// Does the same with workers that need not be there when their items are committed: no thread
/// waits as long as its result is at most `threads` behind the next to be committed. So there may
/// be as many results in memory as there are threads, beside those at work; of small ones, more.
///
/// A worker has these functions:
///   start(item)          if there is one: begins with the item; returns whether that goes on by
///                        itself, so that the thread takes and starts another one before it
///                        prepares this one. Items are prepared in the order in which they were
///                        started, at most two are started and not prepared, and start() does not
///                        throw
///   prepare(item, turn)  as above; returns the result, which the worker may use again afterwards:
///                        it then has the memory of some result that was committed
///   commit(result)       one result at a time, in input order, over all threads, of this worker's
///                        items and of others'; leaves it empty
///   is_small(result)     if there is one: whether the result takes little memory
/// Adds to `times`, if that is not null, how long threads wait after they left their results.
/// Pre, if start() may return true: next() does not take long, as the items behind may wait for the
/// started one, and does not wait for what may wait for a commit.
template <class Result, class Item, class Next, class MakeWorker>
void run_and_hand_over(const Next& next, int threads, const MakeWorker& make_worker,
                       StageTimes* times = nullptr) {
  OrderedResults<Result> results(static_cast<std::size_t>(threads));
  detail::run_in_turns(results, threads, [&] {
    std::array<Item, 2> items;  // before the worker, which may have started one when a run ends
    auto worker = make_worker();
    const auto start = [&](Item& item) {
      if constexpr (requires { worker.start(item); }) return worker.start(item);
      return false;
    };
    detail::take_in_order(next, results.turns(), items, start, [&](Item& item) {
      Result& result = detail::prepare_in_turn(worker, item, results.turns());
      StageClock clock(times);
      bool left = true;
      const auto commit = [&](Result& any) {
        left = false;
        worker.commit(any);
      };
      std::size_t most_behind = static_cast<std::size_t>(threads);
      if constexpr (requires { worker.is_small(result); })
        most_behind *= worker.is_small(result) ? small_results_per_thread : 1;
      if (!results.hand_over(item.number, result, commit, most_behind)) throw RunStopped{};
      if (left) clock.done(Stage::wait);
    });
  });
}

}  // namespace gsx

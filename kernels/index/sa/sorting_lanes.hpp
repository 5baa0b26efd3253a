// What sorts batches of suffixes at the same time: GPUs, and streams on them.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/base/device_buffer.hpp"
#include "kernels/base/event.hpp"
#include "kernels/base/stream.hpp"
#include "kernels/index/sa/rank_bit_vector.hpp"
#include "kernels/index/sa/sort_plan.hpp"
#include "kernels/text/text_batches.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// A GPU, and the batches of its text: the same on every card.
template <class Key>
struct SortingCard {
  SortingCard(const TextView& text, const SortPlan& plan, DeviceStream on)
      : d_text(text), stream(on), batches(text, plan.batch_suffixes, plan.keying, on) {}
  int device() const { return stream.pool->device(); }

  TextView d_text;
  DeviceStream stream;
  TextBatches<Key> batches;
};

/// What sorts one batch at a time.
template <class Key, class Pos>
struct SortingLane {
  /// What a lane of another GPU has sent of its last batch: the GPU sorts the next one meanwhile.
  struct Sent {
    DeviceBuffer<Pos> rows;
    DeviceBuffer<std::uint8_t> codes;
    DeviceBuffer<RankBitBlock> tied;
    std::unique_ptr<Event> arrived;
  };

  const SortingCard<Key>* card;
  std::unique_ptr<Stream> own;  ///< null where the stream is the card's
  DeviceStream stream;
  Sent sent;
};

}  // namespace gsx::cuda

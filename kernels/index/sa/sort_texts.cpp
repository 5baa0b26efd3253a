#include "kernels/index/sa/sort_texts.hpp"

#include <cstddef>
#include <new>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"

namespace gsx::cuda {
namespace {

bool has_room(const DeviceLink& link, const SortShape& shape, const SortPlan& plan) {
  const CurrentDevice current = link.make_current();
  const std::uint64_t available = link.pool()->available();
  const std::uint64_t needed = helping_bytes(shape, plan);
  if (needed <= available) return true;
  log().info("cuda:{} does not help: sorting takes {} bytes of its memory, {} are free",
             link.device(), needed, available);
  return false;
}

}  // namespace

SortTexts::SortTexts(const TextView& host, const SortShape& shape, const SortPlan& plan,
                     const SortGpus& gpus, int threads) {
  links_.push_back(&gpus.first);
  if (plan.batch_suffixes < shape.length && !plan.alone) {
    for (const std::shared_ptr<DeviceLink>& other : gpus.others) {
      if (has_room(*other, shape, plan)) links_.push_back(other.get());
    }
  }
  copies_.resize(links_.size());
  run_threads(static_cast<int>(links_.size()), [&](int thread) {
    const auto i = static_cast<std::size_t>(thread);
    const CurrentDevice current = links_[i]->make_current();
    try {
      copies_[i] =
          std::make_unique<DeviceText>(host, links_[i]->transfer(threads), links_[i]->stream());
    } catch (const ResourceError& error) {
      if (i == 0) throw;
      log().info("cuda:{} does not help: {}", links_[i]->device(), error.what());
    }
  });
  for (std::size_t i = 1; i < links_.size(); ++i) {
    if (copies_[i]) helpers_.push_back({copies_[i]->view(), links_[i]->stream()});
  }
}

SortTexts::~SortTexts() {
  for (std::size_t i = 0; i < copies_.size(); ++i) {
    const CurrentDevice current(links_[i]->device(), std::nothrow);
    copies_[i].reset();
  }
}

}  // namespace gsx::cuda

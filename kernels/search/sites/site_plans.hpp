// Tables of sites on the device, kept from call to call.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/search/mismatches/placed_text.hpp"
#include "kernels/search/sites/site_table.hpp"

namespace gsx::cuda {

/// How the table of a shape is made: its parts, and the table, if there is only one.
struct SitePlan {
  SiteShape shape;
  SitePam pam;
  std::uint32_t half = 0;
  std::vector<SliceRun> parts;
  std::uint64_t bytes = 0;  ///< to build the largest of them
  std::shared_ptr<const DeviceSiteTable> whole;
};

/// Makes tables of the sites of one text. Several threads may call. A call has its own stream, and
/// must wait for it before it gives up a plan.
class SitePlans {
 public:
  using UseTable = std::function<void(const DeviceSiteTable&)>;

  /// Tables take at most `table_bytes`; parts are made of slices of `slice_places`.
  SitePlans(std::shared_ptr<const PlacedText> text, std::uint64_t table_bytes,
            std::uint64_t slice_places)
      : text_(std::move(text)), table_bytes_(table_bytes), slice_places_(slice_places) {
    stream_.emplace();
  }
  ~SitePlans();
  SitePlans(const SitePlans&) = delete;
  SitePlans& operator=(const SitePlans&) = delete;

  /// Whether a shape can have a table.
  static bool suits(const SiteShape& shape) { return shape.length() <= SitePam::most_length; }
  /// Whether there is a plan for a shape.
  bool has(const SiteShape& shape) const;
  /// The plan of a shape, with its table if all of it fits; null if not even small parts do. Pre:
  /// suits(shape). Throws DeviceError.
  std::shared_ptr<const SitePlan> plan_for(const SiteShape& shape);
  /// Calls use(table) for each part with places in the range. What it queues on `stream` has ended
  /// when this returns, unless there is one part. Throws ResourceError, DeviceError.
  void for_each_part(const SitePlan& plan, const PlaceRange& range, const UseTable& use,
                     DeviceStream stream);

 private:
  std::shared_ptr<const SitePlan> find(const SiteShape& shape) const;
  std::shared_ptr<SitePlan> make(const SiteShape& shape, std::uint64_t bytes) const;
  std::uint64_t budget() const;

  DeviceStream stream() const { return {stream_->get(), &text_->pool()}; }

  std::shared_ptr<const PlacedText> text_;
  std::uint64_t table_bytes_;
  std::uint64_t slice_places_;
  std::optional<Stream> stream_;  ///< of the tables
  mutable std::mutex planning_;   ///< guards the plans, and one table being built at a time
  std::vector<std::shared_ptr<const SitePlan>> plans_;
};

}  // namespace gsx::cuda

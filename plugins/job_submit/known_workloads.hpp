// Which workloads came along lately? Jobs of one network, as a sweep over batches submits them,
// bring the same text: it is read once.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "libplanner/domain/workload.hpp"

namespace hora::submit {

class KnownWorkloads {
  public:
    // Null where the text is none of a workload.
    std::shared_ptr<const domain::Workload> find(const std::string& text);

  private:
    struct Entry {
        std::string text;
        std::shared_ptr<const domain::Workload> workload;  // null: nothing yet
    };

    std::shared_ptr<const domain::Workload> known(const std::string& text) const;

    mutable std::mutex mutex_;
    std::array<Entry, 8> entries_;
    std::size_t next_ = 0;
};

}  // namespace hora::submit

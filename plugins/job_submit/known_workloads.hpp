// Which workloads came along lately? Jobs of one network, as a sweep over batches submits them,
// bring the same text: it is read once.
#pragma once

#include <memory>
#include <string>

#include "libplanner/domain/workload.hpp"
#include "plugins/job_submit/latest.hpp"

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

    Latest<Entry> latest_;
};

}  // namespace hora::submit

// What did a waiting job ask for before Hora changed its request, and what was it given?
#include "scripts/horad/journal/pending_change.hpp"

namespace hora::horad {
namespace {

PendingRequest request_of_size(const ResizeEntry& entry, const slurm::JobShape& shape,
                               Seconds limit, std::uint64_t batch) {
    const bool sets_limit = entry.next_limit > Seconds(0);
    return {.shape = shape,
            .features = {},
            .prefer = {},
            .time_limit = sets_limit ? limit : Seconds(0),
            .batch = entry.resize.batch != 0 ? std::optional(batch) : std::nullopt};
}

}  // namespace

PendingChange change_of(const ResizeEntry& entry) {
    const Resize& resize = entry.resize;
    return {.number = entry.number,
            .job = resize.job,
            .uid = entry.uid,
            .submitted = entry.submitted,
            .restarts = resize.restarts,
            .before = request_of_size(entry, entry.was, entry.limit, entry.batch_was),
            .given = request_of_size(entry, entry.wanted, entry.next_limit, entry.next_batch),
            .priority = entry.priority,
            .admin_comment = {},
            .resize = SizeChange{.from = resize.from,
                                 .to = resize.to,
                                 .why = resize.why,
                                 .is_manual = resize.is_manual},
            .asked = entry.asked};
}

}  // namespace hora::horad

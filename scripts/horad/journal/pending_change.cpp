// What did a waiting job ask for before Hora changed its request, and what was it given?
#include "scripts/horad/journal/pending_change.hpp"

namespace hora::horad {

PendingChange change_of(const ResizeEntry& entry) {
    const Resize& resize = entry.resize;
    return {.number = entry.number,
            .job = resize.job,
            .uid = entry.uid,
            .submitted = entry.submitted,
            .restarts = resize.restarts,
            .before = {.shape = entry.was, .features = {}, .prefer = {}},
            .given = PendingRequest{.shape = entry.wanted, .features = {}, .prefer = {}},
            .priority = entry.priority,
            .admin_comment = {},
            .resize = SizeChange{.from = resize.from,
                                 .to = resize.to,
                                 .why = resize.why,
                                 .is_manual = resize.is_manual},
            .asked = entry.asked};
}

}  // namespace hora::horad

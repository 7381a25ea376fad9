// How fast do members train that each push to and pull from a server at their own pace?
#include "libplanner/cost/server.hpp"

#include <algorithm>

#include "libplanner/cost/exchange.hpp"

namespace hora::cost {

double asynchronous_rate(std::span<const Workers> workers, std::uint64_t share, Bytes gradient,
                         const domain::Link& link) {
    const auto samples = static_cast<double>(share);
    const double exchange = server_exchange(gradient, 1, link).count();
    const double strongest = samples / workers.front().compute.count();
    double updates = 0;
    for (const Workers& some : workers) {
        const std::uint64_t others = some.count - (&some == &workers.front() ? 1 : 0);
        updates += static_cast<double>(others) / (some.compute.count() + exchange);
    }
    if (exchange > 0) {
        updates = std::min(updates, 1 / exchange);
    }
    return strongest + std::max(0.0, samples - strongest * exchange) * updates;
}

}  // namespace hora::cost

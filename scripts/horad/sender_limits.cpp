// How much may one host send, so that it keeps nobody else from being heard?
#include "scripts/horad/sender_limits.hpp"

#include <algorithm>

namespace hora::horad {

bool SenderLimits::admit(const std::string& host, Clock::time_point now) {
    constexpr std::size_t most_hosts = 65536;
    if (buckets_.size() >= most_hosts) {
        // A full bucket says no more than none.
        std::erase_if(buckets_, [&](const auto& entry) {
            const std::chrono::duration<double> idle = now - entry.second.filled;
            return entry.second.left + idle.count() * rate_ >= burst_;
        });
    }
    if (buckets_.size() >= most_hosts && !buckets_.contains(host)) {
        return false;
    }
    const auto place = buckets_.try_emplace(host, Bucket{burst_, now}).first;
    Bucket& bucket = place->second;
    const std::chrono::duration<double> passed = now - bucket.filled;
    bucket.left = std::min(burst_, bucket.left + passed.count() * rate_);
    bucket.filled = now;
    if (bucket.left < 1) {
        return false;
    }
    bucket.left -= 1;
    return true;
}

}  // namespace hora::horad

// How much may one sender, an address or a user, send?
#include "scripts/horad/progress/sender_limits.hpp"

#include <algorithm>

namespace hora::horad {

double SenderLimits::left(const Bucket& bucket, Clock::time_point now) const {
    const std::chrono::duration<double> passed = now - bucket.filled;
    return std::min(burst_, bucket.left + passed.count() * rate_);
}

bool SenderLimits::has_room(const std::string& sender, Clock::time_point now) const {
    const auto found = buckets_.find(sender);
    return found == buckets_.end() || left(found->second, now) >= 1;
}

bool SenderLimits::admit(const std::string& sender, Clock::time_point now) {
    constexpr std::size_t most_senders = 65536;
    if (buckets_.size() >= most_senders) {
        // A full bucket says no more than none.
        std::erase_if(buckets_,
                      [&](const auto& entry) { return left(entry.second, now) >= burst_; });
    }
    if (buckets_.size() >= most_senders && !buckets_.contains(sender)) {
        return false;
    }
    Bucket& bucket = buckets_.try_emplace(sender, Bucket{burst_, now}).first->second;
    bucket.left = left(bucket, now);
    bucket.filled = now;
    if (bucket.left < 1) {
        return false;
    }
    bucket.left -= 1;
    return true;
}

}  // namespace hora::horad

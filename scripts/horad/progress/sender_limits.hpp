// How much may one sender, an address or a user, send?
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>

namespace hora::horad {

struct SenderRate {
    double rate = 0;   // a second, for long
    double burst = 0;  // at once
};

// A bucket a sender.
class SenderLimits {
  public:
    using Clock = std::chrono::steady_clock;

    explicit SenderLimits(SenderRate rate) : rate_(rate.rate), burst_(rate.burst) {}

    // Is anything left to this sender? Counts as sent if so.
    bool admit(const std::string& sender, Clock::time_point now);
    // The same, and counts nothing.
    bool has_room(const std::string& sender, Clock::time_point now) const;

  private:
    struct Bucket {
        double left = 0;
        Clock::time_point filled;
    };

    double left(const Bucket& bucket, Clock::time_point now) const;

    double rate_;
    double burst_;
    std::map<std::string, Bucket, std::less<>> buckets_;
};

}  // namespace hora::horad

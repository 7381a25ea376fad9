// How much may one host send, so that it keeps nobody else from being heard?
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>

namespace hora::horad {

// A bucket a host: `burst` reports at once, `rate` a second for long.
class SenderLimits {
  public:
    using Clock = std::chrono::steady_clock;

    SenderLimits(double rate, double burst) : rate_(rate), burst_(burst) {}

    // May this host be heard now? Counts as heard if so.
    bool admit(const std::string& host, Clock::time_point now);

  private:
    struct Bucket {
        double left = 0;
        Clock::time_point filled;
    };

    double rate_;
    double burst_;
    std::map<std::string, Bucket, std::less<>> buckets_;
};

}  // namespace hora::horad

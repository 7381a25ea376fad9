// What a daemon may know, to test with: anything at random, or one small regular state.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "libplanner/domain/status.hpp"

namespace hora::testing {

inline std::string some_text() {
    const auto letters = *rc::gen::container<std::string>(
        rc::gen::elementOf(std::string("abcXYZ09 _-\"\\/<>&'{}[],:%$")));
    return letters.substr(0, 100);
}

inline std::int64_t some_time() {
    return *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 40);
}

template <class Make>
auto maybe(Make make) {
    return *rc::gen::arbitrary<bool>() ? std::optional(make()) : std::nullopt;
}

// Finite, and such that JSON's shortest form gives it back.
inline Seconds some_seconds() {
    return Seconds(*rc::gen::inRange(-1000000, 1000000) / 7.0);
}

inline domain::StatusJob some_status_job() {
    domain::StatusJob job;
    job.id = *rc::gen::arbitrary<std::uint32_t>();
    job.squeue_id = *rc::gen::elementOf(std::vector<std::string>{"", "12_3", "12_[4-7%2]", "12+1"});
    job.uid = *rc::gen::arbitrary<std::uint32_t>();
    job.user = some_text();
    job.name = some_text();
    job.partition = some_text();
    job.state = *rc::gen::elementOf(std::vector<std::string>{"PENDING", "RUNNING", "COMPLETING"});
    job.is_elastic = *rc::gen::arbitrary<bool>();
    job.gpus = *rc::gen::arbitrary<std::uint32_t>();
    job.nodes = *rc::gen::arbitrary<std::uint32_t>();
    job.requested = *rc::gen::arbitrary<std::uint32_t>();
    job.min = *rc::gen::arbitrary<std::uint32_t>();
    job.max = *rc::gen::arbitrary<std::uint32_t>();
    job.sizes = *rc::gen::elementOf(std::vector<std::string>{"", "powers", "1,2,4,8"});
    job.submitted = some_time();
    job.started = maybe(some_time);
    job.step = maybe([] { return *rc::gen::inRange<std::uint64_t>(0, 1ULL << 62); });
    job.epoch = maybe([] { return *rc::gen::inRange<std::uint64_t>(0, 1ULL << 62); });
    job.share = maybe([] { return *rc::gen::inRange(0, 1000) / 1000.0; });
    job.step_seconds = maybe(some_seconds);
    job.ends = maybe(some_time);
    job.gain = maybe(some_seconds);
    job.restarts = *rc::gen::arbitrary<std::uint32_t>();
    job.decision = maybe([] {
        return domain::StatusDecision{some_time(), *rc::gen::arbitrary<std::uint32_t>(),
                                      *rc::gen::arbitrary<bool>(), some_text()};
    });
    job.resize = maybe([] {
        return domain::StatusResize{*rc::gen::arbitrary<std::uint32_t>(),
                                    *rc::gen::arbitrary<std::uint32_t>(), some_text(), some_time(),
                                    some_text()};
    });
    job.held = maybe([] {
        return domain::StatusHold{*rc::gen::arbitrary<std::uint32_t>(),
                                  *rc::gen::arbitrary<std::uint32_t>(), some_text()};
    });
    job.stays = some_text();
    return job;
}

inline domain::Status some_status() {
    domain::Status status;
    status.cluster = some_text();
    status.host = some_text();
    status.written = some_time();
    status.started = some_time();
    status.interval = Seconds(*rc::gen::inRange(0, 100000) / 10.0);
    status.operating = "act";
    status.policy = "hora";
    status.gpus = *rc::gen::arbitrary<std::uint32_t>();
    status.idle = *rc::gen::arbitrary<std::uint32_t>();
    status.others_waiting = *rc::gen::arbitrary<std::uint32_t>();
    status.others_gpus = *rc::gen::arbitrary<std::uint32_t>();
    for (int i = *rc::gen::inRange(0, 5); i > 0; --i) {
        status.jobs.push_back(some_status_job());
    }
    for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
        status.next.push_back(
            {*rc::gen::arbitrary<std::uint32_t>(), *rc::gen::arbitrary<std::uint32_t>(),
             *rc::gen::arbitrary<std::uint32_t>(), maybe(some_time), some_text()});
    }
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
        status.remarks.push_back(some_text());
    }
    return status;
}

// Two jobs on four GPUs, one of them about to grow.
inline domain::Status small_status() {
    domain::Status status;
    status.cluster = "lab";
    status.host = "controller";
    status.written = 1700000000;
    status.started = 1699990000;
    status.interval = Seconds(5);
    status.operating = "act";
    status.policy = "hora";
    status.gpus = 4;
    status.idle = 1;
    domain::StatusJob job;
    job.id = 12;
    job.uid = 1000;
    job.user = "ada";
    job.name = "resnet";
    job.partition = "gpu";
    job.state = "RUNNING";
    job.is_elastic = true;
    job.gpus = 1;
    job.nodes = 1;
    job.requested = 1;
    job.min = 1;
    job.max = 4;
    job.submitted = 1699999000;
    job.started = 1699999060;
    job.step = 400;
    job.share = 0.25;
    job.step_seconds = Seconds(0.5);
    job.ends = 1700002000;
    job.gain = Seconds(600);
    job.decision = domain::StatusDecision{1699999990, 2, true, "one GPU idles"};
    job.resize = domain::StatusResize{1, 2, "checkpoint requested", 1699999991, "one GPU idles"};
    status.jobs.push_back(job);
    status.next.push_back({12, 2, 3, 1700000300, "when job 13 ends"});
    return status;
}

}  // namespace hora::testing

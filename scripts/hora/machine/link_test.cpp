// How fast does one GPU write to another?
#include "scripts/hora/machine/link_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "libplanner/base/median.hpp"

namespace hora::scripts {
namespace {

// Says that access was enabled before, which is as good.
constexpr CudaCalls::Result already_enabled = 704;
// What a file of measured bandwidths may hold; a link that took no time is beyond.
constexpr Bandwidth least_rate(1);
constexpr Bandwidth most_rate(1e15);
constexpr unsigned non_blocking = 1;  // of a stream: it does not wait for the default one

// One GPU with what the test needs there.
class End {
  public:
    End(const CudaDriver& driver, int number) : driver_(driver), number_(number) {}
    End(const End&) = delete;
    End& operator=(const End&) = delete;
    ~End() {
        if (context_ == nullptr) {
            return;
        }
        calls().set_context(context_);
        for (const CudaCalls::Event event : events_) {
            if (event != nullptr) {
                calls().destroy_event(event);
            }
        }
        if (stream_ != nullptr) {
            calls().destroy_stream(stream_);
        }
        if (memory_ != 0) {
            calls().release(memory_);
        }
        calls().set_context(nullptr);
        calls().release_context(device_);
    }

    Expected<void> prepare() {
        CudaCalls::Result result = calls().get_device(&device_, number_);
        const auto then = [&](auto step) { result = result == 0 ? step() : result; };
        then([&] { return calls().retain_context(&context_, device_); });
        then([&] { return calls().set_context(context_); });
        then([&] { return calls().allocate(&memory_, link_test_size); });
        then([&] { return calls().create_stream(&stream_, non_blocking); });
        then([&] { return calls().create_event(&events_[0], 0); });
        then([&] { return calls().create_event(&events_[1], 0); });
        return driver_.check(result, fmt::format("prepare GPU {}", number_));
    }

    // Whether this end reaches the other one's memory by itself.
    Expected<bool> reach(const End& other) {
        int can = 0;
        CudaCalls::Result result = calls().can_access(&can, device_, other.device_);
        if (result == 0 && can != 0) {
            result = calls().set_context(context_);
            result = result == 0 ? calls().enable_access(other.context_, 0) : result;
            result = result == already_enabled ? 0 : result;
        }
        const auto good =
            driver_.check(result, fmt::format("reach GPU {} from GPU {}", other.number_, number_));
        return good ? Expected<bool>(can != 0) : unexpected(good.error());
    }

    // One copy from here to there.
    Expected<Seconds> copy_to(const End& other) {
        float milliseconds = 0;
        CudaCalls::Result result = calls().set_context(context_);
        const auto then = [&](auto step) { result = result == 0 ? step() : result; };
        then([&] { return calls().record(events_[0], stream_); });
        then([&] {
            return calls().copy(other.memory_, other.context_, memory_, context_, link_test_size,
                                stream_);
        });
        then([&] { return calls().record(events_[1], stream_); });
        then([&] { return calls().wait(events_[1]); });
        then([&] { return calls().elapsed(&milliseconds, events_[0], events_[1]); });
        const auto good = driver_.check(
            result, fmt::format("copy from GPU {} to GPU {}", number_, other.number_));
        const Seconds time(static_cast<double>(milliseconds) / 1e3);
        if (!good) {
            return unexpected(good.error());
        }
        return time >= Seconds(0) && std::isfinite(time.count()) ? Expected<Seconds>(time)
                                                                 : distrust(other, time);
    }

    tl::unexpected<Error> distrust(const End& other, Seconds time) const {
        return failure(
            fmt::format("a copy from GPU {} to GPU {} takes {:g} s; CUDA's clock is not to be "
                        "trusted here",
                        number_, other.number_, time.count()));
    }

  private:
    const CudaCalls& calls() const { return driver_.calls(); }

    const CudaDriver& driver_;
    int number_;
    CudaCalls::Device device_ = 0;
    CudaCalls::Context context_ = nullptr;
    CudaCalls::Address memory_ = 0;
    CudaCalls::Stream stream_ = nullptr;
    std::array<CudaCalls::Event, 2> events_{};
};

Expected<Bandwidth> median_rate(End& from, const End& to) {
    std::array<Seconds, link_test_rounds> times{};
    for (int round = -link_test_warm_up; round < link_test_rounds; ++round) {
        const auto time = from.copy_to(to);
        if (!time) {
            return unexpected(time.error());
        }
        if (round >= 0) {
            times[static_cast<std::size_t>(round)] = *time;
        }
    }
    const Seconds middle = median(times);
    const Bandwidth rate(static_cast<double>(link_test_size) / middle.count());
    return rate >= least_rate && rate <= most_rate ? Expected<Bandwidth>(rate)
                                                   : from.distrust(to, middle);
}

}  // namespace

Expected<TestedLink> test_link(const CudaDriver& driver, int a, int b) {
    End one(driver, a);
    End other(driver, b);
    for (End* const end : {&one, &other}) {
        if (const auto ready = end->prepare(); !ready) {
            return unexpected(ready.error());
        }
    }
    const auto there = one.reach(other);
    const auto back = other.reach(one);
    if (!there || !back) {
        return unexpected(there ? back.error() : there.error());
    }
    const auto rate_there = median_rate(one, other);
    const auto rate_back = rate_there ? median_rate(other, one) : rate_there;
    if (!rate_back) {
        return unexpected(rate_back.error());
    }
    return TestedLink{std::min(*rate_there, *rate_back), *there && *back};
}

}  // namespace hora::scripts

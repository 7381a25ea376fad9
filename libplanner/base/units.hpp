// Which quantities Hora computes with, and how they combine: the unit lives in the type.
#pragma once

#include <compare>
#include <cstdint>

namespace hora {

// One physical quantity. Sizes and rates are doubles: exact for whole numbers up to 2^53.
template <class Tag>
class Quantity {
  public:
    constexpr Quantity() = default;
    constexpr explicit Quantity(double count) : count_(count) {}

    constexpr double count() const { return count_; }

    constexpr Quantity& operator+=(Quantity other) {
        count_ += other.count_;
        return *this;
    }
    friend constexpr Quantity operator+(Quantity a, Quantity b) {
        return Quantity(a.count_ + b.count_);
    }
    friend constexpr Quantity operator-(Quantity a, Quantity b) {
        return Quantity(a.count_ - b.count_);
    }
    friend constexpr Quantity operator*(Quantity a, double factor) {
        return Quantity(a.count_ * factor);
    }
    friend constexpr Quantity operator*(double factor, Quantity a) { return a * factor; }
    friend constexpr Quantity operator/(Quantity a, double divisor) {
        return Quantity(a.count_ / divisor);
    }
    friend constexpr double operator/(Quantity a, Quantity b) { return a.count_ / b.count_; }
    friend constexpr auto operator<=>(Quantity, Quantity) = default;

  private:
    double count_ = 0;
};

using Seconds = Quantity<struct SecondsTag>;
using Bytes = Quantity<struct BytesTag>;
using Bandwidth = Quantity<struct BandwidthTag>;  // bytes a second
using Flops = Quantity<struct FlopsTag>;          // operations; one multiply-add is two
using FlopRate = Quantity<struct FlopRateTag>;    // FLOP/s

constexpr Seconds operator/(Bytes size, Bandwidth bandwidth) {
    return Seconds(size.count() / bandwidth.count());
}
constexpr Seconds operator/(Flops work, FlopRate rate) {
    return Seconds(work.count() / rate.count());
}

namespace literals {
constexpr Seconds operator""_s(unsigned long long n) {
    return Seconds(static_cast<double>(n));
}
constexpr Seconds operator""_s(long double n) {
    return Seconds(static_cast<double>(n));
}
constexpr Seconds operator""_ms(unsigned long long n) {
    return Seconds(static_cast<double>(n) / 1e3);
}
constexpr Seconds operator""_us(unsigned long long n) {
    return Seconds(static_cast<double>(n) / 1e6);
}
constexpr Bytes operator""_GiB(unsigned long long n) {
    return Bytes(static_cast<double>(n) * 1073741824.0);
}
constexpr Bandwidth operator""_GBps(unsigned long long n) {
    return Bandwidth(static_cast<double>(n) * 1e9);
}
constexpr Bandwidth operator""_GBps(long double n) {
    return Bandwidth(static_cast<double>(n) * 1e9);
}
}  // namespace literals

}  // namespace hora

// How are counts multiplied without wrapping round, whatever an untrusted table says?
#pragma once

#include <algorithm>
#include <cstdint>

namespace hora::model {

// A whole number that stops at its top: a product of untrusted numbers stays comparable, and one
// check at the end finds what is too large.
class Count {
  public:
    static constexpr std::uint64_t top = std::uint64_t{1} << 62;

    constexpr Count() = default;
    constexpr explicit Count(std::uint64_t value) : value_(std::min(value, top)) {}

    constexpr std::uint64_t value() const { return value_; }
    // False at the top: the number may have been larger.
    constexpr bool is_exact() const { return value_ < top; }

    friend constexpr Count operator+(Count a, Count b) { return Count(a.value_ + b.value_); }
    friend constexpr Count operator*(Count a, Count b) {
        if (a.value_ != 0 && b.value_ > top / a.value_) {
            return Count(top);
        }
        return Count(a.value_ * b.value_);
    }
    constexpr Count& operator+=(Count other) { return *this = *this + other; }
    constexpr Count& operator*=(Count other) { return *this = *this * other; }
    friend constexpr auto operator<=>(Count, Count) = default;

  private:
    std::uint64_t value_ = 0;
};

}  // namespace hora::model

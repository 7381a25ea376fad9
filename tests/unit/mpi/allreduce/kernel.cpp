#include "plugins/mpi/allreduce/kernel.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace hora::mpi {
namespace {

template <class T>
class KernelOf : public testing::Test {};

template <class T>
constexpr Element element_of() {
    if constexpr (std::is_floating_point_v<T>) {
        return sizeof(T) == 4 ? Element::float32 : Element::float64;
    } else {
        constexpr int power = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
        return static_cast<Element>(power + (std::is_signed_v<T> ? 0 : 4));
    }
}

template <class T>
std::vector<T> reduced(Operation operation, const std::vector<T>& a, const std::vector<T>& b) {
    std::vector<T> out(a.size());
    kernel_of(element_of<T>(), operation)(reinterpret_cast<std::byte*>(out.data()),
                                          reinterpret_cast<const std::byte*>(a.data()),
                                          reinterpret_cast<const std::byte*>(b.data()), a.size());
    return out;
}

using Types = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                             std::uint16_t, std::uint32_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(KernelOf, Types);

TYPED_TEST(KernelOf, ReducesEachPair) {
    using T = TypeParam;
    const std::vector<T> a = {T(1), T(7), T(3)};
    const std::vector<T> b = {T(5), T(2), T(3)};
    EXPECT_EQ(size_of(element_of<T>()), sizeof(T));
    EXPECT_EQ(reduced(Operation::sum, a, b), (std::vector<T>{T(6), T(9), T(6)}));
    EXPECT_EQ(reduced(Operation::min, a, b), (std::vector<T>{T(1), T(2), T(3)}));
    EXPECT_EQ(reduced(Operation::max, a, b), (std::vector<T>{T(5), T(7), T(3)}));
}

TYPED_TEST(KernelOf, WrapsSumsOfIntegersAround) {
    using T = TypeParam;
    if constexpr (std::is_integral_v<T>) {
        const std::vector<T> largest = {std::numeric_limits<T>::max()};
        EXPECT_EQ(reduced(Operation::sum, largest, std::vector<T>{T(1)}),
                  std::vector<T>{std::numeric_limits<T>::min()});
    }
}

}  // namespace
}  // namespace hora::mpi

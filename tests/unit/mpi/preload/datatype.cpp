// Are the types and operations that Hora reduces those of MPI, and no others?
#include "plugins/mpi/preload/datatype.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace hora::mpi {
namespace {

struct NamedType {
    const char* name;
    MPI_Datatype type;
    Element element;
};

// On this machine: a long has 64 bits, and so has what MPI counts in.
const std::vector<NamedType>& types() {
    static const std::vector<NamedType> all = {
        {"float", MPI_FLOAT, Element::float32},
        {"double", MPI_DOUBLE, Element::float64},
        {"signed char", MPI_SIGNED_CHAR, Element::int8},
        {"unsigned char", MPI_UNSIGNED_CHAR, Element::uint8},
        {"short", MPI_SHORT, Element::int16},
        {"unsigned short", MPI_UNSIGNED_SHORT, Element::uint16},
        {"int", MPI_INT, Element::int32},
        {"unsigned", MPI_UNSIGNED, Element::uint32},
        {"long", MPI_LONG, Element::int64},
        {"unsigned long", MPI_UNSIGNED_LONG, Element::uint64},
        {"long long", MPI_LONG_LONG, Element::int64},
        {"long long int", MPI_LONG_LONG_INT, Element::int64},
        {"unsigned long long", MPI_UNSIGNED_LONG_LONG, Element::uint64},
        {"int8_t", MPI_INT8_T, Element::int8},
        {"int16_t", MPI_INT16_T, Element::int16},
        {"int32_t", MPI_INT32_T, Element::int32},
        {"int64_t", MPI_INT64_T, Element::int64},
        {"uint8_t", MPI_UINT8_T, Element::uint8},
        {"uint16_t", MPI_UINT16_T, Element::uint16},
        {"uint32_t", MPI_UINT32_T, Element::uint32},
        {"uint64_t", MPI_UINT64_T, Element::uint64},
        {"MPI_Aint", MPI_AINT, Element::int64},
        {"MPI_Count", MPI_COUNT, Element::int64},
        {"REAL*4", MPI_REAL4, Element::float32},
        {"REAL*8", MPI_REAL8, Element::float64},
        {"DOUBLE PRECISION", MPI_DOUBLE_PRECISION, Element::float64},
        {"INTEGER*4", MPI_INTEGER4, Element::int32},
        {"INTEGER*8", MPI_INTEGER8, Element::int64},
    };
    return all;
}

constexpr std::array elements = {
    Element::int8,   Element::int16,  Element::int32,  Element::int64,   Element::uint8,
    Element::uint16, Element::uint32, Element::uint64, Element::float32, Element::float64};

TEST(Datatype, IsThatOfCOrFortran) {
    for (const NamedType& test : types()) {
        EXPECT_EQ(element_of(test.type), test.element) << test.name;
    }
    // As long as the compiler of Fortran has them.
    for (const auto& [type, is_real] : {std::pair{MPI_REAL, true}, {MPI_INTEGER, false}}) {
        int size = 0;
        MPI_Type_size(type, &size);
        const Element four = is_real ? Element::float32 : Element::int32;
        const Element eight = is_real ? Element::float64 : Element::int64;
        EXPECT_EQ(element_of(type), size == 4 ? four : eight);
    }
}

TEST(Datatype, IsLeftToMpiWhereItIsNoNumberOrTwo) {
    const std::pair<const char*, MPI_Datatype> others[] = {
        {"none", MPI_DATATYPE_NULL},
        {"text", MPI_CHAR},
        {"wide text", MPI_WCHAR},
        {"bytes", MPI_BYTE},
        {"packed", MPI_PACKED},
        {"bool", MPI_C_BOOL},
        {"complex float", MPI_C_FLOAT_COMPLEX},
        {"complex double", MPI_C_DOUBLE_COMPLEX},
        {"a pair of int", MPI_2INT},
        {"double and int", MPI_DOUBLE_INT},
        {"long double", MPI_LONG_DOUBLE},
        {"LOGICAL", MPI_LOGICAL},
        {"COMPLEX", MPI_COMPLEX},
        {"DOUBLE COMPLEX", MPI_DOUBLE_COMPLEX},
        {"CHARACTER", MPI_CHARACTER},
        {"two REAL", MPI_2REAL},
        {"two INTEGER", MPI_2INTEGER},
    };
    for (const auto& [name, type] : others) {
        EXPECT_FALSE(element_of(type)) << name;
    }
}

TEST(Datatype, IsLeftToMpiWhereTheProgramMadeIt) {
    MPI_Datatype made[3] = {};
    MPI_Type_contiguous(1, MPI_FLOAT, &made[0]);
    MPI_Type_dup(MPI_DOUBLE, &made[1]);
    MPI_Type_vector(2, 1, 2, MPI_INT, &made[2]);
    for (MPI_Datatype& type : made) {
        MPI_Type_commit(&type);
        EXPECT_FALSE(element_of(type));
        MPI_Type_free(&type);
    }
}

TEST(Operation, IsASumALeastOrALargest) {
    EXPECT_EQ(operation_of(MPI_SUM), Operation::sum);
    EXPECT_EQ(operation_of(MPI_MIN), Operation::min);
    EXPECT_EQ(operation_of(MPI_MAX), Operation::max);
    for (const MPI_Op other :
         {MPI_OP_NULL, MPI_PROD, MPI_LAND, MPI_BAND, MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR,
          MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE, MPI_NO_OP}) {
        EXPECT_FALSE(operation_of(other));
    }
    MPI_Op own = MPI_OP_NULL;
    MPI_Op_create([](void*, void*, int*, MPI_Datatype*) {}, 1, &own);
    EXPECT_FALSE(operation_of(own));
    MPI_Op_free(&own);
}

template <class T>
void append(std::vector<std::byte>& to, T value) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
    to.insert(to.end(), bytes, bytes + sizeof value);
}

// Both ends of a type, and what lies about 0: each with each, where a sum is none too large.
template <class T>
void append_pairs(Operation operation, std::vector<std::byte>& a, std::vector<std::byte>& b) {
    const T ends[] = {std::numeric_limits<T>::lowest(),
                      std::numeric_limits<T>::max(),
                      static_cast<T>(-1),
                      T{0},
                      T{1},
                      static_cast<T>(100)};
    for (const T x : ends) {
        for (const T y : ends) {
            T sum{};
            bool is_too_large = false;
            if constexpr (std::is_integral_v<T>) {
                is_too_large = __builtin_add_overflow(x, y, &sum);
            }
            if (operation != Operation::sum || !is_too_large) {
                append(a, x);
                append(b, y);
            }
        }
    }
}

void append_pairs_of(Element element, Operation operation, std::vector<std::byte>& a,
                     std::vector<std::byte>& b) {
    switch (element) {
        case Element::int8:
            return append_pairs<std::int8_t>(operation, a, b);
        case Element::int16:
            return append_pairs<std::int16_t>(operation, a, b);
        case Element::int32:
            return append_pairs<std::int32_t>(operation, a, b);
        case Element::int64:
            return append_pairs<std::int64_t>(operation, a, b);
        case Element::uint8:
            return append_pairs<std::uint8_t>(operation, a, b);
        case Element::uint16:
            return append_pairs<std::uint16_t>(operation, a, b);
        case Element::uint32:
            return append_pairs<std::uint32_t>(operation, a, b);
        case Element::uint64:
            return append_pairs<std::uint64_t>(operation, a, b);
        case Element::float32:
            return append_pairs<float>(operation, a, b);
        case Element::float64:
            return append_pairs<double>(operation, a, b);
    }
}

TEST(Datatype, IsReducedAsMpiReducesIt) {
    for (const NamedType& test : types()) {
        int size = 0;
        MPI_Type_size(test.type, &size);
        ASSERT_EQ(size_of(test.element), static_cast<std::size_t>(size)) << test.name;
        for (const MPI_Op operation : {MPI_SUM, MPI_MIN, MPI_MAX}) {
            const Operation own = *operation_of(operation);
            std::vector<std::byte> a;
            std::vector<std::byte> b;
            append_pairs_of(test.element, own, a, b);
            const std::size_t count = a.size() / size_of(test.element);
            std::vector<std::byte> reduced(a.size());
            kernel_of(test.element, own)(reduced.data(), a.data(), b.data(), count);
            // Open MPI 4 compares an unsigned long as if it had a sign.
            const MPI_Datatype type = test.type == MPI_UNSIGNED_LONG ? MPI_UINT64_T : test.type;
            MPI_Reduce_local(a.data(), b.data(), static_cast<int>(count), type, operation);
            EXPECT_TRUE(reduced == b) << test.name << ", operation " << static_cast<int>(own);
        }
    }
}

TEST(Datatype, IsKnownForEachElement) {
    for (const Element element : elements) {
        EXPECT_TRUE(std::any_of(types().begin(), types().end(), [element](const NamedType& test) {
            return element_of(test.type) == element;
        }));
    }
}

}  // namespace
}  // namespace hora::mpi

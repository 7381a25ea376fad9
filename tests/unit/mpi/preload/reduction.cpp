// Is a reduction of the program's Hora's where Hora can do it, and MPI's where MPI is to answer?
#include "plugins/mpi/preload/reduction.hpp"

#include <gtest/gtest.h>

#include <climits>

namespace hora::mpi {
namespace {

struct Arguments {
    const void* from;
    void* into;
    int count;
    MPI_Datatype type;
    MPI_Op operation;
};

double sent[4];
double received[4];

struct Case {
    const char* sentence;
    Arguments arguments;
    const void* from;  // of the reduction; null: it is MPI's
    std::size_t bytes = 0;
};

TEST(Reduction, IsHorasWhereItsArgumentsAreRight) {
    const Case cases[] = {
        {"from one vector into another", {sent, received, 4, MPI_DOUBLE, MPI_SUM}, sent, 32},
        {"in place", {MPI_IN_PLACE, received, 4, MPI_DOUBLE, MPI_MIN}, received, 32},
        {"one element", {sent, received, 1, MPI_SIGNED_CHAR, MPI_MAX}, sent, 1},
        {"as many elements as MPI counts",
         {sent, received, INT_MAX, MPI_DOUBLE, MPI_SUM},
         sent,
         std::size_t{INT_MAX} * 8},
        {"no elements", {sent, received, 0, MPI_DOUBLE, MPI_SUM}, nullptr},
        {"no elements, no memory", {nullptr, nullptr, 0, MPI_DOUBLE, MPI_SUM}, nullptr},
        {"fewer than none", {sent, received, -1, MPI_DOUBLE, MPI_SUM}, nullptr},
        {"the least number", {sent, received, INT_MIN, MPI_DOUBLE, MPI_SUM}, nullptr},
        {"another type", {sent, received, 4, MPI_BYTE, MPI_SUM}, nullptr},
        {"no type", {sent, received, 4, MPI_DATATYPE_NULL, MPI_SUM}, nullptr},
        {"another operation", {sent, received, 4, MPI_DOUBLE, MPI_PROD}, nullptr},
        {"no operation", {sent, received, 4, MPI_DOUBLE, MPI_OP_NULL}, nullptr},
        {"from nowhere", {nullptr, received, 4, MPI_DOUBLE, MPI_SUM}, nullptr},
        {"into nowhere", {sent, nullptr, 4, MPI_DOUBLE, MPI_SUM}, nullptr},
        {"in place of nowhere", {MPI_IN_PLACE, nullptr, 4, MPI_DOUBLE, MPI_SUM}, nullptr},
        {"into itself, which is not how MPI has it",
         {received, received, 4, MPI_DOUBLE, MPI_SUM},
         nullptr},
        {"in place of in place", {MPI_IN_PLACE, MPI_IN_PLACE, 4, MPI_DOUBLE, MPI_SUM}, nullptr},
        {"into in place", {sent, MPI_IN_PLACE, 4, MPI_DOUBLE, MPI_SUM}, nullptr},
    };
    for (const Case& test : cases) {
        const auto& [from, into, count, type, operation] = test.arguments;
        const auto reduction = reduction_of(from, into, count, type, operation);
        ASSERT_EQ(reduction.has_value(), test.from != nullptr) << test.sentence;
        if (reduction) {
            EXPECT_EQ(reduction->from, test.from) << test.sentence;
            EXPECT_EQ(reduction->into, into) << test.sentence;
            EXPECT_EQ(reduction->bytes(), test.bytes) << test.sentence;
        }
    }
}

}  // namespace
}  // namespace hora::mpi

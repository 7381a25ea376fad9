// Whose reductions are Hora's, and do they end in any company and whatever becomes of their
// communicator? Started alone it starts itself on four ranks, which run these tests in one order.
#include "plugins/mpi/preload/session.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <vector>

#include "tests/unit/mpi/tests_on_four_ranks.hpp"

namespace hora::mpi {
namespace {

using domain::Allreduce;
using test::own_rank;

constexpr const char* mark = "HORA_SESSION_UNDER_MPI";
constexpr Choice ring{Allreduce::ring, true, false};

Reduction sum_of(const std::vector<double>& from, std::vector<double>& into) {
    return {.element = Element::float64,
            .operation = Operation::sum,
            .from = reinterpret_cast<const std::byte*>(from.data()),
            .into = reinterpret_cast<std::byte*>(into.data()),
            .count = from.size()};
}

// A reduction that is under way; each rank brings its number.
struct UnderWay {
    UnderWay(Engine& engine, std::size_t count)
        : from(count, own_rank()),
          into(count),
          request(session().begin(engine, sum_of(from, into))) {}
    bool is_right() const { return into == std::vector<double>(into.size(), 6); }

    std::vector<double> from;
    std::vector<double> into;
    MPI_Request request;
};

MPI_Comm duplicate() {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    return made;
}

// Before the session of the program begins, which the tests after this one are of.
TEST(Session, KnowsNothingBeforeItsBegin) {
    EXPECT_FALSE(session().is_active());
    EXPECT_FALSE(session().takes_nonblocking());
    EXPECT_FALSE(session().thread_level());
    EXPECT_FALSE(session().has_pending());
    EXPECT_EQ(session().engine_of(MPI_COMM_WORLD), nullptr);
    session().expect(MPI_COMM_WORLD);
    MPI_Request none = MPI_REQUEST_NULL;
    session().help(std::span(&none, 1), Session::Wait::all);
    session().help({}, Session::Wait::any);
}

TEST(Session, LeavesAllToMpiWhereOneRankAsksForIt) {
    struct Case {
        const char* sentence;
        Choice first;  // of the first rank; the others ask for the ring
        int given;     // to the first rank
        bool is_active;
        bool takes_nonblocking;
    };
    const Case cases[] = {
        {"one rank wants MPI's", {}, MPI_THREAD_MULTIPLE, false, false},
        {"one rank wants MPI's for what does not block",
         {Allreduce::ring, false, false},
         MPI_THREAD_MULTIPLE,
         true,
         false},
        {"on one rank MPI allows no threads", ring, MPI_THREAD_SERIALIZED, true, false},
    };
    for (const Case& test : cases) {
        auto* const own = new Session;  // MPI frees what it has attached at its end
        const bool is_first = own_rank() == 0;
        own->start(is_first ? test.first : ring, MPI_THREAD_FUNNELED,
                   is_first ? test.given : MPI_THREAD_MULTIPLE);
        EXPECT_EQ(own->is_active(), test.is_active) << test.sentence;
        EXPECT_EQ(own->takes_nonblocking(), test.takes_nonblocking) << test.sentence;
        EXPECT_EQ(own->thread_level(), MPI_THREAD_FUNNELED) << test.sentence;
        EXPECT_EQ(own->engine_of(MPI_COMM_WORLD) != nullptr, test.is_active) << test.sentence;
        own->stop();
        EXPECT_EQ(own->engine_of(MPI_COMM_WORLD), nullptr) << test.sentence;
    }
}

TEST(Session, HasAnEngineForRanksOfOneGroup) {
    session().start(ring, MPI_THREAD_SINGLE, MPI_THREAD_MULTIPLE);
    EXPECT_TRUE(session().takes_nonblocking());
    const auto world = session().engine_of(MPI_COMM_WORLD);
    EXPECT_NE(world, nullptr);
    EXPECT_EQ(session().engine_of(MPI_COMM_WORLD), world);
    EXPECT_TRUE(world != nullptr && world->takes_nonblocking());
    EXPECT_EQ(session().engine_of(MPI_COMM_NULL), nullptr);
    EXPECT_EQ(session().engine_of(MPI_COMM_SELF), nullptr);
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm between = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, own_rank() / 2, own_rank(), &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, own_rank() < 2 ? 2 : 0, 1, &between);
    EXPECT_NE(session().engine_of(half), nullptr);
    EXPECT_EQ(session().engine_of(between), nullptr);
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(half, &copy);
    EXPECT_NE(session().engine_of(copy), session().engine_of(half));
    MPI_Comm_free(&copy);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

// What is not made before would have to be made without waiting.
TEST(Session, TakesNonblockingWhereTheCommunicatorIsKnown) {
    MPI_Comm expected = duplicate();
    session().expect(expected);
    EXPECT_TRUE(session().engine_of(expected)->takes_nonblocking());
    MPI_Comm unknown = duplicate();
    const auto engine = session().engine_of(unknown);
    EXPECT_FALSE(engine->takes_nonblocking());
    const std::vector<double> from(3, own_rank());
    std::vector<double> into(3);
    session().allreduce(*engine, sum_of(from, into));
    EXPECT_EQ(into, std::vector<double>(3, 6));
    EXPECT_TRUE(engine->takes_nonblocking());
    session().expect(MPI_COMM_NULL);
    MPI_Comm_free(&expected);
    MPI_Comm_free(&unknown);
}

TEST(Session, HelpsUntilNoneAnyOrAllAreComplete) {
    const auto engine = session().engine_of(MPI_COMM_WORLD);
    MPI_Comm other = duplicate();
    session().expect(other);
    for (const std::size_t count : {1u, 1000u, 50000u}) {
        UnderWay a(*engine, count);
        UnderWay b(*session().engine_of(other), 2 * count);
        UnderWay c(*engine, 3);
        std::vector<MPI_Request> requests = {MPI_REQUEST_NULL, a.request, b.request, c.request};
        EXPECT_TRUE(session().has_pending());
        session().help({}, Session::Wait::all);
        session().help(requests, Session::Wait::no);
        session().help(requests, Session::Wait::any);
        int flag = 0;
        int index = MPI_UNDEFINED;
        MPI_Testany(4, requests.data(), &index, &flag, MPI_STATUS_IGNORE);
        EXPECT_TRUE(flag) << count;
        session().help(requests, Session::Wait::all);
        MPI_Testall(4, requests.data(), &flag, MPI_STATUSES_IGNORE);
        EXPECT_TRUE(flag) << count;
        EXPECT_TRUE(a.is_right() && b.is_right() && c.is_right()) << count;
    }
    EXPECT_FALSE(session().has_pending());
    MPI_Comm_free(&other);
}

// Another request is complete, and those that are Hora's need a rank that waits for this one.
TEST(Session, HelpsNoLongerThanUntilAnotherRequestIsComplete) {
    const auto engine = session().engine_of(MPI_COMM_WORLD);
    const bool is_late = own_rank() == 3;
    if (!is_late) {
        UnderWay under_way(*engine, 100);
        int token = 0;
        MPI_Request message = MPI_REQUEST_NULL;
        MPI_Isend(&token, 1, MPI_INT, 3, 9, MPI_COMM_WORLD, &message);
        const std::vector<MPI_Request> requests = {under_way.request, message};
        session().help(requests, Session::Wait::any);
        MPI_Wait(&message, MPI_STATUS_IGNORE);
        MPI_Send(&token, 1, MPI_INT, 3, 9, MPI_COMM_WORLD);
        MPI_Wait(&under_way.request, MPI_STATUS_IGNORE);
        EXPECT_TRUE(under_way.is_right());
        return;
    }
    for (const int from : {0, 0, 1, 1, 2, 2}) {
        int token = 0;
        MPI_Recv(&token, 1, MPI_INT, from, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    UnderWay under_way(*engine, 100);
    MPI_Wait(&under_way.request, MPI_STATUS_IGNORE);
    EXPECT_TRUE(under_way.is_right());
}

// MPI_Comm_free() marks it; what is under way goes on.
TEST(Session, EndsWhatIsUnderWayInACommunicatorThatIsFreed) {
    std::vector<std::unique_ptr<UnderWay>> all;
    std::vector<MPI_Request> requests;
    for (int i = 0; i < 20; ++i) {
        MPI_Comm made = duplicate();
        session().expect(made);
        all.push_back(std::make_unique<UnderWay>(*session().engine_of(made), 100));
        requests.push_back(all.back()->request);
        MPI_Comm_free(&made);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (const auto& one : all) {
        EXPECT_TRUE(one->is_right());
    }
    EXPECT_FALSE(session().has_pending());
}

// MPI completes it without a call that helps.
TEST(Session, GoesOnInTheBackground) {
    UnderWay under_way(*session().engine_of(MPI_COMM_WORLD), 20000);
    MPI_Status status;
    MPI_Wait(&under_way.request, &status);
    EXPECT_TRUE(under_way.is_right());
    int is_cancelled = 1;
    int count = -1;
    MPI_Test_cancelled(&status, &is_cancelled);
    MPI_Get_count(&status, MPI_BYTE, &count);
    EXPECT_EQ(is_cancelled, 0);
    EXPECT_EQ(count, 0);
}

TEST(Session, IsOverAfterItsEnd) {
    MPI_Comm kept = duplicate();
    session().expect(kept);
    session().stop();
    EXPECT_FALSE(session().is_active());
    EXPECT_EQ(session().engine_of(MPI_COMM_WORLD), nullptr);
    session().expect(MPI_COMM_WORLD);
    session().stop();
    MPI_Comm_free(&kept);
}

}  // namespace
}  // namespace hora::mpi

int main(int argc, char** argv) {
    return hora::mpi::test::run_on_four_ranks(argc, argv, hora::mpi::mark, MPI_THREAD_MULTIPLE);
}

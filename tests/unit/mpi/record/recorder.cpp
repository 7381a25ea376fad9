// Is the record that of the calls that were made, with the same names on all ranks?
// Started alone it starts itself on four ranks, all of which run the same tests.
#include "plugins/mpi/record/recorder.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <barrier>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "libplanner/read/file.hpp"
#include "libplanner/read/trace/rank_record.hpp"
#include "tests/unit/mpi/tests_on_four_ranks.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::mpi {
namespace {

using test::own_rank;
using test::ranks;

constexpr const char* mark = "HORA_RECORDER_UNDER_MPI";

BegunCall call(const char* operation, std::uint64_t sequence = 0) {
    return {.operation = operation, .sequence = sequence};
}

// The first rank's, which all of them write into; gone when all are done with it.
class SharedFolder {
  public:
    SharedFolder() {
        std::array<char, 4096> path{};
        folder_.path().copy(path.data(), path.size() - 1);
        MPI_Bcast(path.data(), static_cast<int>(path.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
        path_ = path.data();
    }
    ~SharedFolder() { MPI_Barrier(MPI_COMM_WORLD); }
    std::string file(const std::string& name) const { return path_ + "/" + name; }

  private:
    tests::ScratchFolder folder_;
    std::string path_;
};

std::function<const char*(const char*)> variables(std::map<std::string, std::string> values) {
    return [values = std::move(values)](const char* name) {
        const auto found = values.find(name);
        return found == values.end() ? nullptr : found->second.c_str();
    };
}

std::vector<std::string> files_of_rank(const std::string& folder, int rank) {
    std::vector<std::string> files;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
        if (entry.path().filename().string().starts_with(std::to_string(rank) + "-")) {
            files.push_back(entry.path().string());
        }
    }
    return files;
}

domain::RankRecord read_back(const std::string& folder) {
    const auto files = files_of_rank(folder, own_rank());
    EXPECT_EQ(files.size(), 1u);
    const auto text = read::read_file(files.empty() ? folder : files.front());
    const auto record = read::read_rank_record(text.value_or(""));
    EXPECT_TRUE(record.has_value()) << (record ? "" : record.error().message);
    return record.value_or(domain::RankRecord());
}

// From the start of a recorder until it is stopped and its file is read.
class OneRecord {
  public:
    explicit OneRecord(std::map<std::string, std::string> more = {}) {
        more.emplace("HORA_TRACE_DIR", trace());
        recorder_.start(variables(std::move(more)));
    }
    Recorder& operator*() { return recorder_; }
    Recorder* operator->() { return &recorder_; }
    domain::RankRecord end() {
        recorder_.stop();
        return read_back(trace());
    }

  private:
    std::string trace() const { return folder_.file("trace/3.0"); }

    SharedFolder folder_;
    Recorder recorder_;
};

std::vector<std::string> names_of(const domain::RankRecord& record) {
    std::vector<std::string> names;
    for (const auto& communicator : record.communicators) {
        names.push_back(communicator.name);
    }
    return names;
}

// -- communicators -----------------------------------------------------------

MPI_Comm made_by_split(int color, int key) {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, color, key, &made);
    return made;
}

// "" where the rank is in none. The number in brackets depends on the order of all ranks.
struct NamedCommunicator {
    const char* sentence;
    int (*color)(int rank);
    int (*key)(int rank);
    std::array<const char*, ranks> names;
};

const NamedCommunicator named_communicators[] = {
    {"all ranks in their order are not the world",
     [](int) { return 0; },
     [](int rank) { return rank; },
     {"0-3", "0-3", "0-3", "0-3"}},
    {"a second one of the same ranks has a number",
     [](int) { return 0; },
     [](int rank) { return rank; },
     {"0-3 #2", "0-3 #2", "0-3 #2", "0-3 #2"}},
    {"each second rank",
     [](int rank) { return rank % 2; },
     [](int rank) { return rank; },
     {"0-2:2", "1-3:2", "0-2:2", "1-3:2"}},
    {"neighbours",
     [](int rank) { return rank / 2; },
     [](int rank) { return rank; },
     {"0-1", "0-1", "2-3", "2-3"}},
    {"each third rank, and two neighbours",
     [](int rank) { return rank % 3 == 0 ? 0 : 1; },
     [](int rank) { return rank; },
     {"0-3:3", "1-2", "1-2", "0-3:3"}},
    {"one rank alone", [](int rank) { return rank; }, [](int) { return 0; }, {"0", "1", "2", "3"}},
    {"a gap that is not regular, and one that has no communicator",
     [](int rank) { return rank == 2 ? MPI_UNDEFINED : 0; },
     [](int rank) { return rank; },
     {"3 of 0,1 (", "3 of 0,1 (", "", "3 of 0,1 ("}},
    {"the other way round",
     [](int) { return 0; },
     [](int rank) { return -rank; },
     {"4 of 3,2 (", "4 of 3,2 (", "4 of 3,2 (", "4 of 3,2 ("}},
    {"another order that begins the same",
     [](int) { return 0; },
     [](int rank) {
         return rank == 3 ? 0 : rank == 2 ? 1 : rank == 0 ? 2 : 3;
     },
     {"4 of 3,2 (", "4 of 3,2 (", "4 of 3,2 (", "4 of 3,2 ("}},
};

TEST(Recorder, NamesACommunicatorByItsRanks) {
    OneRecord run;
    for (const NamedCommunicator& test : named_communicators) {
        MPI_Comm made = made_by_split(test.color(own_rank()), test.key(own_rank()));
        run->expect(made);
        run->expect(made);  // it is known
        if (made != MPI_COMM_NULL) {
            MPI_Comm_free(&made);
        }
    }
    const auto record = run.end();
    const auto names = names_of(record);
    const std::string last = names.empty() ? "" : names.back();
    std::array<char, 64> first{};
    last.copy(first.data(), first.size() - 1);
    MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
    std::size_t next = 1;
    ASSERT_FALSE(record.communicators.empty());
    EXPECT_EQ(record.communicators[0].name, "world");
    EXPECT_EQ(record.communicators[0].ranks, 4u);
    EXPECT_EQ(record.communicators[0].nodes, 1u);
    EXPECT_EQ(record.communicators[0].rank, static_cast<std::uint32_t>(own_rank()));
    for (const NamedCommunicator& test : named_communicators) {
        const std::string expected = test.names[static_cast<std::size_t>(own_rank())];
        if (expected.empty()) {
            continue;
        }
        ASSERT_LT(next, record.communicators.size()) << test.sentence;
        const std::string& name = record.communicators[next++].name;
        if (expected.ends_with("(")) {
            EXPECT_TRUE(name.starts_with(expected)) << test.sentence << ": " << name;
            EXPECT_TRUE(name.ends_with(')')) << test.sentence << ": " << name;
        } else {
            EXPECT_EQ(name, expected) << test.sentence;
        }
    }
    EXPECT_EQ(next, record.communicators.size());
    // The reader refuses a name that is given twice.
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    EXPECT_EQ(last, first.data()) << "the last ones hold all ranks, and have one name on each";
}

TEST(Recorder, LeavesOutACommunicatorBetweenTwoGroups) {
    OneRecord run;
    MPI_Comm half = made_by_split(own_rank() / 2, own_rank());
    MPI_Comm between = MPI_COMM_NULL;
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, own_rank() < 2 ? 2 : 0, 1, &between);
    run->expect(between);
    const BegunCall begun = run->begin({"Barrier", between, 0, no_peer});
    EXPECT_EQ(begun.communicator, nullptr);
    run->end(begun, no_peer);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    const auto record = run.end();
    EXPECT_EQ(names_of(record), std::vector<std::string>{"world"});
    EXPECT_TRUE(record.calls.empty());
}

// What a call makes that is not intercepted is known from its first use, which may be that of
// several threads.
TEST(Recorder, KnowsACommunicatorOnceWhicheverThreadUsesItFirst) {
    constexpr std::size_t rounds = 10000;
    constexpr int threads = 4;
    OneRecord run;
    if (own_rank() == 0) {
        std::array<MPI_Comm, rounds> made{};
        for (MPI_Comm& one : made) {
            MPI_Comm_dup(MPI_COMM_SELF, &one);
        }
        std::barrier all(threads);
        const auto use = [&] {
            for (const MPI_Comm one : made) {
                all.arrive_and_wait();
                run->end(run->begin({"Send", one, 8, 0}), no_peer);
            }
        };
        std::vector<std::thread> users;
        for (int i = 0; i < threads; ++i) {
            users.emplace_back(use);
        }
        for (std::thread& user : users) {
            user.join();
        }
        for (MPI_Comm& one : made) {
            MPI_Comm_free(&one);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const auto record = run.end();
    const std::size_t used = own_rank() == 0 ? rounds : 0;
    EXPECT_EQ(record.communicators.size(), 1 + used);
    EXPECT_EQ(record.calls.size(), threads * used);
}

// As many as the reader takes.
TEST(Recorder, LeavesOutCommunicatorsBeyondTheBound) {
    constexpr std::size_t most = 65536;
    OneRecord run;
    BegunCall begun;
    if (own_rank() == 0) {
        for (std::size_t i = 1; i <= most; ++i) {
            MPI_Comm made = MPI_COMM_NULL;
            MPI_Comm_dup(MPI_COMM_SELF, &made);
            begun = run->begin({"Send", made, 8, 0});
            EXPECT_EQ(begun.communicator == nullptr, i == most);
            MPI_Comm_free(&made);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const auto record = run.end();
    EXPECT_EQ(record.communicators.size(), own_rank() == 0 ? most : 1);
}

// -- calls -------------------------------------------------------------------

struct DescribedCall {
    const char* sentence;
    Description description;
    int source;  // by the status
    bool is_recorded;
    std::uint64_t sequence = 0;
    std::optional<std::uint32_t> peer{};
};

TEST(Recorder, WritesTheCallsThatHaveAPeerOrNeedNone) {
    const MPI_Comm world = MPI_COMM_WORLD;
    const DescribedCall calls[] = {
        {"a collective", {"Barrier", world, 0, no_peer}, no_peer, true, 0},
        {"a send", {"Send", world, 8, 3}, no_peer, true, 0, 3},
        {"is counted by itself", {"Recv", world, 8, 0}, 2, true, 1, 0},
        {"the status shows the peer", {"Recv", world, 8, MPI_ANY_SOURCE}, 2, true, 2, 2},
        {"to MPI_PROC_NULL", {"Send", world, 8, MPI_PROC_NULL}, no_peer, false},
        {"from MPI_PROC_NULL, by the status",
         {"Recv", world, 8, MPI_ANY_SOURCE},
         MPI_PROC_NULL,
         false},
        {"a receive that was cancelled",
         {"Irecv", world, 8, MPI_ANY_SOURCE},
         MPI_ANY_SOURCE,
         false},
        {"no function", {nullptr, world, 8, no_peer}, no_peer, false},
        {"no communicator", {"Barrier", MPI_COMM_NULL, 0, no_peer}, no_peer, false},
        {"what went to MPI_PROC_NULL has no number", {"Isend", world, 8, 0}, no_peer, true, 5, 0},
        {"the second collective",
         {"AllReduce", world, std::uint64_t{1} << 53, no_peer},
         no_peer,
         true,
         1},
    };
    OneRecord run;
    for (const DescribedCall& test : calls) {
        run->end(run->begin(test.description), test.source);
    }
    const auto record = run.end();
    std::size_t next = 0;
    for (const DescribedCall& test : calls) {
        if (!test.is_recorded) {
            continue;
        }
        ASSERT_LT(next, record.calls.size()) << test.sentence;
        const auto& found = record.calls[next++];
        EXPECT_EQ(record.operations[found.operation], test.description.operation) << test.sentence;
        EXPECT_EQ(found.bytes, Bytes(static_cast<double>(test.description.bytes))) << test.sentence;
        EXPECT_EQ(found.sequence, test.sequence) << test.sentence;
        EXPECT_EQ(found.peer, test.peer) << test.sentence;
        EXPECT_LE(found.begin, found.end) << test.sentence;
    }
    EXPECT_EQ(next, record.calls.size());
}

TEST(Recorder, WritesACallWhoseCommunicatorIsGone) {
    OneRecord run;
    MPI_Comm made = made_by_split(0, own_rank());
    const BegunCall begun = run->begin({"Ibarrier", made, 0, no_peer});
    MPI_Comm_free(&made);
    run->end(begun, no_peer);
    const auto record = run.end();
    ASSERT_EQ(record.calls.size(), 1u);
    EXPECT_EQ(record.communicators[record.calls[0].communicator].name, "0-3");
}

TEST(Recorder, WritesNothingAfterItsEnd) {
    OneRecord run;
    const BegunCall begun = run->begin({"Barrier", MPI_COMM_WORLD, 0, no_peer});
    EXPECT_TRUE(run->is_on());
    const auto record = run.end();
    EXPECT_FALSE(run->is_on());
    run->end(begun, no_peer);
    run->expect(MPI_COMM_SELF);
    run->stop();
    const auto again = run.end();
    EXPECT_EQ(again.calls.size(), record.calls.size());
    EXPECT_EQ(again.communicators.size(), 1u);
}

TEST(Recorder, TellsStepsOfTheFirstRankUntilItsEnd) {
    const SharedFolder folder;
    const std::string progress = folder.file("progress.jsonl");
    OneRecord run({{"HORA_PROGRESS", progress}});
    if (own_rank() == 0) {
        std::ofstream(progress) << "{\"step\":1}\n";
    }
    MPI_Barrier(MPI_COMM_WORLD);
    run->end(run->begin({"Barrier", MPI_COMM_WORLD, 0, no_peer}), no_peer);
    if (own_rank() == 0) {
        std::ofstream(progress, std::ios::app) << "{\"step\":2}\n{\"step\":3}";
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const auto record = run.end();
    ASSERT_EQ(record.steps.size(), own_rank() == 0 ? 2u : 0u);
    for (std::size_t i = 0; i < record.steps.size(); ++i) {
        EXPECT_EQ(record.steps[i].step, i + 1);
    }
}

// -- begin of the record -----------------------------------------------------

TEST(Recorder, IsOffWhereItIsNotAskedFor) {
    for (const char* const value : {static_cast<const char*>(nullptr), ""}) {
        Recorder own;
        own.start([value](const char*) { return value; });
        EXPECT_FALSE(own.is_on());
        own.expect(MPI_COMM_WORLD);
        own.stop();
    }
}

TEST(Recorder, IsOfTheRanksThatAreAskedForOne) {
    const SharedFolder folder;
    const std::string place = folder.file("some//deep/trace/");
    const bool is_asked = own_rank() % 2 == 1;
    Recorder own;
    own.start(variables(is_asked ? std::map<std::string, std::string>{{"HORA_TRACE_DIR", place}}
                                 : std::map<std::string, std::string>{}));
    EXPECT_EQ(own.is_on(), is_asked);
    own.stop();
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(files_of_rank(place, own_rank()).size(), is_asked ? 1u : 0u);
    for (const char* const part : {"some", "some/deep", "some/deep/trace"}) {
        struct stat found {};
        EXPECT_EQ(stat(folder.file(part).c_str(), &found), 0);
        EXPECT_EQ(found.st_mode & 0777, 0700u) << part;
    }
}

TEST(Recorder, GoesOnWithoutWhereTheFolderCannotBeMade) {
    const SharedFolder folder;
    const std::string file = folder.file("file");
    if (own_rank() == 0) {
        std::ofstream(file) << "no folder";
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (const std::string& place : {file, file + "/trace", std::string(5000, 'x')}) {
        const bool is_possible = own_rank() == 3;
        Recorder own;
        own.start(variables({{"HORA_TRACE_DIR", is_possible ? folder.file("trace") : place}}));
        EXPECT_EQ(own.is_on(), is_possible);
        own.stop();
        if (is_possible) {
            std::filesystem::remove_all(folder.file("trace"));
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

// -- calls that end with their requests --------------------------------------

MPI_Request request_of(int number) {
    MPI_Request request = MPI_REQUEST_NULL;
    static char places[16];
    static_assert(sizeof request <= sizeof(std::uintptr_t));
    const auto value = reinterpret_cast<std::uintptr_t>(&places[number]);
    std::memcpy(&request, &value, sizeof request);
    return request;
}

TEST(PendingCalls, OfOneRequestEndInTheOrderInWhichTheyBegan) {
    PendingCalls pending;
    EXPECT_TRUE(pending.is_empty());
    EXPECT_FALSE(pending.take(request_of(1)));
    for (std::uint64_t i = 0; i < 100; ++i) {
        pending.add(request_of(1), call("Isend", i));
        pending.add(request_of(2), call("Irecv", i));
    }
    for (std::uint64_t i = 0; i < 100; ++i) {
        const auto first = pending.take(request_of(1));
        ASSERT_TRUE(first);
        EXPECT_EQ(first->sequence, i);
        EXPECT_STREQ(first->operation, "Isend");
    }
    EXPECT_FALSE(pending.take(request_of(1)));
    EXPECT_FALSE(pending.is_empty());
    EXPECT_EQ(pending.take(request_of(2))->sequence, 0u);
}

// The process's recorder is started once.
TEST(Completions, EndWhatIsOverAndLeaveTheRestPending) {
    const SharedFolder folder;
    const std::string place = folder.file("trace");
    recorder().start(variables({{"HORA_TRACE_DIR", place}}));
    const auto begin = [](const char* operation, int peer, int request) {
        recorder().end_later(recorder().begin({operation, MPI_COMM_WORLD, 8, peer}),
                             request_of(request));
    };
    const auto source = [](std::size_t i) { return static_cast<int>(i); };

    begin("first", 1, 1);
    begin("second", 1, 1);
    begin("other", MPI_ANY_SOURCE, 2);
    {
        const Completions none(std::span<const MPI_Request>{});
        EXPECT_FALSE(none.are_any());
    }
    {
        const std::array list = {MPI_REQUEST_NULL, request_of(1)};
        const Completions sends(list);
        EXPECT_TRUE(sends.are_any());
        EXPECT_FALSE(sends.need_status());
    }
    {
        const std::array list = {MPI_REQUEST_NULL, request_of(1), request_of(9), request_of(1)};
        const Completions not_over(list);
        EXPECT_TRUE(not_over.are_any());
    }
    {
        const std::array list = {request_of(9), request_of(1), request_of(1)};
        Completions one(list);
        one.end_one(MPI_UNDEFINED, source);
        one.end_one(-1, source);
        one.end_one(0, source);  // not recorded
        one.end_one(1, source);
    }
    {
        const std::array list = {request_of(2), request_of(1)};
        Completions some(list);
        EXPECT_TRUE(some.need_status());
        const std::array<int, 2> indices = {1, 0};
        some.end_some(indices, source);
    }
    EXPECT_TRUE(recorder().pending().is_empty());
    begin("failed", 1, 1);
    begin("waits", 1, 2);
    {
        // As a call leaves it that failed: MPI may give the same request to a call to come.
        std::array list = {request_of(1), request_of(2)};
        const Completions failed(list);
        list[0] = MPI_REQUEST_NULL;
    }
    EXPECT_FALSE(recorder().pending().take(request_of(1)));
    EXPECT_TRUE(recorder().pending().take(request_of(2)));
    begin("last", MPI_ANY_SOURCE, 1);
    begin("cancelled", MPI_ANY_SOURCE, 2);
    {
        const std::array list = {request_of(2), MPI_REQUEST_NULL, request_of(1)};
        Completions all(list);
        all.end_all([](std::size_t i) { return i == 0 ? MPI_ANY_SOURCE : 2; });
    }
    recorder().stop();
    const auto record = read_back(place);
    std::vector<std::pair<std::string, std::uint32_t>> ended;
    for (const auto& one : record.calls) {
        ended.emplace_back(record.operations[one.operation], one.peer.value_or(99));
    }
    const std::vector<std::pair<std::string, std::uint32_t>> expected = {
        {"first", 1}, {"second", 1}, {"other", 1}, {"last", 2}};
    EXPECT_EQ(ended, expected);
}

}  // namespace
}  // namespace hora::mpi

int main(int argc, char** argv) {
    return hora::mpi::test::run_on_four_ranks(argc, argv, hora::mpi::mark, MPI_THREAD_MULTIPLE);
}

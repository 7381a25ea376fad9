#include "contrib/nccl/socket.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <netdb.h>
#include <sys/resource.h>

#include <csignal>
#include <cstring>
#include <thread>
#include <vector>

#include "tests/unit/contrib/nccl/processes.hpp"

namespace {

// A name with two addresses, of which the first is `first`; it is no name of the system's.
constexpr const char* two_addresses = "two.addresses.invalid";
constexpr const char* first = "127.0.0.2";
constexpr const char* no_address = "no.address.invalid";

}  // namespace

extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints,
                           addrinfo** found) {
    static const auto next =
        reinterpret_cast<decltype(&getaddrinfo)>(dlsym(RTLD_NEXT, "getaddrinfo"));
    if (std::strcmp(name, no_address) == 0) {
        return EAI_NONAME;
    }
    if (std::strcmp(name, two_addresses) != 0) {
        return next(name, service, hints, found);
    }
    const int error = next(first, service, hints, found);
    return error != 0 ? error : next("127.0.0.1", service, hints, &(*found)->ai_next);
}

namespace hora::trainer {
namespace {

using namespace std::chrono_literals;

Clock::time_point soon() {
    return Clock::now() + 30s;
}

std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text));
}

struct Pair {
    Socket one;
    Socket other;
};
Pair connected() {
    const std::uint16_t port = free_port();
    const auto listener = listen_at("127.0.0.1", port);
    EXPECT_TRUE(listener);
    auto one = connect_to("127.0.0.1", port, soon());
    EXPECT_TRUE(one && listener->waits_for_input(soon()));
    return {std::move(*one), accept_from(*listener).value_or(Socket())};
}

std::string received(const Socket& socket, std::size_t size, Clock::time_point until = soon()) {
    std::string text(size, '\0');
    const auto outcome = socket.receive(std::as_writable_bytes(std::span(text)), until);
    return outcome ? text : outcome.error().message;
}

TEST(Socket, IsReachedByTheNameThatItListensAt) {
    for (const std::string name : {"127.0.0.1", "localhost", "127.0.1.1", "127.1", "0.0.0.0"}) {
        const std::uint16_t port = free_port();
        const auto listener = listen_at(name, port);
        ASSERT_TRUE(listener) << name << ": " << listener.error().message;
        const auto socket = connect_to(name, port, soon());
        EXPECT_TRUE(socket) << name << ": " << socket.error().message;
        EXPECT_TRUE(listener->waits_for_input(soon())) << name;
        EXPECT_TRUE(accept_from(*listener).value_or(Socket()).is_open()) << name;
    }
}

// Of this machine are its addresses, and no name that looks like one.
TEST(Socket, IsReachedFromElsewhereByAnyOtherName) {
    for (const std::string name : {"127.example.org", "n1", "10.0.0.1"}) {
        const std::uint16_t port = free_port();
        const auto listener = listen_at(name, port);
        ASSERT_TRUE(listener) << name << ": " << listener.error().message;
        EXPECT_TRUE(connect_to("127.0.0.3", port, soon())) << name;
    }
}

TEST(Socket, TakesAPortThatIsFree) {
    const char* const names[] = {"127.0.0.1", "localhost", "n1"};
    for (const char* const one : names) {
        for (const char* const other : names) {
            const std::uint16_t port = free_port();
            const auto listener = listen_at(one, port);
            ASSERT_TRUE(listener) << one;
            EXPECT_FALSE(listen_at(other, port)) << one << ", then " << other;
        }
    }
}

// A machine that a firewall hides never answers; the next address of the name must have its turn.
TEST(Socket, TriesTheNextAddressWhereOneDoesNotAnswer) {
    const std::uint16_t port = free_port();
    const auto listener = listen_at("127.0.0.1", port);
    ASSERT_TRUE(listener);
    const int silent = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const Socket owner(silent);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    ASSERT_EQ(inet_pton(AF_INET, first, &address.sin_addr), 1);
    ASSERT_EQ(bind(silent, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    ASSERT_EQ(listen(silent, 0), 0);
    std::vector<Socket> waiting;
    while (auto one = connect_to(first, port, Clock::now() + 200ms)) {  // until it is full
        waiting.push_back(std::move(*one));
        ASSERT_LT(waiting.size(), 100U);
    }
    const auto until = Clock::now() + 6s;
    EXPECT_TRUE(connect_to(two_addresses, port, until));
    EXPECT_LT(Clock::now(), until) << "too late for a machine that is further away";
}

TEST(Socket, SaysWhyItCannotConnect) {
    const std::uint16_t port = free_port();
    const auto refused = connect_to(two_addresses, port, soon());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "Connection refused");
    EXPECT_FALSE(connect_to(no_address, port, soon()));
}

TEST(Socket, PutsTogetherWhatComesInParts) {
    const Pair pair = connected();
    const std::string text(1 << 20, 'x');
    std::thread sender([&] {
        for (std::size_t at = 0; at < text.size(); at += 4093) {
            const std::string part = text.substr(at, 4093);
            EXPECT_TRUE(pair.one.send(bytes_of(part), soon()));
        }
    });
    EXPECT_EQ(received(pair.other, text.size()), text);
    sender.join();
}

TEST(Socket, GivesUpOnASilentPeer) {
    const Pair pair = connected();
    ASSERT_TRUE(pair.one.send(bytes_of("half"), soon()));
    EXPECT_EQ(received(pair.other, 8, Clock::now() + 50ms), "nothing comes");
    EXPECT_EQ(received(pair.other, 0, Clock::now()), "");
    const std::string much(1 << 24, 'x');
    const auto sent = pair.one.send(bytes_of(much), Clock::now() + 50ms);
    ASSERT_FALSE(sent);
    EXPECT_EQ(sent.error().message, "it takes nothing");
}

TEST(Socket, NoticesTheEnd) {
    Pair pair = connected();
    EXPECT_FALSE(pair.other.has_ended());
    ASSERT_TRUE(pair.one.send(bytes_of("last"), soon()));
    pair.one.close();
    ASSERT_TRUE(pair.other.waits_for_input(soon()));
    EXPECT_EQ(received(pair.other, 4), "last");
    EXPECT_EQ(received(pair.other, 1), "it has ended the connection");
    EXPECT_TRUE(pair.other.has_ended());
    EXPECT_FALSE(pair.other.send(bytes_of(std::string(1 << 24, 'x')), soon()));
}

extern "C" void ignore(int /*signal*/) {}

TEST(Socket, WaitsThroughSignals) {
    const Pair pair = connected();
    struct sigaction action = {};
    struct sigaction before = {};
    action.sa_handler = ignore;  // and no SA_RESTART
    sigaction(SIGALRM, &action, &before);
    const itimerval often{.it_interval = {.tv_sec = 0, .tv_usec = 500},
                          .it_value = {.tv_sec = 0, .tv_usec = 500}};
    const itimerval never{};
    setitimer(ITIMER_REAL, &often, nullptr);
    EXPECT_EQ(received(pair.other, 4, Clock::now() + 50ms), "nothing comes");
    std::thread sender([&] { EXPECT_TRUE(pair.one.send(bytes_of("word"), soon())); });
    EXPECT_EQ(received(pair.other, 4), "word");
    sender.join();
    setitimer(ITIMER_REAL, &never, nullptr);
    sigaction(SIGALRM, &before, nullptr);
}

// poll() itself may fail, and goes on to.
TEST(Socket, EndsItsWaitWhereItCannotWait) {
    Process one([] {
        const Pair pair = connected();
        const rlimit none{};
        setrlimit(RLIMIT_NOFILE, &none);
        return received(pair.other, 4, Clock::time_point::max());
    });
    EXPECT_EQ(one.result(), "nothing comes");
}

TEST(Milliseconds, AreAtLeastOneWhereThereIsTimeLeft) {
    const auto now = Clock::now();
    EXPECT_EQ(milliseconds_until(now - 1h, now), 0);
    EXPECT_EQ(milliseconds_until(now, now), 0);
    EXPECT_EQ(milliseconds_until(now + 1ns, now), 1);
    EXPECT_EQ(milliseconds_until(Clock::time_point::max(), now), 60'000);
}

}  // namespace
}  // namespace hora::trainer

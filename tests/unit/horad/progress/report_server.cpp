// Does a slow, wrong or loud sender keep the server from nobody else?
#include "scripts/horad/progress/report_server.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {
namespace {

using namespace std::chrono_literals;

class Sender {
  public:
    // Not connected yet.
    Sender() : file_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
    explicit Sender(std::uint16_t port, const char* own = "127.0.0.1") : Sender() {
        connect(port, own);
    }
    void connect(std::uint16_t port, const char* own = "127.0.0.1") const {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        EXPECT_EQ(::inet_pton(AF_INET, own, &address.sin_addr), 1);
        EXPECT_EQ(::bind(file_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(::connect(file_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    }
    Sender(Sender&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    ~Sender() {
        if (file_ >= 0) {
            ::close(file_);
        }
    }

    void send(std::string_view text) const {
        static_cast<void>(!::send(file_, text.data(), text.size(), MSG_NOSIGNAL));
    }
    // All that comes until the server closes; "" where it does not within the time.
    std::string answer(std::chrono::milliseconds patience = 10s) const {
        const auto end = std::chrono::steady_clock::now() + patience;
        std::string text;
        std::array<char, 256> block{};
        for (;;) {
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
                end - std::chrono::steady_clock::now());
            pollfd file{file_, POLLIN, 0};
            if (left <= 0ms || ::poll(&file, 1, static_cast<int>(left.count())) <= 0) {
                return "still open";
            }
            const ssize_t size = ::recv(file_, block.data(), block.size(), 0);
            if (size <= 0) {
                return text;
            }
            text.append(block.data(), static_cast<std::size_t>(size));
        }
    }

  private:
    int file_;
};

bool answers(const char* host, std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    EXPECT_EQ(::inet_pton(AF_INET, host, &address.sin_addr), 1);
    const int file = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool is_there =
        ::connect(file, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(file);
    return is_there;
}

std::unique_ptr<ReportServer> serve(ReportFilter& filter, ReportServerLimits limits = {}) {
    // No munged listens there: every credential is refused.
    auto server = ReportServer::start({}, "/nonexistent/munge.socket", filter, limits);
    EXPECT_TRUE(server) << server.error().message;
    return *std::move(server);
}

TEST(ReportServer, RefusesWhatIsNoCredential) {
    ReportFilter filter;
    const auto server = serve(filter);
    std::string long_line(1000, '\x80');
    long_line.push_back('\n');
    const std::string cases[] = {"\n",
                                 "hello\n",
                                 std::string("a\0b\n", 4),
                                 "MUNGE:AwQFAAB=:\n",
                                 long_line,
                                 "GET / HTTP/1.1\r\n\r\n"};
    for (const std::string& text : cases) {
        const Sender sender(server->port());
        sender.send(text);
        EXPECT_TRUE(sender.answer().starts_with("refused ")) << text;
    }
    EXPECT_EQ(filter.reports().count(), 0U);
}

TEST(ReportServer, AnEndlessLineEnds) {
    ReportFilter filter;
    const auto server = serve(filter);
    const Sender sender(server->port());
    sender.send(std::string(1 << 20, 'x'));
    EXPECT_NE(sender.answer(), "still open");
}

TEST(ReportServer, OneThatSaysNothingIsDroppedInTime) {
    ReportFilter filter;
    const auto server = serve(filter, {.connections = 8, .time = 200ms});
    const Sender sender(server->port());
    sender.send("MUNGE");
    EXPECT_EQ(sender.answer(), "");
}

TEST(ReportServer, SlowOnesDoNotKeepOthersOut) {
    ReportFilter filter;
    const auto server = serve(filter, {.connections = 8, .time = 60s, .grace = 10ms});
    std::vector<Sender> slow;
    for (int i = 0; i < 40; ++i) {
        slow.emplace_back(server->port());
        slow.back().send("M");
    }
    const Sender quick(server->port());
    quick.send("hello\n");
    EXPECT_TRUE(quick.answer().starts_with("refused "));
}

// A munged that takes no connection: who asks it waits until it has gone. libmunge may write to it
// just then, for which a process that does not ignore SIGPIPE, as horad does, is ended.
class SilentMunge {
  public:
    SilentMunge() : file_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        std::signal(SIGPIPE, SIG_IGN);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path().copy(address.sun_path, sizeof address.sun_path - 1);
        EXPECT_EQ(::bind(file_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        EXPECT_EQ(::listen(file_, 8), 0);
    }
    SilentMunge(const SilentMunge&) = delete;
    SilentMunge& operator=(const SilentMunge&) = delete;
    ~SilentMunge() {
        if (file_ >= 0) {
            end();
        }
    }

    std::string path() const { return folder_.file("munge.socket"); }
    void await_question() const {
        pollfd file{file_, POLLIN, 0};
        EXPECT_EQ(::poll(&file, 1, 10000), 1);
    }
    void end() {
        ::close(std::exchange(file_, -1));
        ::unlink(path().c_str());
    }

  private:
    tests::ScratchFolder folder_;
    int file_;
};

TEST(ReportServer, EveryLineThatCameIsHeardHoweverManyConnect) {
    ReportFilter filter;
    SilentMunge munge;
    const auto server =
        *ReportServer::start({}, munge.path(), filter, {.connections = 4, .time = 60s});
    const Sender slow[] = {Sender(server->port(), "127.0.0.2"),
                           Sender(server->port(), "127.0.0.2")};
    const Sender first(server->port());
    first.send("MUNGE:AwQFAAB=:\n");
    munge.await_question();  // the server's thread waits for it
    std::vector<Sender> senders;
    for (int i = 0; i < 12; ++i) {
        senders.emplace_back(server->port());
        senders.back().send("hello\n");
    }
    munge.end();
    for (const Sender& sender : senders) {
        EXPECT_EQ(sender.answer(), "refused the line is no credential of munge\n");
    }
}

TEST(ReportServer, ANewConnectionIsDroppedForNoOther) {
    ReportFilter filter;
    const auto server = serve(filter, {.connections = 4, .time = 60s, .grace = 60s});
    const Sender early(server->port());
    std::vector<Sender> others;
    for (int i = 0; i < 12; ++i) {
        others.emplace_back(server->port());
    }
    ASSERT_EQ(early.answer(100ms), "still open");
    early.send("hello\n");
    EXPECT_EQ(early.answer(), "refused the line is no credential of munge\n");
}

TEST(ReportServer, AHostThatFloodsIsStillAnswered) {
    const std::pair<const char*, const char*> cases[] = {
        {"hello\n", "refused the line is no credential of munge\n"},
        {"MUNGE:AwQFAAB=:\n", "refused munge cannot open a report"},
    };
    for (const auto& [line, wanted] : cases) {
        ReportFilter filter;
        const auto server = serve(filter, {.connections = 8, .time = 10s, .refusals = {0.001, 2}});
        for (int i = 0; i < 20; ++i) {
            const Sender sender(server->port());
            sender.send(line);
            EXPECT_TRUE(sender.answer().starts_with(wanted)) << line << i;
        }
    }
}

TEST(ReportServer, ListensWhereItIsTo) {
    ReportFilter filter;
    struct Case {
        const char* address;
        const char* from;
        bool is_heard;
    };
    const Case cases[] = {
        {"", "127.0.0.1", true},          {"", "127.0.0.2", true},
        {"127.0.0.1", "127.0.0.1", true}, {"127.0.0.1", "127.0.0.2", false},
        {"127.0.0.2", "127.0.0.2", true},
    };
    for (const Case& one : cases) {
        const auto server = ReportServer::start({.address = one.address}, "", filter);
        ASSERT_TRUE(server) << server.error().message;
        EXPECT_EQ(answers(one.from, (*server)->port()), one.is_heard)
            << one.address << " " << one.from;
    }
    // Of no host (RFC 5737).
    const auto nowhere = ReportServer::start({.address = "192.0.2.1"}, "", filter);
    ASSERT_FALSE(nowhere);
    EXPECT_NE(nowhere.error().message.find("192.0.2.1 port 0"), std::string::npos);
    EXPECT_NE(nowhere.error().message.find("horad.listen"), std::string::npos);
}

// The highest descriptor is lowered to those that are in use.
class NoMoreDescriptors {
  public:
    NoMoreDescriptors() {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        const int next = ::dup(STDERR_FILENO);
        ::close(next);
        const rlimit lower{static_cast<rlim_t>(next), before_.rlim_max};
        EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &lower), 0);
    }
    NoMoreDescriptors(const NoMoreDescriptors&) = delete;
    NoMoreDescriptors& operator=(const NoMoreDescriptors&) = delete;
    ~NoMoreDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

  private:
    rlimit before_{};
};

std::chrono::nanoseconds processor_time() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

TEST(ReportServer, RestsWhileItHasNoDescriptorForTheNextConnection) {
    ReportFilter filter;
    const auto server = serve(filter);
    EXPECT_FALSE(server->lacks_descriptors());
    Sender sender;
    {
        const NoMoreDescriptors none;
        sender.connect(server->port());
        sender.send("hello\n");
        const auto begin = processor_time();
        EXPECT_EQ(sender.answer(500ms), "still open");
        EXPECT_LT(processor_time() - begin, 100ms);
        EXPECT_TRUE(server->lacks_descriptors());
    }
    EXPECT_EQ(sender.answer(), "refused the line is no credential of munge\n");
}

// For ThreadSanitizer as well.
TEST(ReportServer, AnswersClientsAtOnceWhileTheDaemonLooks) {
    ReportFilter filter;
    const auto server = serve(filter);
    constexpr int clients = 4;
    constexpr int rounds = 50;
    std::atomic<int> answered = 0;
    std::vector<std::thread> threads;
    for (int client = 0; client < clients; ++client) {
        threads.emplace_back([&] {
            for (int round = 0; round < rounds; ++round) {
                const Sender sender(server->port());
                sender.send(round % 2 == 0 ? "hello\n" : "MUNGE:AwQFAAB=:\n");
                EXPECT_TRUE(sender.answer().starts_with("refused "));
                ++answered;
            }
        });
    }
    while (answered < clients * rounds) {
        filter.see({});
        server->look_again();
        server->take_news();
        EXPECT_EQ(filter.reports().count(), 0U);
        std::this_thread::yield();
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

TEST(ReportServer, APortThatIsTakenIsAnErrorWithAWayOut) {
    ReportFilter filter;
    const auto server = serve(filter);
    const auto second = ReportServer::start({.port = server->port()}, "", filter);
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().message.find("horad.port"), std::string::npos);
}

}  // namespace
}  // namespace hora::horad

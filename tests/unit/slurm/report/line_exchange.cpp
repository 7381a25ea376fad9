#include "plugins/slurm/report/line_exchange.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <thread>

namespace hora::slurm {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

constexpr milliseconds plenty(20'000);
constexpr milliseconds little(50);

// Takes one connection on a port of its own.
class OneServer {
  public:
    explicit OneServer(std::function<void(int)> serve) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        const bool is_up =
            bind(listening_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
            listen(listening_, 1) == 0 &&
            getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &length) == 0;
        EXPECT_TRUE(is_up);
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this, serve = std::move(serve)] {
            const int connection = accept(listening_, nullptr, nullptr);
            serve(connection);
            close(connection);
        });
    }
    OneServer(const OneServer&) = delete;
    OneServer& operator=(const OneServer&) = delete;
    ~OneServer() {
        shutdown(listening_, SHUT_RDWR);  // where no one has connected
        thread_.join();
        close(listening_);
    }

    std::uint16_t port() const { return port_; }

  private:
    int listening_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    std::uint16_t port_ = 0;
    std::thread thread_;
};

std::string read_all(int connection) {
    std::string text;
    char letter = 0;
    while (read(connection, &letter, 1) == 1) {
        text += letter;
        if (letter == '\n') {
            break;
        }
    }
    return text;
}

void say(int connection, std::string_view text) {
    EXPECT_EQ(send(connection, text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
}

TEST(LineExchange, SendsOneLineAndReadsOne) {
    std::string heard;
    Expected<std::string> answer;
    {
        OneServer server([&](int connection) {
            heard = read_all(connection);
            say(connection, "o");
            say(connection, "k\nmore");
        });
        answer = exchange_line("127.0.0.1", server.port(), "hello", plenty);
    }
    EXPECT_EQ(heard, "hello\n");
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(*answer, "ok");
}

TEST(LineExchange, GivesUpOnOneThatSaysNothing) {
    OneServer server([&](int connection) {
        read_all(connection);
        read_all(connection);  // until the other side has given up
    });
    const auto answer = exchange_line("127.0.0.1", server.port(), "hello", little);
    ASSERT_FALSE(answer);
    EXPECT_THAT(answer.error().message, HasSubstr("timed out"));
}

TEST(LineExchange, GivesUpOnAnEndlessAnswer) {
    OneServer server([&](int connection) {
        read_all(connection);
        say(connection, std::string(longest_line + 1, 'x'));
        read_all(connection);
    });
    const auto answer = exchange_line("127.0.0.1", server.port(), "hello", plenty);
    ASSERT_FALSE(answer);
    EXPECT_THAT(answer.error().message, HasSubstr("too long"));
}

TEST(LineExchange, NoticesThatTheOtherSideHangsUp) {
    OneServer server([&](int connection) {
        read_all(connection);
        say(connection, "half");
    });
    const auto answer = exchange_line("127.0.0.1", server.port(), "hello", plenty);
    ASSERT_FALSE(answer);
    EXPECT_THAT(answer.error().message, HasSubstr("reset"));
}

addrinfo address_of(sockaddr_in& place, addrinfo* next) {
    addrinfo address{};
    address.ai_family = AF_INET;
    address.ai_socktype = SOCK_STREAM;
    address.ai_addrlen = sizeof place;
    address.ai_addr = reinterpret_cast<sockaddr*>(&place);
    address.ai_next = next;
    return address;
}

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return place;
}

TEST(LineExchange, ASilentAddressLeavesTheOthersTheirShareOfTheTime) {
    const auto be_silent = [](int connection) {
        read_all(connection);
        read_all(connection);  // until the other side has given up
    };
    OneServer silent(be_silent);
    OneServer as_silent(be_silent);
    OneServer good([](int connection) {
        read_all(connection);
        say(connection, "ok\n");
    });
    sockaddr_in places[] = {loopback(silent.port()), loopback(as_silent.port()),
                            loopback(good.port())};
    addrinfo third = address_of(places[2], nullptr);
    addrinfo second = address_of(places[1], &third);
    const addrinfo first = address_of(places[0], &second);
    const auto answer =
        exchange_line(first, "hello", std::chrono::steady_clock::now() + milliseconds(1500));
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(*answer, "ok");
}

TEST(LineExchange, SaysThatNobodyListens) {
    // Port 1 is no one's on loopback.
    const auto answer = exchange_line("127.0.0.1", 1, "hello", plenty);
    ASSERT_FALSE(answer);
    EXPECT_THAT(answer.error().message, HasSubstr("127.0.0.1 port 1: Connection refused"));
}

TEST(LineExchange, SaysThatTheHostIsNotKnown) {
    const auto answer = exchange_line("no.such.host.invalid", 1, "hello", little);
    ASSERT_FALSE(answer);
    EXPECT_THAT(answer.error().message, HasSubstr("no.such.host.invalid"));
}

}  // namespace
}  // namespace hora::slurm

// Is a sender's line read until it is whole or too long, and its answer sent whole?
#include "scripts/horad/progress/report_connection.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <string>
#include <utility>

namespace hora::horad {
namespace {

class Connection : public testing::Test {
  protected:
    Connection() {
        std::array<int, 2> ends{};
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
        sender_ = ends[0];
        served_ = std::make_unique<ReportConnection>(ends[1], "10.0.0.1",
                                                     ReportConnection::Clock::time_point());
    }
    ~Connection() override { hang_up(); }

    void send(const std::string& text) const {
        EXPECT_EQ(::send(sender_, text.data(), text.size(), MSG_NOSIGNAL),
                  static_cast<ssize_t>(text.size()));
    }
    void hang_up() {
        if (sender_ >= 0) {
            ::close(std::exchange(sender_, -1));
        }
    }
    std::string received() const {
        std::array<char, 4096> block{};
        const ssize_t size = ::recv(sender_, block.data(), block.size(), MSG_DONTWAIT);
        return size > 0 ? std::string(block.data(), static_cast<std::size_t>(size)) : "nothing";
    }

    int sender_ = -1;
    std::unique_ptr<ReportConnection> served_;
};

TEST_F(Connection, ALineMayComeInParts) {
    served_->read();
    EXPECT_EQ(served_->stage(), Stage::reading) << "nothing has come";
    send("MUNGE:");
    served_->read();
    EXPECT_EQ(served_->stage(), Stage::reading);
    send("abc:\nMUNGE:second");
    served_->read();
    EXPECT_EQ(served_->stage(), Stage::whole);
    EXPECT_EQ(served_->line(), "MUNGE:abc:") << "what comes after it is not read";
    send("more");
    served_->read();
    EXPECT_EQ(served_->line(), "MUNGE:abc:");
}

TEST_F(Connection, ALineOfTheGreatestLengthIsRead) {
    const std::string longest(slurm::longest_credential, 'x');
    send(longest);
    served_->read();
    EXPECT_EQ(served_->stage(), Stage::reading);
    send("\n");
    served_->read();
    EXPECT_EQ(served_->stage(), Stage::whole);
    EXPECT_EQ(served_->line(), longest);
}

TEST_F(Connection, ALineThatIsTooLongIsAnsweredAndOver) {
    send(std::string(slurm::longest_credential + 1, 'x'));
    served_->read();
    EXPECT_EQ(served_->stage(), Stage::over);
    EXPECT_EQ(received(), "refused the line is too long\n");
}

TEST_F(Connection, AnEndBeforeTheLineIsWholeIsTheEnd) {
    send("MUNGE:");
    hang_up();
    served_->read();
    EXPECT_EQ(served_->stage(), Stage::over);
}

TEST_F(Connection, AReportThatWaitsIsItsUsers) {
    EXPECT_EQ(served_->owner(), "10.0.0.1");
    slurm::SignedReport report;
    report.uid = 1001;
    report.report.job = 7;
    served_->park(report);
    EXPECT_EQ(served_->stage(), Stage::waiting);
    EXPECT_EQ(served_->owner(), "user 1001");
    EXPECT_EQ(served_->host(), "10.0.0.1");
    ASSERT_TRUE(served_->parked());
    EXPECT_EQ(served_->parked()->report.job, 7U);
}

TEST_F(Connection, AnAnswerEndsIt) {
    served_->answer({});
    EXPECT_EQ(served_->stage(), Stage::over);
    EXPECT_EQ(received(), "ok\n");
}

TEST_F(Connection, AnAnswerWaitsForASenderThatDoesNotReadAndNotForOneThatIsGone) {
    std::string block(1 << 16, 'x');
    while (::send(served_->file(), block.data(), block.size(), MSG_DONTWAIT | MSG_NOSIGNAL) > 0) {
    }
    served_->answer({});
    EXPECT_EQ(served_->stage(), Stage::writing);
    while (::recv(sender_, block.data(), block.size(), MSG_DONTWAIT) > 0) {
    }
    served_->write();
    EXPECT_EQ(served_->stage(), Stage::over);
    EXPECT_EQ(received(), "ok\n");
    hang_up();
    served_->answer({});
    EXPECT_EQ(served_->stage(), Stage::over);
}

TEST_F(Connection, ClosesItsSocket) {
    const int file = served_->file();
    served_.reset();
    EXPECT_EQ(fcntl(file, F_GETFD), -1);
}

}  // namespace
}  // namespace hora::horad

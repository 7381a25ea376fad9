// How is a picture shown again and again until somebody presses Ctrl-C?
#include "scripts/hora/jobs/refresh.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <string_view>

#include "libplanner/report/text/text_table.hpp"

namespace hora::scripts {
namespace {

constexpr std::string_view enter_screen = "\x1b[?1049h\x1b[?25l";
constexpr std::string_view leave_screen = "\x1b[?25h\x1b[?1049l";
constexpr std::string_view to_the_top = "\x1b[H";
constexpr std::string_view clear_to_end_of_line = "\x1b[K";
constexpr std::string_view clear_below = "\x1b[J";

volatile std::sig_atomic_t is_over = 0;

extern "C" void end(int) {
    is_over = 1;
}

extern "C" void wake(int) {}

// While it lives, the signals are let in during wait() only: none is missed between a look at
// is_over and the wait.
class Signals {
  public:
    Signals() {
        is_over = 0;
        sigset_t blocked;
        sigemptyset(&blocked);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            ::sigaction(numbers[i], nullptr, &before_[i]);
            // nohup has it so, and a script with what it starts in the background.
            if (before_[i].sa_handler == SIG_IGN) {
                continue;
            }
            struct sigaction action = {};
            action.sa_handler = numbers[i] == SIGWINCH || numbers[i] == SIGCONT ? wake : end;
            sigemptyset(&action.sa_mask);
            ::sigaction(numbers[i], &action, nullptr);
            sigaddset(&blocked, numbers[i]);
        }
        ::sigprocmask(SIG_BLOCK, &blocked, &mask_);
    }
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;
    ~Signals() {
        ::sigprocmask(SIG_SETMASK, &mask_, nullptr);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            ::sigaction(numbers[i], &before_[i], nullptr);
        }
    }

    void wait(Seconds pause) const {
        const double whole = std::floor(pause.count());
        timespec time{static_cast<time_t>(whole), static_cast<long>((pause.count() - whole) * 1e9)};
        ::ppoll(nullptr, 0, &time, &mask_);
    }

  private:
    static constexpr std::array numbers{SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT};
    std::array<struct sigaction, numbers.size()> before_{};
    sigset_t mask_{};
};

bool show(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return std::fflush(stdout) == 0;
}

// A screen of its own, so that what stood before is there again afterwards.
class Screen {
  public:
    Screen() { show(enter_screen); }
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;
    ~Screen() { show(leave_screen); }
};

struct Size {
    std::size_t rows = 24;
    std::size_t columns = 80;
};

Size screen_size() {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) {
        return {};
    }
    return {size.ws_row, size.ws_col};
}

// Each line cut, and as many of them as there are rows: nothing wraps, nothing scrolls.
std::string fitted(std::string_view picture, Size size) {
    std::string text(to_the_top);
    for (std::size_t row = 0; row < size.rows && !picture.empty(); ++row) {
        const std::size_t length = picture.find('\n');
        const std::string_view line = picture.substr(0, length);
        picture.remove_prefix(length == picture.npos ? picture.size() : length + 1);
        const bool is_cut = row + 1 == size.rows && !picture.empty();
        text += row == 0 ? "" : "\r\n";
        text += report::terminal_text(is_cut ? "… more below" : line, size.columns);
        text += clear_to_end_of_line;
    }
    return text + std::string(clear_below);
}

bool refresh_screen(Seconds pause, const std::function<std::string()>& picture) {
    const Signals signals;
    const Screen screen;
    while (is_over == 0) {
        if (!show(fitted(picture(), screen_size()))) {
            return false;
        }
        signals.wait(pause);
    }
    return true;
}

}  // namespace

std::size_t terminal_columns() {
    return ::isatty(STDOUT_FILENO) == 1 ? screen_size().columns : 0;
}

bool refresh(Seconds pause, const std::function<std::string()>& picture) {
    if (::isatty(STDOUT_FILENO) == 1) {
        return refresh_screen(pause, picture);
    }
    const Signals signals;
    while (is_over == 0) {
        if (!show(picture() + "\n")) {
            return false;
        }
        signals.wait(pause);
    }
    return true;
}

}  // namespace hora::scripts

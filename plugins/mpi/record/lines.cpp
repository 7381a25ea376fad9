// How is a line of a record written (hora-trace(5))?
#include "plugins/mpi/record/lines.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <ctime>

namespace hora::mpi {
namespace {

constexpr Nanoseconds second = 1'000'000'000;
constexpr std::size_t longest_name = 128;

// Appends to memory that is known to be large enough.
class Cursor {
  public:
    explicit Cursor(char* place) : place_(place) {}

    void add(std::string_view text) {
        std::memcpy(place_, text.data(), text.size());
        place_ += text.size();
    }
    void add(std::uint64_t number) { place_ = std::to_chars(place_, place_ + 20, number).ptr; }
    void add_time(Nanoseconds time) {
        add(time / second);
        *place_++ = '.';
        Nanoseconds rest = time % second;
        for (char* digit = place_ + 9; digit != place_;) {
            *--digit = static_cast<char>('0' + rest % 10);
            rest /= 10;
        }
        place_ += 9;
    }
    char* place() const { return place_; }

  private:
    char* place_;
};

// A host's name that would end the text is cut of what does.
std::string plain(std::string_view text) {
    std::string kept(text.substr(0, longest_name));
    std::erase_if(kept,
                  [](unsigned char c) { return c < ' ' || c > '~' || c == '"' || c == '\\'; });
    return kept;
}

}  // namespace

Nanoseconds now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<Nanoseconds>(time.tv_sec) * second + static_cast<Nanoseconds>(time.tv_nsec);
}

std::string head_line(std::string_view host, std::uint32_t process, int rank) {
    return R"({"version":1,"host":")" + plain(host) + R"(","pid":)" + std::to_string(process) +
           R"(,"rank":)" + std::to_string(rank) + ",\"device\":null}\n";
}

std::string communicator_line(const CommunicatorLine& line) {
    return R"({"comm":")" + plain(line.name) + R"(","rank":)" + std::to_string(line.rank) +
           R"(,"ranks":)" + std::to_string(line.ranks) + R"(,"nodes":)" +
           std::to_string(line.nodes) + "}\n";
}

std::string_view write_call_line(const CallLine& line, char (&memory)[longest_call_line]) {
    Cursor cursor(memory);
    cursor.add(R"({"comm":")");
    cursor.add(line.communicator.substr(0, longest_name));
    cursor.add(R"(","op":")");
    cursor.add(line.operation.substr(0, longest_name));
    cursor.add(R"(","seq":)");
    cursor.add(line.sequence);
    cursor.add(R"(,"bytes":)");
    cursor.add(line.bytes);
    cursor.add(R"(,"begin":)");
    cursor.add_time(line.begin);
    cursor.add(R"(,"end":)");
    cursor.add_time(line.end);
    if (line.peer != no_peer) {
        cursor.add(R"(,"peer":)");
        cursor.add(static_cast<std::uint64_t>(line.peer));
    }
    if (line.ahead != 0) {
        cursor.add(R"(,"ahead":)");
        cursor.add(line.ahead);
    }
    cursor.add("}\n");
    return {memory, static_cast<std::size_t>(cursor.place() - memory)};
}

std::string step_line(std::uint64_t step, Nanoseconds at) {
    char memory[64];
    Cursor cursor(memory);
    cursor.add(R"({"step":)");
    cursor.add(step);
    cursor.add(R"(,"at":)");
    cursor.add_time(at);
    cursor.add("}\n");
    return {memory, cursor.place()};
}

}  // namespace hora::mpi

// How do the ranks find each other? Each of them connects to rank 0, at MASTER_ADDR and
// MASTER_PORT.
//
// Environment: RANK WORLD_SIZE LOCAL_RANK MASTER_ADDR MASTER_PORT SLURM_JOB_ID SLURM_STEP_ID
//     SLURM_STEP_NUM_TASKS HORA_CHECKPOINT_DIR
//
// A rank that has connected sends Hello and waits for an Answer, which comes once all have. Both
// are structures as they are in memory: all ranks run the same program.
#include "contrib/nccl/join.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <list>
#include <optional>
#include <string_view>
#include <thread>

#include "contrib/nccl/secret.hpp"

namespace hora::trainer {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t most_ranks = 65'536;
constexpr std::size_t most_named = 16;  // missing ranks
// What says nothing, or too slowly, is no rank.
constexpr auto longest_hello = 5s;
constexpr std::size_t most_strangers = 64;
constexpr auto longest_connect = 5s;
constexpr auto first_pause = 20ms;
constexpr auto longest_pause = 500ms;

using Magic = std::array<char, 8>;
constexpr Magic hello_magic{'h', 'o', 'r', 'a', 'r', 'a', 'n', 'k'};
constexpr Magic answer_magic{'h', 'o', 'r', 'a', 'z', 'e', 'r', 'o'};

struct Hello {
    Magic magic = hello_magic;
    Secret::Word secret{};
    std::array<char, 48> step{};
    std::uint32_t size = 0;
    std::uint32_t rank = 0;
};

enum class Verdict : std::uint32_t { welcome, other_step, other_size, taken, gave_up };

struct Answer {
    Magic magic = answer_magic;
    Secret::Word secret{};
    Verdict verdict = Verdict::welcome;
    std::uint32_t size = 0;  // where it is another one
};

template <class T>
std::span<std::byte> bytes_of(T& value) {
    return std::as_writable_bytes(std::span(&value, 1));
}

std::string_view environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

Expected<std::uint64_t> environment_number(const char* name, std::uint64_t first,
                                           std::uint64_t last) {
    const std::string_view text = environment(name);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < first ||
        number > last) {
        return wrong_use(fmt::format("{}=\"{}\" is not a whole number from {} to {}; correct it",
                                     name, text, first, last));
    }
    return number;
}

std::array<char, 48> step_field(const std::string& step) {
    std::array<char, 48> field{};
    std::copy_n(step.begin(), std::min(step.size(), field.size()), field.begin());
    return field;
}

std::string list_of(const std::vector<int>& ranks) {
    const auto shown = std::span(ranks).first(std::min(ranks.size(), most_named));
    return fmt::format("{}{}", fmt::join(shown, " "), shown.size() < ranks.size() ? " …" : "");
}

// Rank 0's side: connections that have not yet said who they are, and ranks that have.
class Door {
  public:
    Door(const Launch& launch, const Secret& secret, Socket listener)
        : launch_(launch),
          secret_(secret),
          listener_(std::move(listener)),
          ranks_(static_cast<std::size_t>(launch.size)) {}

    Expected<std::vector<Socket>> wait(std::chrono::milliseconds wait) {
        const Clock::time_point until = Clock::now() + wait;
        while (!missing().empty()) {
            if (Clock::now() >= until) {
                return give_up(wait);
            }
            sleep_until_something(until);
            forget_lost_ranks();
            if (auto accepted = accept_all(); !accepted) {
                return unexpected(accepted.error());
            }
            hear_all();
        }
        for (std::size_t rank = 1; rank < ranks_.size(); ++rank) {
            if (auto sent = tell(ranks_[rank], Verdict::welcome); !sent) {
                return unexpected(sent.error().within(fmt::format("rank {} is lost", rank)));
            }
        }
        return std::move(ranks_);
    }

  private:
    struct Unknown {
        Socket socket;
        Clock::time_point until;
        Hello hello;
        std::size_t size = 0;
    };

    std::vector<int> missing() const {
        std::vector<int> missing;
        for (int rank = 1; rank < launch_.size; ++rank) {
            if (!ranks_[static_cast<std::size_t>(rank)].is_open()) {
                missing.push_back(rank);
            }
        }
        return missing;
    }

    void sleep_until_something(Clock::time_point until) const {
        std::vector<pollfd> entries;
        if (!is_full_ || unknowns_.empty()) {
            entries.push_back({.fd = listener_.number(), .events = POLLIN, .revents = 0});
        }
        for (const Unknown& unknown : unknowns_) {
            entries.push_back({.fd = unknown.socket.number(), .events = POLLIN, .revents = 0});
            until = std::min(until, unknown.until);
        }
        for (const Socket& rank : ranks_) {
            if (rank.is_open()) {
                entries.push_back({.fd = rank.number(), .events = POLLRDHUP, .revents = 0});
            }
        }
        poll(entries.data(), entries.size(), milliseconds_until(until));
    }

    // A rank that was ended and started anew may come again.
    void forget_lost_ranks() {
        for (Socket& rank : ranks_) {
            if (rank.is_open() && rank.has_ended()) {
                rank.close();
            }
        }
    }

    Expected<void> accept_all() {
        while (true) {
            auto socket = accept_from(listener_);
            is_full_ = !socket;
            if (is_full_) {
                // Until one of them has said who it is, or too little.
                return unknowns_.empty() ? take_no_more(socket.error()) : Expected<void>();
            }
            if (!socket->is_open()) {
                return {};
            }
            if (unknowns_.size() >= ranks_.size() + most_strangers) {
                unknowns_.pop_front();
            }
            unknowns_.push_back(
                {.socket = std::move(*socket), .until = Clock::now() + longest_hello, .hello = {}});
        }
    }

    Expected<void> take_no_more(const Error& reason) {
        const std::size_t taken = ranks_.size() - missing().size();
        dismiss_ranks();
        return failure(
            fmt::format("rank 0 cannot take one more connection than those of {} of {} "
                        "ranks: {}; raise the limit of open files (ulimit -n)",
                        taken, launch_.size, reason.message));
    }

    void hear_all() {
        for (auto unknown = unknowns_.begin(); unknown != unknowns_.end();) {
            const bool is_done = hear(*unknown) || Clock::now() >= unknown->until;
            unknown = is_done ? unknowns_.erase(unknown) : std::next(unknown);
        }
    }

    // Whether there is nothing more to hear.
    bool hear(Unknown& unknown) {
        const auto size =
            unknown.socket.receive_some(bytes_of(unknown.hello).subspan(unknown.size));
        if (!size) {
            return true;
        }
        unknown.size += *size;
        const std::size_t compared = std::min(unknown.size, hello_magic.size());
        if (!std::equal(hello_magic.begin(), hello_magic.begin() + compared,
                        unknown.hello.magic.begin())) {
            return true;
        }
        if (unknown.size < sizeof unknown.hello) {
            return false;
        }
        // It learns nothing, not even that there is a rank 0. A rank that has read the secret of an
        // earlier start comes again.
        if (!are_same(unknown.hello.secret, secret_.of_rank)) {
            return true;
        }
        const Verdict verdict = judge(unknown.hello);
        if (verdict == Verdict::welcome) {
            ranks_[unknown.hello.rank] = std::move(unknown.socket);
        } else {
            static_cast<void>(tell(unknown.socket, verdict));
        }
        return true;
    }

    Verdict judge(const Hello& hello) const {
        if (hello.step != step_field(launch_.step)) {
            return Verdict::other_step;
        }
        if (hello.size != ranks_.size() || hello.rank >= ranks_.size()) {
            return Verdict::other_size;
        }
        return hello.rank == 0 || ranks_[hello.rank].is_open() ? Verdict::taken : Verdict::welcome;
    }

    Expected<void> tell(const Socket& socket, Verdict verdict) const {
        const int size = verdict == Verdict::other_size ? launch_.size : 0;
        Answer answer{.secret = secret_.of_first,
                      .verdict = verdict,
                      .size = static_cast<std::uint32_t>(size)};
        return socket.send(bytes_of(answer), Clock::now() + 1s);
    }

    // Those that have come end as well.
    void dismiss_ranks() {
        for (Socket& rank : ranks_) {
            if (rank.is_open()) {
                static_cast<void>(tell(rank, Verdict::gave_up));
                rank.close();
            }
        }
    }

    tl::unexpected<Error> give_up(std::chrono::milliseconds wait) {
        const auto absent = missing();
        dismiss_ranks();
        return failure(
            fmt::format("{} of {} ranks did not connect to {}:{} within {:g} s (missing: {}); do "
                        "their tasks run, "
                        "and can they reach this node?",
                        absent.size(), launch_.size, launch_.address, launch_.port,
                        std::chrono::duration<double>(wait).count(), list_of(absent)));
    }

    const Launch& launch_;
    const Secret secret_;
    Socket listener_;
    std::vector<Socket> ranks_;
    std::list<Unknown> unknowns_;
    bool is_full_ = false;  // no connection more could be taken
};

Expected<std::vector<Socket>> wait_for_ranks(const Launch& launch, std::chrono::milliseconds wait) {
    constexpr std::size_t others = 256;  // of the program, its libraries, and strangers
    allow_open_files(static_cast<std::size_t>(launch.size) + others);
    auto listener = listen_at(launch.address, launch.port);
    if (!listener) {
        return failure(
            fmt::format("rank 0 cannot listen at port {}: {}; choose another MASTER_PORT",
                        launch.port, listener.error().message));
    }
    const auto secret = make_secret(launch.secret_file);
    if (!secret) {
        return unexpected(secret.error().within("the secret of the ranks"));
    }
    auto ranks = Door(launch, *secret, std::move(*listener)).wait(wait);
    if (!launch.secret_file.empty()) {
        unlink(launch.secret_file.c_str());
    }
    return ranks;
}

// What rank 0 said of a rank that it does not take; empty where it does.
std::optional<std::string> refusal(const Launch& launch, const Answer& answer) {
    switch (answer.verdict) {
        case Verdict::welcome:
            return std::nullopt;
        case Verdict::other_step:
            return "it is of another job step; steps that share a node need different MASTER_PORTs";
        case Verdict::other_size:
            return fmt::format("it has WORLD_SIZE {}, this rank {}", answer.size, launch.size);
        case Verdict::taken:
            return fmt::format("another process has said that it is rank {}", launch.rank);
        case Verdict::gave_up:
            return "it has given up waiting for others, see its message";
    }
    return "its answer is not known";
}

// One attempt: a connection that was answered, or the reason why not.
struct Attempt {
    Socket socket;
    Answer answer;
};
Expected<Attempt> attempt(const Launch& launch, Clock::time_point until,
                          std::chrono::milliseconds wait) {
    auto socket =
        connect_to(launch.address, launch.port, std::min(until, Clock::now() + longest_connect));
    if (!socket) {
        return unexpected(socket.error());
    }
    const auto secret = read_secret(launch.secret_file);
    if (!secret) {
        return unexpected(secret.error());
    }
    Hello hello{.secret = secret->of_rank,
                .step = step_field(launch.step),
                .size = static_cast<std::uint32_t>(launch.size),
                .rank = static_cast<std::uint32_t>(launch.rank)};
    if (auto sent = socket->send(bytes_of(hello), until); !sent) {
        return unexpected(sent.error());
    }
    // Rank 0 may have begun to wait later, and is the one that knows who is missing.
    Answer answer{};
    if (auto received = socket->receive(bytes_of(answer), Clock::now() + wait + longest_hello);
        !received) {
        return unexpected(received.error());
    }
    if (answer.magic != answer_magic || !are_same(answer.secret, secret->of_first)) {
        return failure("what listens there is not rank 0 of this training");
    }
    return Attempt{std::move(*socket), answer};
}

Expected<std::vector<Socket>> reach_first(const Launch& launch, std::chrono::milliseconds wait) {
    const Clock::time_point until = Clock::now() + wait;
    std::chrono::milliseconds pause = first_pause;
    while (true) {
        auto tried = attempt(launch, until, wait);
        if (tried) {
            if (const auto why = refusal(launch, tried->answer)) {
                return failure(fmt::format("rank 0 at {}:{} does not take rank {}: {}",
                                           launch.address, launch.port, launch.rank, *why));
            }
            std::vector<Socket> sockets;
            sockets.push_back(std::move(tried->socket));
            return sockets;
        }
        if (Clock::now() + pause >= until) {
            return failure(fmt::format(
                "rank {} cannot reach rank 0 at {}:{} within {:g} s: {}; does rank 0 run, and is "
                "MASTER_ADDR its node?",
                launch.rank, launch.address, launch.port,
                std::chrono::duration<double>(wait).count(), tried.error().message));
        }
        std::this_thread::sleep_for(pause);
        pause = std::min<std::chrono::milliseconds>(2 * pause, longest_pause);
    }
}

}  // namespace

Expected<Launch> read_launch() {
    Launch launch;
    const std::string_view tasks = environment("SLURM_STEP_NUM_TASKS");
    if (environment("WORLD_SIZE").empty()) {
        if (!tasks.empty() && tasks != "1") {
            return failure(fmt::format(
                "srun started {} tasks but WORLD_SIZE is not set; Hora sets it, and RANK, "
                "LOCAL_RANK, MASTER_ADDR and MASTER_PORT",
                tasks));
        }
        return launch;
    }
    const auto size = environment_number("WORLD_SIZE", 1, most_ranks);
    const auto rank = size ? environment_number("RANK", 0, *size - 1) : size;
    const auto local = rank ? environment_number("LOCAL_RANK", 0, *size - 1) : rank;
    if (!local) {
        return unexpected(local.error());
    }
    launch.size = static_cast<int>(*size);
    launch.rank = static_cast<int>(*rank);
    launch.local_rank = static_cast<int>(*local);
    if (launch.size == 1) {
        return launch;
    }
    const auto port = environment_number("MASTER_PORT", 1, 65'535);
    launch.address = environment("MASTER_ADDR");
    if (!port || launch.address.empty()) {
        return port ? wrong_use("MASTER_ADDR is not set; it names the node of rank 0")
                    : unexpected(port.error());
    }
    launch.port = static_cast<std::uint16_t>(*port);
    launch.step = fmt::format("{}.{}", environment("SLURM_JOB_ID"), environment("SLURM_STEP_ID"));
    if (const auto folder = environment("HORA_CHECKPOINT_DIR"); !folder.empty()) {
        launch.secret_file = fmt::format("{}/.ranks-{}-{}", folder, launch.step, *port);
    }
    return launch;
}

Expected<std::vector<Socket>> join(const Launch& launch, std::chrono::milliseconds wait) {
    if (launch.size == 1) {
        return std::vector<Socket>{};
    }
    return launch.rank == 0 ? wait_for_ranks(launch, wait) : reach_first(launch, wait);
}

}  // namespace hora::trainer

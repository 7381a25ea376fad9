// What is recorded of an MPI program's communication, and where?
#include "plugins/mpi/record/recorder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <set>

#include "plugins/mpi/world_ranks.hpp"

namespace hora::mpi {
namespace {

// As many as a reader takes.
constexpr std::size_t most_bytes = std::size_t{256} << 20;
constexpr std::size_t most_communicators = 65536;

// To look for steps takes less than this share of the time.
constexpr Nanoseconds times_as_long = 500;

// Of communicators that are not recorded.
Communicator not_recorded;

const char* value_or_empty(const char* value) {
    return value == nullptr ? "" : value;
}

// All parts that are missing, 0700; 0 or errno.
int make_folder(const std::string& path) {
    if (mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) {
        return 0;
    }
    const auto slash = path.rfind('/');
    if (errno != ENOENT || slash == std::string::npos || slash == 0) {
        return errno;
    }
    if (const int reason = make_folder(path.substr(0, slash)); reason != 0) {
        return reason;
    }
    return mkdir(path.c_str(), 0700) == 0 || errno == EEXIST ? 0 : errno;
}

std::string host_name() {
    std::array<char, HOST_NAME_MAX + 1> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

// "0-7", "0-12:4" (each fourth), or a number of all ranks in their order.
std::string text_of(std::span<const int> ranks) {
    const int first = ranks.front();
    const int step = ranks.size() > 1 ? ranks[1] - first : 1;
    bool is_regular = step > 0;
    std::uint64_t hash = 14695981039346656037U;  // FNV-1a
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        is_regular = is_regular && ranks[i] == first + step * static_cast<int>(i);
        hash = (hash ^ static_cast<std::uint64_t>(ranks[i])) * 1099511628211U;
    }
    char text[64];
    if (is_regular && ranks.size() == 1) {
        std::snprintf(text, sizeof text, "%d", first);
    } else if (is_regular && step == 1) {
        std::snprintf(text, sizeof text, "%d-%d", first, ranks.back());
    } else if (is_regular) {
        std::snprintf(text, sizeof text, "%d-%d:%d", first, ranks.back(), step);
    } else {
        std::snprintf(text, sizeof text, "%zu of %d,%d (%016llx)", ranks.size(), first, ranks[1],
                      static_cast<unsigned long long>(hash));
    }
    return text;
}

}  // namespace

Recorder& recorder() {
    static auto* const whole = new Recorder;
    return *whole;
}

// -- begin and end of the record ---------------------------------------------

void Recorder::start(const std::function<const char*(const char*)>& variable) {
    const std::string folder = value_or_empty(variable("HORA_TRACE_DIR"));
    int is_asked = folder.empty() ? 0 : 1;
    int is_asked_of_any = 0;
    PMPI_Allreduce(&is_asked, &is_asked_of_any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (is_asked_of_any == 0) {
        return;
    }
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    find_nodes();
    const int reason = is_asked == 1 ? open(folder, rank) : 0;
    int worst = reason;
    PMPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (worst != 0 && rank == 0) {
        std::fprintf(stderr,
                     "hora: ranks cannot write their record to \"%s\": %s; the program goes on "
                     "without\n",
                     folder.c_str(), std::strerror(worst));
    }
    if (is_asked == 0 || reason != 0) {
        return;
    }
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &attribute_, nullptr);
    if (rank == 0) {
        progress_.start(value_or_empty(variable("HORA_PROGRESS")));
        next_look_ = now();
    } else {
        next_look_ = ~Nanoseconds{0};
    }
    is_on_ = true;
    world_ = communicator_of(MPI_COMM_WORLD);
}

void Recorder::stop() {
    if (is_on_) {
        look_for_steps(now());
    }
    is_on_ = false;
    file_.close();
}

int Recorder::open(const std::string& folder, int rank) {
    if (const int reason = make_folder(folder); reason != 0) {
        return reason;
    }
    const std::string host = host_name();
    path_ = folder + "/" + std::to_string(rank) + "-" + host + "-" + std::to_string(getpid()) +
            ".jsonl";
    if (const int reason = file_.open(path_, most_bytes); reason != 0) {
        return reason;
    }
    return file_.append(head_line(host, static_cast<std::uint32_t>(getpid()), rank));
}

void Recorder::find_nodes() {
    MPI_Comm node = MPI_COMM_NULL;
    int rank = 0;
    int size = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int first = rank;
    PMPI_Bcast(&first, 1, MPI_INT, 0, node);
    PMPI_Comm_free(&node);
    node_of_.assign(static_cast<std::size_t>(size), 0);
    PMPI_Allgather(&first, 1, MPI_INT, node_of_.data(), 1, MPI_INT, MPI_COMM_WORLD);
}

void Recorder::append(std::string_view line) {
    const int reason = file_.append(line);
    // Of several threads that fail one says so.
    if (reason != 0 && is_on_.exchange(false)) {
        std::fprintf(stderr, "hora: the record \"%s\" ends here: %s; the program goes on\n",
                     path_.c_str(),
                     reason == EFBIG ? "it is as large as it may be" : std::strerror(reason));
    }
}

// -- communicators -----------------------------------------------------------

void Recorder::expect(MPI_Comm communicator) {
    if (is_on() && communicator != MPI_COMM_NULL) {
        communicator_of(communicator);
    }
}

Communicator* Recorder::communicator_of(MPI_Comm handle) {
    if (handle == MPI_COMM_WORLD && world_ != nullptr) {
        return world_;
    }
    void* value = nullptr;
    int is_known = 0;
    PMPI_Comm_get_attr(handle, attribute_, static_cast<void*>(&value), &is_known);
    if (is_known == 0) {
        const std::lock_guard lock(mutex_);
        // Another thread may have added it meanwhile.
        PMPI_Comm_get_attr(handle, attribute_, static_cast<void*>(&value), &is_known);
        if (is_known == 0) {
            value = add(handle);
            PMPI_Comm_set_attr(handle, attribute_, value);
        }
    }
    return value == &not_recorded ? nullptr : static_cast<Communicator*>(value);
}

Communicator* Recorder::add(MPI_Comm handle) {
    const std::vector<int> ranks = world_ranks(handle);
    if (ranks.empty() || communicators_.size() == most_communicators) {
        return &not_recorded;
    }
    int rank = 0;
    PMPI_Comm_rank(handle, &rank);
    auto made = std::make_unique<Communicator>();
    made->name = handle == MPI_COMM_WORLD ? "world" : name_of(ranks);
    append(communicator_line({.name = made->name,
                              .rank = rank,
                              .ranks = static_cast<int>(ranks.size()),
                              .nodes = count_nodes(ranks)}));
    return communicators_.emplace_back(std::move(made)).get();
}

std::string Recorder::name_of(std::span<const int> ranks) {
    const std::string text = text_of(ranks);
    const unsigned number = ++made_[text];
    return number == 1 ? text : text + " #" + std::to_string(number);
}

int Recorder::count_nodes(std::span<const int> ranks) const {
    std::set<int> nodes;
    for (const int rank : ranks) {
        nodes.insert(node_of_[static_cast<std::size_t>(rank)]);
    }
    return static_cast<int>(nodes.size());
}

// -- calls -------------------------------------------------------------------

BegunCall Recorder::begin(const Description& description) {
    BegunCall call;
    if (description.operation == nullptr || description.peer == MPI_PROC_NULL ||
        description.communicator == MPI_COMM_NULL) {
        return call;
    }
    call.communicator = communicator_of(description.communicator);
    if (call.communicator == nullptr) {
        return call;
    }
    const bool is_collective = description.peer == no_peer;
    call.operation = description.operation;
    call.bytes = description.bytes;
    call.peer = description.peer;
    call.sequence = is_collective ? call.communicator->collectives++ : call.communicator->others++;
    call.begin = now();
    if (is_collective && call.begin >= next_look_) {
        look_for_steps(call.begin);
    }
    return call;
}

void Recorder::end(BegunCall call, int source) {
    if (call.communicator == nullptr || !is_on()) {
        return;
    }
    if (call.peer == MPI_ANY_SOURCE) {
        call.peer = source;
    }
    // A receive that was cancelled, or had nothing to receive.
    if (call.peer != no_peer && call.peer < 0) {
        return;
    }
    char memory[longest_call_line];
    append(write_call_line({.communicator = call.communicator->name,
                            .operation = call.operation,
                            .sequence = call.sequence,
                            .bytes = call.bytes,
                            .begin = call.begin,
                            .end = now(),
                            .peer = call.peer,
                            .ahead = call.ahead},
                           memory));
}

void Recorder::look_for_steps(Nanoseconds time) {
    const std::unique_lock lock(progress_mutex_, std::try_to_lock);
    if (!lock) {
        return;
    }
    for (const std::uint64_t step : progress_.take_steps()) {
        append(step_line(step, time));
    }
    const Nanoseconds end = now();
    next_look_ =
        next_look_ == ~Nanoseconds{0} ? ~Nanoseconds{0} : end + (end - time) * times_as_long;
}

// -- calls that end with their requests --------------------------------------

Completions::Completions(std::span<const MPI_Request> requests) : requests_(requests) {
    Recorder& own = recorder();
    if (!own.is_on() || own.pending().is_empty()) {
        return;
    }
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (requests[i] == MPI_REQUEST_NULL) {
            continue;
        }
        if (const auto call = own.pending().take(requests[i]); call) {
            calls_.push_back({i, requests[i], *call});
        }
    }
}

Completions::~Completions() {
    for (auto call = calls_.rbegin(); call != calls_.rend(); ++call) {
        if (!call->is_over && requests_[call->index] == call->request) {
            recorder().pending().put_back(call->request, call->call);
        }
    }
}

bool Completions::need_status() const {
    return std::ranges::any_of(calls_,
                               [](const Call& call) { return call.call.peer == MPI_ANY_SOURCE; });
}

void Completions::end_at(std::size_t index, int source) {
    for (Call& call : calls_) {
        if (call.index == index) {
            call.is_over = true;
            recorder().end(call.call, source);
        }
    }
}

void Completions::end_all(const SourceOf& source_of) {
    for (Call& call : calls_) {
        call.is_over = true;
        recorder().end(call.call, source_of(call.index));
    }
}

void Completions::end_one(int index, const SourceOf& source_of) {
    if (index != MPI_UNDEFINED && index >= 0) {
        end_at(static_cast<std::size_t>(index), source_of(0));
    }
}

void Completions::end_some(std::span<const int> indices, const SourceOf& source_of) {
    for (std::size_t i = 0; i < indices.size(); ++i) {
        end_at(static_cast<std::size_t>(indices[i]), source_of(i));
    }
}

}  // namespace hora::mpi

// What carries the reductions of one communicator of the program's?
#include "plugins/mpi/preload/engine.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <thread>
#include <utility>

#include "plugins/mpi/allreduce/thread_worker.hpp"

namespace hora::mpi {
namespace {

// Bytes; to wake a thread takes about as long as to add fewer.
constexpr std::size_t shortest_for_thread = 64U << 10U;

// As MPI's own status of a reduction: it says nothing.
int say_status(void* /*state*/, MPI_Status* status) {
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = MPI_ANY_TAG;
    return MPI_SUCCESS;
}

int free_nothing(void* /*state*/) {
    return MPI_SUCCESS;
}

// A reduction cannot be cancelled.
int cancel_nothing(void* /*state*/, int /*is_complete*/) {
    return MPI_SUCCESS;
}

}  // namespace

Engine::~Engine() {
    worker_.reset();  // while what it reads and writes is there
    allreduce_.reset();
    transport_.reset();
    if (own_ != MPI_COMM_NULL) {
        PMPI_Comm_free(&own_);
    }
}

// Not by MPI_Comm_dup, which would call what the program has attached to its own. And whatever the
// program wants done with its errors: one of ours ends it, for the others would wait.
void Engine::make_communicator() {
    if (own_ == MPI_COMM_NULL) {
        MPI_Group ranks = MPI_GROUP_NULL;
        PMPI_Comm_group(program_, &ranks);
        PMPI_Comm_create(program_, ranks, &own_);
        PMPI_Group_free(&ranks);
        PMPI_Comm_set_errhandler(own_, MPI_ERRORS_ARE_FATAL);
    }
}

void Engine::prepare() {
    if (!allreduce_) {
        make_communicator();
        start(measure_message_times(own_));
    }
}

void Engine::start(const MessageTimes& times) {
    times_ = times;
    transport_ = std::make_unique<MpiTransport>(own_);
    const Settings settings = settings_of(around_.choice, times);
    if (around_.choice.has_thread && settings.bypass) {
        worker_ = std::make_unique<ThreadWorker>(shortest_for_thread);
    }
    allreduce_ = std::make_unique<Allreduce>(*transport_, settings, worker_.get());
}

bool Engine::takes_nonblocking() {
    const std::lock_guard lock(mutex_);
    return own_ != MPI_COMM_NULL;
}

void Engine::go_on(Urgency urgency) {
    allreduce_->progress(urgency);
    complete_requests();
}

void Engine::complete_requests() {
    std::erase_if(pending_, [this](const Pending& it) {
        const bool is_done = allreduce_->is_done(it.number);
        if (is_done) {
            PMPI_Grequest_complete(it.request);
            --*around_.pending;
        }
        return is_done;
    });
}

// Where several threads of the program may wait, none keeps the others out while it does: what it
// waits for may depend on them.
template <class Done>
void Engine::wait(std::unique_lock<std::mutex>& lock, Done is_done) {
    while (!is_done()) {
        go_on(around_.is_shared ? Urgency::awaited : Urgency::blocking);
        if (around_.is_shared) {
            lock.unlock();
            std::this_thread::yield();
            lock.lock();
        }
    }
}

std::uint64_t Engine::allreduce(const Reduction& reduction) {
    std::unique_lock lock(mutex_);
    prepare();
    const std::uint64_t before = allreduce_->gone_ahead();
    const std::uint64_t number = allreduce_->begin(reduction);
    wait(lock, [&] { return allreduce_->is_done(number); });
    complete_requests();
    return allreduce_->gone_ahead() - before;
}

MPI_Request Engine::begin(const Reduction& reduction) {
    const std::lock_guard lock(mutex_);
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Grequest_start(say_status, free_nothing, cancel_nothing, nullptr, &request);
    if (!allreduce_) {
        start(*around_.world);
    }
    const std::uint64_t number = allreduce_->begin(reduction);
    pending_.push_back({request, number});
    ++*around_.pending;
    return request;
}

bool Engine::has_pending(MPI_Request request) const {
    return std::any_of(pending_.begin(), pending_.end(),
                       [request](const Pending& it) { return it.request == request; });
}

void Engine::finish(std::span<const MPI_Request> requests, Await what) {
    std::unique_lock lock(mutex_);
    const auto is_done = [this](MPI_Request request) { return !has_pending(request); };
    wait(lock, [&] {
        return what == Await::all ? std::all_of(requests.begin(), requests.end(), is_done)
                                  : std::any_of(requests.begin(), requests.end(), is_done);
    });
}

void Engine::finish_all() {
    std::unique_lock lock(mutex_);
    wait(lock, [this] { return pending_.empty(); });
}

void Engine::progress(Urgency urgency) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock.owns_lock() && !pending_.empty()) {
        go_on(urgency);
    }
}

std::vector<MPI_Request> Engine::pending_among(std::span<const MPI_Request> requests) {
    const std::lock_guard lock(mutex_);
    std::vector<MPI_Request> own;
    if (!pending_.empty()) {
        std::ranges::copy_if(requests, std::back_inserter(own),
                             [this](MPI_Request request) { return has_pending(request); });
    }
    return own;
}

bool Engine::is_idle() {
    const std::lock_guard lock(mutex_);
    return pending_.empty() && (!allreduce_ || allreduce_->is_idle());
}

void Engine::stop_worker() {
    const std::lock_guard lock(mutex_);
    worker_.reset();
}

void Engine::close() {
    const std::lock_guard lock(mutex_);
    worker_.reset();
    allreduce_.reset();
    transport_.reset();
    own_ = MPI_COMM_NULL;
}

}  // namespace hora::mpi

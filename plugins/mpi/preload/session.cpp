// What does the library know from MPI_Init to MPI_Finalize?
#include "plugins/mpi/preload/session.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

#include "libplanner/base/blocked_signals.hpp"
#include "plugins/mpi/world_ranks.hpp"

namespace hora::mpi {
namespace {

constexpr std::chrono::microseconds background_pause(100);

// An attribute of the communicator has it; MPI calls this when the communicator goes.
struct Slot {
    std::shared_ptr<Engine> engine;  // null: the reductions are MPI's
};

int remove_slot(MPI_Comm /*communicator*/, int /*keyval*/, void* value, void* /*state*/) {
    const std::unique_ptr<Slot> slot(static_cast<Slot*>(value));
    if (slot->engine) {
        session().release(std::move(slot->engine));
    }
    return MPI_SUCCESS;
}

bool is_for_engine(MPI_Comm communicator) {
    return world_ranks(communicator).size() > 1;
}

bool is_complete(MPI_Request request) {
    int flag = 0;
    PMPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    return flag != 0;
}

}  // namespace

Session& session() {
    static auto* const whole = new Session;
    return *whole;
}

void give_up(const char* what) {
    std::fprintf(stderr, "hora: %s; this MPI program ends\n", what);
    PMPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();
}

void Session::start(const Choice& own, int level, int given) {
    level_ = level;
    is_shared_ = level == MPI_THREAD_MULTIPLE;
    Choice possible = own;
    possible.takes_nonblocking &= given == MPI_THREAD_MULTIPLE;
    choice_ = agree(possible);
    if (!choice_.is_ours()) {
        return;
    }
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, remove_slot, &attribute_, nullptr);
    is_active_ = true;
    if (const auto world = engine_of(MPI_COMM_WORLD); world) {
        world->prepare();
        world_times_ = world->times();
    }
}

void Session::stop() {
    is_active_ = false;
    {
        const std::lock_guard lock(mutex_);
        stops_ = true;
    }
    begun_.notify_all();
    if (background_.joinable()) {
        background_.join();
    }
    // Receives that stand ready are cancelled. Communicators that the program has not freed are
    // MPI's to free, and so is what the program has left unfinished.
    for (const auto& engine : engines()) {
        if (engine->is_idle()) {
            engine->close();
        } else {
            engine->stop_worker();
        }
    }
}

std::shared_ptr<Engine> Session::engine_of(MPI_Comm communicator) {
    if (!is_active_ || communicator == MPI_COMM_NULL) {
        return nullptr;
    }
    void* value = nullptr;
    int is_known = 0;
    PMPI_Comm_get_attr(communicator, attribute_, static_cast<void*>(&value), &is_known);
    if (is_known == 0) {
        auto slot = std::make_unique<Slot>();
        if (is_for_engine(communicator)) {
            slot->engine = std::make_shared<Engine>(
                communicator, Engine::Surroundings{choice_, world_times_ ? &*world_times_ : nullptr,
                                                   is_shared_, &pending_});
            const std::lock_guard lock(mutex_);
            engines_.push_back(slot->engine);
        }
        value = slot.release();
        PMPI_Comm_set_attr(communicator, attribute_, value);
    }
    return static_cast<const Slot*>(value)->engine;
}

std::uint64_t Session::allreduce(Engine& engine, const Reduction& reduction) {
    remove_released();
    return engine.allreduce(reduction);
}

void Session::expect(MPI_Comm communicator) {
    if (!takes_nonblocking()) {
        return;
    }
    remove_released();
    if (const auto engine = engine_of(communicator); engine) {
        engine->make_communicator();
    }
}

MPI_Request Session::begin(Engine& engine, const Reduction& reduction) {
    remove_released();
    const MPI_Request request = engine.begin(reduction);
    const std::lock_guard lock(mutex_);
    if (!background_.joinable()) {
        const BlockedSignals blocked;
        background_ = std::thread([this] { go_on_in_background(); });
    }
    begun_.notify_one();
    return request;
}

void Session::go_on_in_background() {
    try {
        while (true) {
            {
                std::unique_lock lock(mutex_);
                begun_.wait(lock, [this] { return stops_ || pending_ > 0; });
                if (stops_) {
                    return;
                }
            }
            for (const auto& engine : engines()) {
                engine->progress(Urgency::none);
            }
            std::this_thread::sleep_for(background_pause);
        }
    } catch (const std::exception& problem) {
        give_up(problem.what());
    }
}

std::vector<std::shared_ptr<Engine>> Session::engines() {
    const std::lock_guard lock(mutex_);
    auto all = engines_;
    all.insert(all.end(), released_.begin(), released_.end());
    return all;
}

// -- waiting ----------------------------------------------------------------

std::vector<Session::Part> Session::parts_of(std::span<const MPI_Request> requests) {
    std::vector<Part> parts;
    for (auto& engine : engines()) {
        if (auto own = engine->pending_among(requests); !own.empty()) {
            parts.push_back({std::move(engine), std::move(own)});
        }
    }
    return parts;
}

void Session::help(std::span<const MPI_Request> requests, Wait wait) {
    if (pending_ == 0) {
        return;
    }
    std::vector<Part> parts = parts_of(requests);
    const auto is_of_mpi = [&](MPI_Request request) {
        return request != MPI_REQUEST_NULL &&
               std::none_of(parts.begin(), parts.end(), [request](const Part& part) {
                   return std::ranges::find(part.requests, request) != part.requests.end();
               });
    };
    std::vector<MPI_Request> others;
    if (wait == Wait::any) {
        std::ranges::copy_if(requests, std::back_inserter(others), is_of_mpi);
    }
    if (parts.size() == 1 && others.empty() && wait != Wait::no) {
        const auto what = wait == Wait::all ? Engine::Await::all : Engine::Await::any;
        parts.front().engine->finish(parts.front().requests, what);
        return;
    }
    while (!parts.empty()) {
        for (Part& part : parts) {
            // Who only tests leaves reductions time to share messages.
            part.engine->progress(wait == Wait::no ? Urgency::none : Urgency::awaited);
        }
        const std::size_t before = parts.size();
        for (Part& part : parts) {
            const std::size_t pending = part.requests.size();
            part.requests = part.engine->pending_among(part.requests);
            if (wait != Wait::all && part.requests.size() < pending) {
                return;
            }
        }
        std::erase_if(parts, [](const Part& part) { return part.requests.empty(); });
        if (wait == Wait::no || (wait == Wait::any && (parts.size() < before ||
                                                       std::ranges::any_of(others, is_complete)))) {
            return;
        }
        std::this_thread::yield();
    }
}

// -- communicators that go --------------------------------------------------

void Session::release(std::shared_ptr<Engine> engine) {
    if (!is_active_) {
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        std::erase(engines_, engine);
        released_.push_back(std::move(engine));
    }
    remove_released();
}

// By threads of the program alone: what MPI calls when a communicator is freed may be theirs.
void Session::remove_released() {
    std::vector<std::shared_ptr<Engine>> ended;
    const std::lock_guard lock(mutex_);
    std::erase_if(released_, [&](std::shared_ptr<Engine>& engine) {
        // The thread in the background may hold it as well.
        const bool ends = engine.use_count() == 1 && engine->is_idle();
        if (ends) {
            ended.push_back(std::move(engine));
        }
        return ends;
    });
}

}  // namespace hora::mpi

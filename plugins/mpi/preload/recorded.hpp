// How is a call recorded?
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plugins/mpi/preload/described.hpp"
#include "plugins/mpi/record/recorder.hpp"

namespace hora::mpi {

// `describe` gives an array of Descriptions, and is asked only where a record is kept; `work` makes
// the call and gives its code. A call that failed is not recorded.

// Over when it returns; `source` names the peer where only a status does.
template <class Describe, class Work, class Source>
int record_receive(Describe describe, Work work, Source source) {
    if (!recorder().is_on()) {
        return work();
    }
    auto descriptions = describe();
    std::array<BegunCall, std::tuple_size_v<decltype(descriptions)>> calls;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        calls[i] = recorder().begin(descriptions[i]);
    }
    const int code = work();
    if (code == MPI_SUCCESS) {
        for (const BegunCall& call : calls) {
            recorder().end(call, call.peer == MPI_ANY_SOURCE ? source() : no_peer);
        }
    }
    return code;
}

template <class Describe, class Work>
int record_call(Describe describe, Work work) {
    return record_receive(describe, work, [] { return no_peer; });
}

// `work` also says for how many pieces this rank did not wait.
template <class Describe, class Work>
int record_reduction(Describe describe, Work work) {
    std::uint64_t ahead = 0;
    if (!recorder().is_on()) {
        return work(ahead);
    }
    BegunCall call = recorder().begin(describe()[0]);
    const int code = work(ahead);
    if (code == MPI_SUCCESS) {
        call.ahead = ahead;
        recorder().end(call, no_peer);
    }
    return code;
}

// Over when the request is, which `request` gives after the call.
template <class Describe, class Work, class Request>
int record_begin(Describe describe, Work work, Request request) {
    if (!recorder().is_on()) {
        return work();
    }
    const BegunCall call = recorder().begin(describe()[0]);
    const int code = work();
    if (code == MPI_SUCCESS && call.communicator != nullptr) {
        recorder().end_later(call, request());
    }
    return code;
}

// A call that completes requests: made before it, and given afterwards what is over.
class Ending {
  public:
    explicit Ending(std::span<const MPI_Request> requests)
        : completions_(requests), count_(requests.size()) {}

    // What the program gave, or room of its own where it ignores what has to be known.
    MPI_Status* statuses(MPI_Status* given) {
        const bool is_ignored = given == MPI_STATUS_IGNORE || given == MPI_STATUSES_IGNORE;
        if (is_ignored && completions_.need_status()) {
            own_.resize(count_);
            given = own_.data();
        } else if (is_ignored) {
            return given;
        }
        statuses_ = given;
        return given;
    }

    // Each gives back the call's code.
    int all(int code, bool are_over = true) {
        if (code == MPI_SUCCESS && are_over) {
            completions_.end_all([this](std::size_t i) { return source(i); });
        }
        return code;
    }
    int one(int code, int index, bool is_over = true) {
        if (code == MPI_SUCCESS && is_over) {
            completions_.end_one(index, [this](std::size_t i) { return source(i); });
        }
        return code;
    }
    int some(int code, int count, const int* indices) {
        if (code == MPI_SUCCESS && count > 0) {
            completions_.end_some(std::span(indices, static_cast<std::size_t>(count)),
                                  [this](std::size_t i) { return source(i); });
        }
        return code;
    }

  private:
    int source(std::size_t place) const {
        return statuses_ == nullptr ? no_peer : statuses_[place].MPI_SOURCE;
    }

    Completions completions_;
    std::size_t count_;
    std::vector<MPI_Status> own_;
    const MPI_Status* statuses_ = nullptr;
};

}  // namespace hora::mpi

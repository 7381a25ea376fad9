// How long does the plugin itself hold one submission up, without a slurmctld around it?
#include "plugins/job_submit/handle.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "plugins/job_submit/daemon.hpp"
#include "tests/bench/submissions.hpp"
#include "tests/unit/job_submit/job.hpp"
#include "tests/unit/job_submit/place.hpp"

extern "C" {

// slurmctld formats a line and writes it; formatting alone is counted here.
void slurm_info(const char* format, ...) {
    char line[1024];
    va_list values;
    va_start(values, format);
    std::vsnprintf(line, sizeof line, format, values);
    va_end(values);
    benchmark::DoNotOptimize(line);
}

int slurm_error(const char* format, ...) {
    va_list values;
    va_start(values, format);
    std::vfprintf(stderr, format, values);
    va_end(values);
    std::fputc('\n', stderr);
    return -1;
}

}  // extern "C"

namespace {

using namespace hora;

enum class Kind { without_options, planned, repeated };

// A site and the jobs that are submitted to it one after the other.
class Submissions {
  public:
    Submissions(std::int64_t nodes, Kind kind)
        : place_(bench::snapshot_of(static_cast<std::uint32_t>(nodes))), kind_(kind) {}

    void submit_next() {
        if (kind_ == Kind::planned) {
            ++batch_;
        }
        submit::Job job;
        job->script = submit::daemon_string("#!/bin/sh\n");
        job.environment({"PATH=/usr/bin:/bin"});
        const std::string batch_option = bench::batch_option(256 + batch_ % 4096);
        if (kind_ != Kind::without_options) {
            job.spank({options_[0].c_str(), batch_option.c_str(), options_[2].c_str(),
                       options_[3].c_str(), options_[4].c_str()});
        }
        char* message = nullptr;
        submit::handle(&place_.site(), *job, 1000, &message);
        void* memory = message;
        slurm_xfree(&memory);
    }

  private:
    submit::Place place_;
    Kind kind_;
    const std::vector<std::string> options_ = bench::planned_options();
    int batch_ = 256;
};

// Making the job and freeing it, as slurmctld does anyway, is timed as well: "without_options" is
// the zero of the others.
void handle(benchmark::State& state, Kind kind) {
    Submissions submissions(state.range(0), kind);
    for (auto _ : state) {
        submissions.submit_next();
    }
}

// As slurmctld calls it: in a thread of the request's own, whose heap is empty, and after so much
// else that the processor's caches have forgotten the one before.
void handle_in_thread(benchmark::State& state, Kind kind) {
    using Clock = std::chrono::steady_clock;
    Submissions submissions(state.range(0), kind);
    std::vector<char> other_work(4U << 20U);  // twice the second level of most processors
    for (auto _ : state) {
        for (std::size_t i = 0; i < other_work.size(); i += 64) {
            ++other_work[i];
        }
        benchmark::DoNotOptimize(other_work.data());
        std::chrono::duration<double> taken{};
        std::thread([&] {
            const auto start = Clock::now();
            submissions.submit_next();
            taken = Clock::now() - start;
        }).join();
        state.SetIterationTime(taken.count());
    }
}

BENCHMARK_CAPTURE(handle, without_options, Kind::without_options)->Arg(64);
BENCHMARK_CAPTURE(handle, planned, Kind::planned)->Arg(64)->Arg(1000)->Arg(10000);
BENCHMARK_CAPTURE(handle, repeated, Kind::repeated)->Arg(64);
BENCHMARK_CAPTURE(handle_in_thread, without_options, Kind::without_options)
    ->Arg(64)
    ->UseManualTime();
BENCHMARK_CAPTURE(handle_in_thread, planned, Kind::planned)->Arg(64)->UseManualTime();
BENCHMARK_CAPTURE(handle_in_thread, repeated, Kind::repeated)->Arg(64)->UseManualTime();

}  // namespace

BENCHMARK_MAIN();

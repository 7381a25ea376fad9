// How long does the plugin itself hold one submission up, without a slurmctld around it?
#include "plugins/job_submit/handle.hpp"

#include <benchmark/benchmark.h>

#include <cstdarg>
#include <cstdio>
#include <string>

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

// Making the job and freeing it, as slurmctld does anyway, is timed as well: "without_options" is
// the zero of the others.
void handle(benchmark::State& state, Kind kind) {
    submit::Place place(bench::snapshot_of(static_cast<std::uint32_t>(state.range(0))));
    const auto options = bench::planned_options();
    int batch = 256;
    for (auto _ : state) {
        if (kind == Kind::planned) {
            ++batch;
        }
        submit::Job job;
        job->script = submit::daemon_string("#!/bin/sh\n");
        job.environment({"PATH=/usr/bin:/bin"});
        const std::string batch_option = bench::batch_option(256 + batch % 4096);
        if (kind != Kind::without_options) {
            job.spank({options[0].c_str(), batch_option.c_str(), options[2].c_str(),
                       options[3].c_str(), options[4].c_str()});
        }
        char* message = nullptr;
        submit::handle(&place.site(), *job, 1000, &message);
        void* memory = message;
        slurm_xfree(&memory);
    }
}

BENCHMARK_CAPTURE(handle, without_options, Kind::without_options)->Arg(64);
BENCHMARK_CAPTURE(handle, planned, Kind::planned)->Arg(64)->Arg(1000)->Arg(10000);
BENCHMARK_CAPTURE(handle, repeated, Kind::repeated)->Arg(64);

}  // namespace

BENCHMARK_MAIN();

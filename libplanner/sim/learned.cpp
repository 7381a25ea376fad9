// What does a policy know that starts from a prior and sees only what was measured?
#include "libplanner/sim/learned.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "libplanner/cost/exchange.hpp"
#include "libplanner/sim/oracle.hpp"
#include "libplanner/sim/workload/noise_scale.hpp"
#include "libplanner/sim/workload/true_speed.hpp"

namespace hora::sim {
namespace {

// Standard deviation of the log of the factor by which the cost model is off at one GPU.
constexpr double prior_error = 0.3;
// Of the log of one measurement, the median of some steps.
constexpr double measurement_error = 0.05;
// Of the log of a gradient noise scale that programs report: it is a mean of noisy gradients, and
// grows as a training goes on.
constexpr double noise_scale_error = 0.3;
// f(g) / f(1) = (1 - c) / g + b (g - 1) / g + c, P5's shape, with the middle of P5's range of c and
// the least b: too good a guess is mended as soon as a job has run on so many GPUs, and for too bad
// a one none ever does.
constexpr double ring_part = 0.1;
constexpr double fixed_part = 0.02;
// PCIe 3.0 as NCCL attains it: few nodes have less.
constexpr domain::Link inside{Bandwidth(12e9), Seconds(0)};

double compute_shape(double gpus) {
    return (1 - fixed_part) / gpus + fixed_part;
}

// Of the exchange in the time of one epoch on one GPU, `one`.
Seconds ring(const domain::TrueSpeed& speed, Seconds one, std::uint32_t gpus,
             const domain::Link& link) {
    return speed.gradients > Bytes(0)
               ? speed.steps * cost::ring_exchange(speed.gradients, gpus, link)
               : one * ring_part * ((gpus - 1.0) / gpus);
}

}  // namespace

Learned::Learned(const domain::JobTrace& trace, const PriorSource& source)
    : trace_(trace), source_(source), noise_(source.seed) {
    Random factors(source.seed ^ 0x5eed0fac70125ULL);
    for (const domain::TrueSpeed& speed : trace.speeds) {
        applications_.push_back(
            prior_of(speed, speed.epoch_seconds.size(), std::exp(prior_error * factors.normal())));
    }
    for (const std::vector<domain::BatchSpeed>& range : trace.ranges) {
        const double error = std::exp(prior_error * factors.normal());
        applications_.push_back(
            prior_of(range, error, std::exp(noise_scale_error * factors.normal())));
    }
    for (Application& application : applications_) {
        fit(application);
    }
    if (!source.shares_fits) {
        const std::vector<Application> shared = std::move(applications_);
        applications_.clear();
        for (const domain::TraceJob& job : trace.jobs) {
            applications_.push_back(shared[place_of(job)]);
        }
    }
}

std::size_t Learned::application_of(std::uint32_t job) const {
    return source_.shares_fits ? place_of(trace_.jobs[job]) : job;
}

std::size_t Learned::place_of(const domain::TraceJob& job) const {
    return job.range ? trace_.speeds.size() + *job.range : job.speed;
}

// Known is the level alone, at the fewest GPUs that the application runs on.
Learned::Application Learned::prior_of(const domain::TrueSpeed& speed, std::size_t sizes,
                                       double error) const {
    const Seconds known = speed.epoch_seconds[speed.least - 1] * error;
    const double share =
        speed.gradients > Bytes(0)
            ? compute_shape(speed.least)
            : compute_shape(speed.least) + ring(speed, Seconds(1), speed.least, inside).count();
    const Seconds one = known / share;
    Application application;
    for (std::uint32_t gpus = 1; gpus <= sizes; ++gpus) {
        application.compute.push_back(one * compute_shape(gpus));
        application.exchange.push_back(ring(speed, one, gpus, inside));
        application.between.push_back(ring(speed, one, gpus, source_.network));
    }
    application.hidden.resize(application.compute.size());
    return application;
}

// In epochs of the smallest batch, on as many GPUs as any of them was measured on.
Learned::Application Learned::prior_of(const std::vector<domain::BatchSpeed>& range, double error,
                                       double noise_error) const {
    std::size_t sizes = 1;
    for (const domain::BatchSpeed& known : range) {
        sizes = std::max(sizes, trace_.speeds[known.speed].epoch_seconds.size());
    }
    Application application = prior_of(trace_.speeds[range.front().speed], sizes, error);
    application.batches = {.min = range.front().batch, .max = range.back().batch};
    for (const domain::BatchSpeed& known : range) {
        application.batches->only.push_back({known.batch, known.least});
    }
    application.noise_scale = noise_scale_of(trace_.speeds, range) * noise_error;
    return application;
}

void Learned::fit(Application& application) const {
    const elastic::SpeedPrior prior{.compute = application.compute,
                                    .exchange = application.exchange,
                                    .gpus_per_node = source_.gpus_per_node,
                                    .uncertainty = prior_error,
                                    .between = application.between,
                                    .hiding = application.hidden,
                                    .slow_down = application.slow_down,
                                    .batches = application.batches};
    application.curve =
        std::make_shared<const elastic::SpeedCurve>(elastic::fit_speed(prior, application.points));
}

// Exchanges between nodes are the cluster's: what one application shows of them, others expect.
// They do so when they are looked at next, since a trace may have an application for each of many
// jobs.
void Learned::show(std::size_t place, const std::optional<elastic::SlowDown>& before) {
    const auto& now = applications_[place].curve->shown_slow_down;
    if (now == before) {
        return;
    }
    const std::string name = std::to_string(place);
    if (before) {
        slow_downs_.remove(name, *before);
    }
    if (now) {
        slow_downs_.add(name, *now);
    }
    ++shared_;
}

void Learned::expect_anew(std::size_t place) {
    Application& application = applications_[place];
    if (application.shared == shared_) {
        return;
    }
    application.shared = shared_;
    const elastic::SlowDown expected =
        slow_downs_.expected(std::to_string(place), application.curve->shown_slow_down);
    if (elastic::is_other(expected, application.slow_down)) {
        application.slow_down = expected;
        fit(application);
    }
}

std::shared_ptr<const elastic::SpeedCurve> Learned::curve(std::uint32_t job) {
    const std::size_t place = application_of(job);
    expect_anew(place);
    return applications_[place].curve;
}

bool Learned::observe(std::uint32_t job, std::uint32_t gpus, std::uint32_t nodes,
                      std::uint64_t batch, Seconds epoch) {
    const std::size_t place = application_of(job);
    Application& application = applications_[place];
    // Several tens of steps: what is left of the error does not shrink with their number.
    constexpr double steps = 30;
    Seconds seen = epoch * std::exp(measurement_error * noise_.normal());
    if (application.batches) {
        // As many steps as an epoch of the smallest batch has.
        const domain::TraceJob& described = trace_.jobs[job];
        seen = seen * speed_with(trace_, described, application.batches->min).steps /
               speed_with(trace_, described, batch).steps;
        application.batches->noise_scale = application.noise_scale;
    }
    application.points.push_back({gpus, nodes, seen, steps, batch});
    const std::optional<elastic::SlowDown> before = application.curve->shown_slow_down;
    fit(application);
    if (source_.shares_fits) {
        show(place, before);
    }
    return true;
}

std::unique_ptr<Knowledge> make_knowledge(KnowledgeKind kind, const domain::JobTrace& trace,
                                          const PriorSource& source) {
    if (kind == KnowledgeKind::oracle) {
        return std::make_unique<Oracle>(trace);
    }
    return std::make_unique<Learned>(trace, source);
}

}  // namespace hora::sim

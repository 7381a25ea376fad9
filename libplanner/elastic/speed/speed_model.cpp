// How long does a job's step take on each number of GPUs, by what was predicted and what was
// measured, and how sure is that?
#include "libplanner/elastic/speed/speed_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "libplanner/base/non_negative.hpp"
#include "libplanner/elastic/speed/speed_residual.hpp"
#include "libplanner/elastic/speed/speed_sizes.hpp"

namespace hora::elastic {
namespace {

// Terms of a step on g GPUs. The first is the prior's; of the others each is thought to be nothing
// until points say otherwise.
enum Term : std::size_t {
    computation,
    fixed,  // 1
    ring,   // (g - 1) / g
    term_count,
};
using Row = Weights<term_count>;

// The factors by which an exchange between nodes may be longer than its data sheet says. With 1
// alone steps on several nodes, of models held out and known on one, are 29 % off in place of 12 %
// (median, tests/bench/speed_models), and 29 % of them within one standard error.
constexpr std::array<double, 10> slow_downs{0, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64};

double at(std::span<const Seconds> curve, std::uint32_t gpus, double otherwise) {
    return gpus <= curve.size() ? curve[gpus - 1].count() : otherwise;
}

// A step that is timed or predicted.
struct Work {
    std::uint32_t gpus = 1;
    std::uint32_t nodes = 1;
    std::uint64_t batch = 0;
};

Work work_of(const MeasuredSize& size) {
    return {size.gpus, size.nodes, size.batch};
}

// The prior with its level set: it may be off by a factor.
class Basis {
  public:
    Basis(const SpeedPrior& prior, const std::vector<MeasuredSize>& sizes,
          const SpeedConstants& constants)
        : prior_(prior), constants_(constants) {
        level_ = level(sizes);
        whole_ = level_ * prior.compute[0].count();
    }

    Row row(const Work& work) const {
        const double g = work.gpus;
        Row row{level_ * compute(work), whole_, whole_ * (g - 1) / g};
        for (double& term : row) {
            term = std::pow(term, constants_.power);
        }
        return row;
    }

    double exposed_exchange(const Work& work, double slow_down) const {
        const double g = work.gpus;
        const double exchange = work.nodes > 1
                                    ? slow_down * at(prior_.between, work.gpus,
                                                     constants_.unknown_part * whole_ * (g - 1) / g)
                                    : at(prior_.exchange, work.gpus, 0);
        const double hiding =
            level_ * at(prior_.hiding, work.gpus, at(prior_.compute, work.gpus, 0) / 2);
        return std::max(0.0, exchange - hiding * times(work));
    }

    double power() const { return constants_.power; }
    // How many standard deviations this is away from what is expected.
    double surprise(double slow_down) const {
        if (slow_down == 0) {
            return 0;
        }
        return prior_.between.empty()
                   ? std::log(slow_down) / constants_.unknown_exchange
                   : (std::log(slow_down) - prior_.slow_down.log) / prior_.slow_down.deviation;
    }
    // Of each term's weight: how large it is thought to be.
    Row deviation() const {
        // What is the same on any number of GPUs may be all of a step.
        Row row{0, 1, constants_.unknown_part};
        for (double& term : row) {
            term = std::pow(term, constants_.power);
        }
        row[computation] = constants_.power * prior_.uncertainty;
        return row;
    }

  private:
    // The batch, in parts of the smallest.
    double times(const Work& work) const {
        return prior_.batches && work.batch > 0
                   ? static_cast<double>(work.batch) / static_cast<double>(prior_.batches->min)
                   : 1;
    }
    double compute(const Work& work) const {
        return prior_.compute[work.gpus - 1].count() * times(work);
    }

    // All that is added to the computation makes a step longer, so the least of measured /
    // predicted shows the level; one far below the others is an outlier.
    double level(const std::vector<MeasuredSize>& sizes) const {
        constexpr double outlier = 1.0 / 3;
        std::vector<double> ratios;
        for (const MeasuredSize& size : sizes) {
            ratios.push_back(size.step / compute(work_of(size)));
        }
        if (ratios.empty()) {
            return 1;
        }
        std::sort(ratios.begin(), ratios.end());
        const double median = ratios[ratios.size() / 2];
        return *std::find_if(ratios.begin(), ratios.end(),
                             [&](double ratio) { return ratio >= outlier * median; });
    }

    const SpeedPrior& prior_;
    const SpeedConstants& constants_;
    double level_ = 1;
    double whole_ = 0;
};

double square(double value) {
    return value * value;
}

double dot(const Row& one, const Row& other) {
    double sum = 0;
    for (std::size_t term = 0; term < term_count; ++term) {
        sum += one[term] * other[term];
    }
    return sum;
}

// The terms fitted under one slow-down, and how well they meet prior and points.
struct Candidate {
    double slow_down = 1;
    Row weights{};
    Factor<term_count> spread;
    double misfit = 0;    // with the points, and the prior of the terms
    double surprise = 0;  // the slow-down itself, squared

    double weight(double least) const { return std::exp((least - misfit - surprise) / 2); }

    // Of a step without its exchange, whose row this is: its time, and its relative variance that
    // the points leave.
    double own(const Row& row, double power) const {
        return std::pow(dot(row, weights), 1 / power);
    }
    double own_variance(const Row& row, double power) const {
        const Row part = spread.forward(row);
        const double powered = dot(row, weights);
        return dot(part, part) / (power * power * powered * powered);
    }
};

Candidate fit_terms(const Basis& basis, double slow_down, const std::vector<MeasuredSize>& sizes) {
    constexpr double least_share = 0.2;  // of a step is no exchange
    const double power = basis.power();
    const Row deviation = basis.deviation();
    LeastSquares<term_count> rows;
    for (std::size_t term = 0; term < term_count; ++term) {
        rows.expect(term, term == computation ? 1 : 0, deviation[term]);
    }
    for (const MeasuredSize& size : sizes) {
        const double own = std::max(least_share * size.step,
                                    size.step - basis.exposed_exchange(work_of(size), slow_down));
        // d(own^p) = p own^(p - 1) d(own)
        const double weight = 1 / (power * std::pow(own, power - 1) * size.error * size.step);
        Row row = basis.row(work_of(size));
        for (double& term : row) {
            term *= weight;
        }
        rows.add(row, std::pow(own, power) * weight);
    }
    const NonNegative<term_count> answer = solve_non_negative(rows);
    Candidate candidate{slow_down, answer.weights, Factor<term_count>(rows.gram, answer.free)};
    for (std::size_t term = 0; term < term_count; ++term) {
        candidate.misfit +=
            square((answer.weights[term] - (term == computation ? 1 : 0)) / deviation[term]);
    }
    for (const MeasuredSize& size : sizes) {
        const double step = candidate.own(basis.row(work_of(size)), power) +
                            basis.exposed_exchange(work_of(size), slow_down);
        candidate.misfit += square(std::log(step / size.step) / size.error);
    }
    return candidate;
}

template <typename Value>
double least_of(const std::vector<Candidate>& candidates, Value value) {
    double least = value(candidates[0]);
    for (const Candidate& candidate : candidates) {
        least = std::min(least, value(candidate));
    }
    return least;
}

struct Prediction {
    double step = 0;
    double variance = 0;  // relative
};

// Bayes' mean over the slow-downs, of the logarithm.
Prediction predict(const Basis& basis, const std::vector<Candidate>& candidates, const Work& work) {
    constexpr double negligible = 1e-6;
    const double least = least_of(candidates, [](const Candidate& candidate) {
        return candidate.misfit + candidate.surprise;
    });
    const double power = basis.power();
    const Row row = basis.row(work);
    double weights = 0;
    double mean = 0;
    double squares = 0;
    for (const Candidate& candidate : candidates) {
        const double weight = candidate.weight(least);
        if (weight < negligible) {
            continue;
        }
        const double own = candidate.own(row, power);
        const double step = own + basis.exposed_exchange(work, candidate.slow_down);
        const double log = std::log(step);
        weights += weight;
        mean += weight * log;
        squares += weight * (log * log + candidate.own_variance(row, power) * square(own / step));
    }
    mean /= weights;
    return {std::exp(mean), std::max(0.0, squares / weights - mean * mean)};
}

bool are_spread(const std::vector<MeasuredSize>& sizes) {
    return std::any_of(sizes.begin(), sizes.end(),
                       [](const MeasuredSize& size) { return size.nodes > 1; });
}

// One for each slow-down that may be. Without a prior there is no exchange until points show one.
std::vector<Candidate> fit_all(const SpeedPrior& prior, const Basis& basis,
                               const std::vector<MeasuredSize>& sizes) {
    const bool is_expected = !prior.between.empty();
    std::vector<Candidate> candidates;
    for (const double slow_down : slow_downs) {
        if (slow_down > 0 ? !is_expected && !are_spread(sizes) : is_expected) {
            continue;
        }
        // Points of one node know none of them.
        const bool is_same = !candidates.empty() && !are_spread(sizes);
        candidates.push_back(is_same ? candidates.front() : fit_terms(basis, slow_down, sizes));
        candidates.back().slow_down = slow_down;
        candidates.back().surprise = square(basis.surprise(slow_down));
    }
    return candidates;
}

// What the points alone say: the candidates' mean, less what it would be without any point.
std::optional<SlowDown> shown_by(const std::vector<Candidate>& candidates) {
    constexpr double least_precision = 0.1;
    double sum = 0;
    double logs = 0;
    double squares = 0;
    double all_logs = 0;
    double all_squares = 0;
    const double least =
        least_of(candidates, [](const Candidate& candidate) { return candidate.misfit; });
    for (const Candidate& candidate : candidates) {
        const double weight = std::exp((least - candidate.misfit) / 2);
        const double log = std::log(candidate.slow_down);
        sum += weight;
        logs += weight * log;
        squares += weight * log * log;
        all_logs += log;
        all_squares += log * log;
    }
    const auto count = static_cast<double>(candidates.size());
    // What lies between two factors is one of them here.
    const double grain = square(std::log(2)) / 12;
    const double mean = logs / sum;
    const double variance = std::max(grain, squares / sum - mean * mean);
    const double all_mean = all_logs / count;
    const double all_variance = all_squares / count - all_mean * all_mean;
    const double precision = 1 / variance - 1 / all_variance;
    if (precision < least_precision) {
        return std::nullopt;
    }
    return SlowDown{(mean / variance - all_mean / all_variance) / precision,
                    1 / std::sqrt(precision)};
}

// Mean square of the sizes' distances from the fit in their errors, at least 1.
double scatter_of(const std::vector<MeasuredSize>& sizes, const std::vector<double>& fitted) {
    double squares = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        squares += square(std::log(fitted[i] / sizes[i].step) / sizes[i].error);
    }
    return std::max(1.0, squares / static_cast<double>(std::max<std::size_t>(1, sizes.size())));
}

double doublings_away(const std::vector<MeasuredSize>& sizes, const Work& work) {
    double nearest = std::log2(work.gpus) + 1;
    for (const MeasuredSize& size : sizes) {
        nearest = std::min(
            nearest, doublings(work.gpus, size.gpus) + doublings(static_cast<double>(work.batch),
                                                                 static_cast<double>(size.batch)));
    }
    return nearest;
}

// Those that are computed, ascending, with the first, the last and all that were measured.
std::vector<std::uint32_t> fitted_sizes(std::uint32_t count,
                                        const std::vector<MeasuredSize>& sizes) {
    // A size costs about a microsecond. Of many GPUs one more changes next to nothing: between
    // two of these a curve as 1 / g is met to 0.02 %.
    constexpr std::uint32_t dense = 64;
    constexpr std::uint32_t of_size = 32;
    std::vector<std::uint32_t> fitted;
    auto measured = sizes.begin();
    for (std::uint32_t gpus = 1; gpus <= count;) {
        fitted.push_back(gpus);
        std::uint32_t next = gpus + (gpus < dense ? 1 : gpus / of_size);
        while (measured != sizes.end() && measured->gpus <= gpus) {
            ++measured;
        }
        next = measured == sizes.end() ? next : std::min(next, measured->gpus);
        gpus = gpus < count ? std::min(next, count) : count + 1;
    }
    return fitted;
}

// Of the batches that a job may have.
struct Fastest {
    double step = 0;
    double uncertainty = 0;
    std::uint64_t batch = 0;
    double hoped = 0;  // in the place of `step`
};

// Sizes between the last one and this are met by a line of the logarithm.
void append(SpeedCurve& curve, std::uint32_t gpus, const Fastest& fastest) {
    const double step = fastest.step;
    const double uncertainty = fastest.uncertainty;
    const auto before = static_cast<std::uint32_t>(curve.step.size());
    for (std::uint32_t size = before + 1; size < gpus; ++size) {
        const double share = static_cast<double>(size - before) / (gpus - before);
        const Seconds last = curve.step[before - 1];
        const double last_uncertainty = curve.uncertainty[before - 1];
        curve.step.push_back(last * std::pow(step / last.count(), share));
        curve.uncertainty.push_back(last_uncertainty + share * (uncertainty - last_uncertainty));
    }
    curve.step.push_back(Seconds(step));
    curve.uncertainty.push_back(uncertainty);
    if (fastest.batch > 0) {
        // What is possible on fewer is so on these.
        curve.batch.resize(gpus - 1, curve.batch.empty() ? fastest.batch : curve.batch.back());
        curve.batch.push_back(fastest.batch);
    }
}

// Of a range of batches a point that does not say its own is of the smallest.
std::vector<MeasuredSize> sizes_of(const SpeedPrior& prior, std::span<const SpeedPoint> points) {
    std::vector<SpeedPoint> known(points.begin(), points.end());
    for (SpeedPoint& point : known) {
        point.batch = prior.batches ? std::max(point.batch, prior.batches->min) : 0;
    }
    return measured_sizes(known, prior.compute.size());
}

// The first there; of a batch, if one is given.
const PlacedStep* find(const std::vector<PlacedStep>& placed, std::uint32_t gpus,
                       std::uint32_t nodes, std::optional<std::uint64_t> batch = {}) {
    const auto found = std::find_if(placed.begin(), placed.end(), [&](const PlacedStep& step) {
        return step.gpus == gpus && step.nodes == nodes && step.batch == batch.value_or(step.batch);
    });
    return found == placed.end() ? nullptr : &*found;
}

// The batch of all sizes; 0: there are several, or none.
std::uint64_t only_batch_of(const std::vector<MeasuredSize>& sizes) {
    const bool is_one = std::all_of(sizes.begin(), sizes.end(), [&](const MeasuredSize& size) {
        return size.batch == sizes.front().batch;
    });
    return sizes.empty() || !is_one ? 0 : sizes.front().batch;
}

// The points of a job, and what they say of any other step.
class Fit {
  public:
    Fit(const SpeedPrior& prior, std::span<const SpeedPoint> points,
        const SpeedConstants& constants)
        : prior_(prior),
          constants_(constants),
          sizes_(sizes_of(prior, points)),
          basis_(prior, sizes_, constants),
          candidates_(fit_all(prior, basis_, sizes_)),
          fitted_(fitted_steps()),
          scatter_(scatter_of(sizes_, fitted_)),
          residual_(sizes_, fitted_, constants.size_error),
          only_batch_(only_batch_of(sizes_)),
          batches_(prior.batches ? weighed_batches(*prior.batches)
                                 : std::vector<PossibleBatch>{{0}}) {}

    SpeedCurve curve() const {
        SpeedCurve curve;
        for (const MeasuredSize& size : sizes_) {
            curve.measured.push_back(
                {size.gpus, size.nodes, Seconds(size.step / worth(size.batch)), size.batch});
        }
        if (prior_.batches) {
            add_fastest(curve);
        }
        if (!prior_.between.empty() && are_spread(sizes_)) {
            curve.shown_slow_down = shown_by(candidates_);
        }
        const auto count = static_cast<std::uint32_t>(prior_.compute.size());
        for (const std::uint32_t gpus : fitted_sizes(count, sizes_)) {
            append(curve, gpus, fastest(gpus, (gpus - 1) / prior_.gpus_per_node + 1));
        }
        return curve;
    }

  private:
    std::vector<double> fitted_steps() const {
        std::vector<double> steps;
        for (const MeasuredSize& size : sizes_) {
            steps.push_back(predict(basis_, candidates_, work_of(size)).step);
        }
        return steps;
    }

    double worth(std::uint64_t batch) const {
        return prior_.batches && batch > 0 ? gain(*prior_.batches, batch) : 1;
    }

    // By what is hoped of each.
    Fastest fastest(std::uint32_t gpus, std::uint32_t nodes) const {
        Fastest best;
        for (const auto& [batch, least] : batches_) {
            if (gpus < least || (best.batch > 0 && prior_.batches->noise_scale == 0)) {
                continue;
            }
            const Work work{gpus, nodes, batch};
            const Prediction predicted = predict(basis_, candidates_, work);
            const SpeedResidual::Correction correction = residual_.at(gpus, nodes, batch);
            const double step = predicted.step * std::exp(correction.log) / worth(batch);
            const double uncertainty = std::hypot(
                std::sqrt(predicted.variance * scatter_ * correction.unknown), correction.deviation,
                constants_.doubling_error * doublings_away(sizes_, work));
            const double hoped = step / std::pow(hopeful_growth(batch), constants_.hope);
            if (best.hoped == 0 || hoped < best.hoped) {
                best = {step, uncertainty, batch, hoped};
            }
        }
        return best;
    }

    // How many times as large as the only batch that was tried; 1 where several were, or none, or
    // where it is much larger.
    double hopeful_growth(std::uint64_t batch) const {
        constexpr double most = 4;
        if (only_batch_ == 0) {
            return 1;
        }
        const double growth = static_cast<double>(batch) / static_cast<double>(only_batch_);
        return growth <= most ? std::max(growth, 1.0) : 1;
    }

    void add_fastest(SpeedCurve& curve) const {
        for (const MeasuredSize& size : sizes_) {
            const bool is_known = !curve.fastest.empty() &&
                                  curve.fastest.back().gpus == size.gpus &&
                                  curve.fastest.back().nodes == size.nodes;
            if (!is_known) {
                const Fastest best = fastest(size.gpus, size.nodes);
                curve.fastest.push_back({size.gpus, size.nodes, Seconds(best.hoped), best.batch});
            }
        }
    }

    const SpeedPrior& prior_;
    const SpeedConstants& constants_;
    std::vector<MeasuredSize> sizes_;
    Basis basis_;
    std::vector<Candidate> candidates_;
    std::vector<double> fitted_;  // seconds of each size
    double scatter_;
    SpeedResidual residual_;
    std::uint64_t only_batch_;
    std::vector<PossibleBatch> batches_;
};

}  // namespace

SpeedCurve fit_speed(const SpeedPrior& prior, std::span<const SpeedPoint> points,
                     const SpeedConstants& constants) {
    return prior.compute.empty() ? SpeedCurve() : Fit(prior, points, constants).curve();
}

std::optional<Seconds> measured_step(const SpeedCurve& curve, std::uint32_t gpus,
                                     std::uint32_t nodes, std::uint64_t batch) {
    const PlacedStep* const measured = find(curve.measured, gpus, nodes, batch);
    return measured == nullptr ? std::nullopt : std::optional(measured->step);
}

std::uint64_t fastest_batch(const SpeedCurve& curve, std::uint32_t gpus, std::uint32_t nodes) {
    if (curve.batch.empty()) {
        return 0;
    }
    const PlacedStep* const known = find(curve.fastest, gpus, nodes);
    const std::size_t place = std::clamp<std::size_t>(gpus, 1, curve.batch.size());
    return known != nullptr ? known->batch : curve.batch[place - 1];
}

std::optional<Seconds> step_on(const SpeedCurve& curve, std::uint32_t gpus, std::uint32_t nodes,
                               std::uint32_t gpus_per_node) {
    const std::vector<PlacedStep>& placed = curve.fastest.empty() ? curve.measured : curve.fastest;
    if (const PlacedStep* const known = find(placed, gpus, nodes); known != nullptr) {
        return known->step;
    }
    const bool is_on_fewest = nodes == (gpus + gpus_per_node - 1) / gpus_per_node;
    return is_on_fewest && gpus >= 1 && gpus <= curve.step.size()
               ? std::optional(curve.step[gpus - 1])
               : std::nullopt;
}

}  // namespace hora::elastic

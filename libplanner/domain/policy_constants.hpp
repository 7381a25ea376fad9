// By what figures do policies weigh one job against another, and gains against restarts?
#pragma once

#include "libplanner/base/units.hpp"

namespace hora::domain {

// As chosen on drawn loads: `make bench-policies` prints what half and twice of each make of mean
// completion times, on these and on others.
struct PolicyConstants {
    // How long a size is expected to last at most: beyond it the next arrival or end is sure to
    // have changed everything.
    Seconds horizon{1800};
    // The exponent by which short jobs weigh more: 0 would maximise the speed of all together, 1
    // run the shortest job first.
    double shortness = 0.25;
    // Up to so many jobs it is 0, from so many on whole: of few, short ones soon leave, and then a
    // long one is alone on more GPUs than it can use well. Ends of P5's sets come forward by 0.8 %.
    double few_jobs = 3;
    double many_jobs = 9;
    // In standard errors of a speed. More of it leaves the long jobs, which gain most, on sizes
    // that are slow by an error of the first predictions.
    double caution = 0.3;
    // Restarts in one horizon at which the next one is counted twice: no storm of them, whatever
    // noise there is in what was measured.
    double many_restarts = 3;
    // What a job gains by GPUs beyond its own request counts so much: what it asked for is what its
    // owner compares with. With 1 fewer jobs end before they would have on their requests, with 0,
    // where none grows beyond while another is below, short ones gain less in a full cluster.
    double beyond_request = 0.5;
    // A job that has waited so many times as long as it will run, itself included, is passed no
    // more.
    double patience = 2;
    // A restart is worth it where it saves so many times what it costs: enough that an error in
    // either does not matter much.
    double least_gain = 2;
    // GPUs are moved between running jobs where these, taken together, are then so many times as
    // fast.
    double least_move_gain = 2;
    // A job is suspended for one that runs for so many times less than is left of it, and that has
    // waited for as long as it will run,
    double least_shorter = 8;
    // and not before it has run for so long since its last start.
    Seconds least_run{1800};
};

}  // namespace hora::domain

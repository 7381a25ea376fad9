// How does a command do its work again and again?
#pragma once

#include <functional>

#include "libplanner/base/units.hpp"
#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

// Each round is a process of its own, so that one that is ended, because slurmctld does not answer,
// ends no other. Returns when SIGTERM or SIGINT says so, unless it was ignored before, after the
// round that runs; and, with an error, when stdout takes no more.
Exit watch(Seconds pause, const std::function<Exit()>& round);

}  // namespace hora::scripts

// How is a picture shown again and again until somebody presses Ctrl-C?
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "libplanner/base/units.hpp"

namespace hora::scripts {

// Columns of the terminal that stdout is; 0: it is none.
std::size_t terminal_columns();

// Asks for the picture now, after each pause, and when the terminal changes its size; returns when
// SIGINT, SIGTERM or SIGHUP says so, unless it was ignored before. On a terminal each picture takes
// the place of the one before, cut to what fits, and the screen is afterwards as it was; elsewhere
// they follow one another. False: stdout takes no more.
bool refresh(Seconds pause, const std::function<std::string()>& picture);

}  // namespace hora::scripts

// What nearly every source includes, read once for all of them where the compiler can keep it; each
// source still names what it uses. Only headers that hardly change and that are cheap to carry:
// nlohmann/json.hpp and CLI11 cost more in a source that has no use for them than they save.
// Named once, on the command line, and never in a source: it has no guard.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

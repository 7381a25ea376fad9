// How does a page get into a file, with the chart library inside it?
#include "scripts/hora/command/html_file.hpp"

#include <fmt/format.h>

#include "config.h"
#include "libplanner/read/file.hpp"
#include "scripts/hora/command/atomic_file.hpp"
#include "scripts/hora/command/command.hpp"

namespace hora::scripts {

Expected<void> write_html(const report::Page& page, const std::string& path) {
    return write_html([&](std::string_view library) { return report::to_html(page, library); },
                      path);
}

Expected<void> write_html(const std::function<Expected<std::string>(std::string_view)>& page,
                          const std::string& path) {
    const auto library = read::read_file(HORA_CHART_JS, std::size_t{8} << 20);
    if (!library) {
        return failure(fmt::format("{}; install libjs-chart.js", library.error().message));
    }
    // It stands inside a script element of the page.
    if (library->find("</script") != std::string::npos) {
        return failure("\"" HORA_CHART_JS "\" holds \"</script\"; it is not Chart.js");
    }
    return page(*library).and_then([&](const std::string& text) {
        if (path != "-") {
            return replace_file(path, text);
        }
        print_data(text);
        return Expected<void>();
    });
}

}  // namespace hora::scripts

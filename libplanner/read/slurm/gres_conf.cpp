// Which GPUs does Slurm's gres.conf give each node, and near which cores are they?
#include "libplanner/read/slurm/gres_conf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "libplanner/base/lower_case.hpp"
#include "libplanner/base/nearest.hpp"
#include "libplanner/read/file.hpp"
#include "libplanner/read/leading_number.hpp"
#include "libplanner/read/pci_address.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/slurm/gres_fields.hpp"
#include "libplanner/read/slurm/hostlist.hpp"

namespace hora::read {
namespace {

constexpr std::size_t largest_file = std::size_t{16} << 20;
constexpr std::size_t most_nodes = std::size_t{1} << 20;  // of all lines together
constexpr std::size_t most_remarks = 20;

// The name of a device file without its folder.
std::string_view device_name(std::string_view file) {
    return file.substr(file.rfind('/') + 1);  // npos + 1 is 0
}

constexpr std::string_view gres_keys[] = {"AutoDetect", "Count",    "Cores", "CPUs",
                                          "File",       "Flags",    "Links", "MultipleFiles",
                                          "Name",       "NodeName", "Type",  "UniqueId"};

using Addresses = std::map<std::string, domain::PciAddress, std::less<>>;

class Reader {
  public:
    explicit Reader(std::string_view file_name) { conf_.file_name = file_name; }

    void read(std::string_view text);
    GresConf take() { return std::move(conf_); }

  private:
    void read_comment(std::string_view comment);
    void read_line(std::string_view line);
    std::optional<std::vector<GresGpu>> gpus_of(const GresFields& fields);
    std::optional<std::vector<std::string>> files_of(const GresFields& fields);
    std::optional<std::vector<std::string>> nodes_of(const GresFields& fields);
    void note_detection(const GresFields& fields, const std::vector<std::string>& nodes);
    void add(std::vector<std::string> nodes, std::vector<GresGpu> gpus);
    void remark(std::string_view what);

    GresConf conf_;
    Addresses addresses_;
    bool is_noting_ = false;  // the line before was an address too
    std::size_t nodes_ = 0;
    std::uint32_t line_ = 0;
};

void Reader::remark(std::string_view what) {
    if (conf_.remarks.size() < most_remarks) {
        conf_.remarks.push_back(fmt::format("{}:{}: {}", conf_.file_name, line_, what));
    }
}

void Reader::read_comment(std::string_view comment) {
    std::string_view rest = without_blanks(comment);
    const std::string_view device = cut_at(rest, gres_blanks);
    std::string_view after = without_blanks(rest);
    const auto address = parse_pci_address(cut_at(after, gres_blanks));
    if (!address) {
        is_noting_ = false;
        return;
    }
    if (!is_noting_) {
        addresses_.clear();
    }
    is_noting_ = true;
    if (addresses_.size() < most_gpus_of_a_line) {
        addresses_.insert_or_assign(std::string(device), *address);
    }
}

std::optional<std::vector<std::string>> Reader::files_of(const GresFields& fields) {
    std::uint32_t count = 1;
    std::string_view text = fields.count;
    if (!text.empty() &&
        (!take_number(text, count) || !text.empty() || count > most_gpus_of_a_line)) {
        remark(fmt::format("Count={} is no number of GPUs; the line is passed over",
                           quoted(fields.count)));
        return std::nullopt;
    }
    if (!fields.files.empty()) {
        return std::vector{fields.files};
    }
    if (fields.file.empty()) {
        return std::vector<std::string>(count);
    }
    auto files = expand_hostlist(fields.file, most_gpus_of_a_line);
    if (!files) {
        remark(fmt::format("File={}; the line is passed over", files.error().message));
        return std::nullopt;
    }
    return *std::move(files);
}

std::optional<std::vector<GresGpu>> Reader::gpus_of(const GresFields& fields) {
    const auto files = files_of(fields);
    if (!files) {
        return std::nullopt;
    }
    GresGpu gpu;
    gpu.type = fields.type;
    gpu.line = line_;
    auto cores = read_gres_cores(fields.cores);
    auto links = read_gres_links(fields.links);
    if (!cores || !links) {
        remark(fmt::format("{}={} is no list of numbers; it counts as not said",
                           cores ? "Links" : "Cores", quoted(cores ? fields.links : fields.cores)));
    }
    gpu.cores = std::move(cores).value_or(std::vector<std::uint32_t>());
    gpu.links = std::move(links).value_or(std::vector<std::int32_t>());
    std::vector<GresGpu> gpus;
    for (const std::string& file : *files) {
        gpu.file = file;
        const auto noted = addresses_.find(device_name(file));
        gpu.address = noted == addresses_.end() ? std::nullopt : std::optional(noted->second);
        gpus.push_back(gpu);
    }
    return gpus;
}

// Empty where the line names none; nothing where it cannot be used.
std::optional<std::vector<std::string>> Reader::nodes_of(const GresFields& fields) {
    if (fields.nodes.empty()) {
        return std::vector<std::string>();
    }
    auto nodes = expand_hostlist(fields.nodes, most_nodes - nodes_);
    if (!nodes) {
        remark(fmt::format("NodeName={}; the line is passed over", nodes.error().message));
        return std::nullopt;
    }
    nodes_ += nodes->size();
    return *std::move(nodes);
}

// A line of AutoDetect= alone is for all nodes, and wherever it stands.
void Reader::note_detection(const GresFields& fields, const std::vector<std::string>& nodes) {
    const bool is_on = !is_same_word(fields.detect, "off");
    for (const std::string& node : nodes) {
        conf_.detected_on.insert_or_assign(node, is_on);
    }
    if (nodes.empty() && fields.name.empty()) {
        conf_.is_detected = is_on;
    } else if (nodes.empty()) {
        conf_.is_detected_by_line = is_on;
    }
}

void Reader::add(std::vector<std::string> nodes, std::vector<GresGpu> gpus) {
    const auto number = static_cast<std::uint32_t>(conf_.lines.size());
    for (const std::string& node : nodes) {
        conf_.lines_of[node].push_back(number);
    }
    if (nodes.empty()) {
        conf_.lines_of_all.push_back(number);
    }
    conf_.lines.push_back({std::move(nodes), std::move(gpus)});
}

void Reader::read_line(std::string_view line) {
    std::string_view rest = line;
    if (is_same_word(cut_at(rest, gres_blanks), "include")) {
        remark(fmt::format("what {} says is not read", quoted(without_blanks(rest))));
        return;
    }
    const auto fields = read_gres_fields(line);
    if (!fields) {
        remark(fields.error().message + "; the line is passed over");
        return;
    }
    for (const std::string& key : fields->unknown) {
        remark(fmt::format("unknown key {}{}", quoted(key), did_you_mean(key, gres_keys)));
    }
    const bool is_of_gpus = is_same_word(fields->name, "gpu");
    if (!is_of_gpus && fields->detect.empty()) {
        return;
    }
    auto nodes = nodes_of(*fields);
    if (!nodes) {
        return;
    }
    if (!fields->detect.empty()) {
        note_detection(*fields, *nodes);
    }
    if (auto gpus = is_of_gpus ? gpus_of(*fields) : std::nullopt) {
        add(*std::move(nodes), *std::move(gpus));
    }
}

void Reader::read(std::string_view text) {
    std::uint32_t at = 0;
    std::string line;
    while (!text.empty()) {
        std::string_view piece = without_blanks(cut_at(text, "\n"));
        ++at;
        line_ = line.empty() ? at : line_;
        const std::size_t comment = piece.find('#');
        if (line.empty() && comment == 0) {
            read_comment(piece.substr(1));
            continue;
        }
        piece = without_blanks(piece.substr(0, comment));
        is_noting_ = is_noting_ && piece.empty();
        const bool goes_on = piece.ends_with('\\');
        line += goes_on ? piece.substr(0, piece.size() - 1) : piece;
        if (goes_on && !text.empty()) {
            line += ' ';
            continue;
        }
        if (!line.empty()) {
            read_line(line);
        }
        line.clear();
    }
}

// As people count: "nvidia9" before "nvidia10".
bool is_before(std::string_view a, std::string_view b) {
    constexpr std::string_view digits = "0123456789";
    while (!a.empty() && !b.empty()) {
        std::uint64_t left = 0;
        std::uint64_t right = 0;
        const bool are_numbers = digits.find(a[0]) != a.npos && digits.find(b[0]) != b.npos;
        if (are_numbers && take_number(a, left) && take_number(b, right)) {
            if (left != right) {
                return left < right;
            }
            continue;
        }
        if (a[0] != b[0]) {
            return a[0] < b[0];
        }
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    return a.size() < b.size();
}

std::ptrdiff_t own_place(const GresGpu& gpu) {
    return std::find(gpu.links.begin(), gpu.links.end(), -1) - gpu.links.begin();
}

}  // namespace

std::vector<std::uint32_t> GresConf::lines_for(std::string_view node) const {
    std::vector<std::uint32_t> found = lines_of_all;
    if (const auto own = lines_of.find(node); own != lines_of.end()) {
        found.insert(found.end(), own->second.begin(), own->second.end());
    }
    return found;
}

bool GresConf::detects(std::string_view node) const {
    const auto own = detected_on.find(node);
    return own != detected_on.end() ? own->second : is_detected_by_line.value_or(is_detected);
}

bool GresConf::is_of_gpus() const {
    return !lines.empty() || is_detected || !detected_on.empty();
}

std::vector<GresGpu> GresConf::gpus_of(std::string_view node) const {
    std::vector<GresGpu> gpus;
    for (const std::uint32_t line : lines_for(node)) {
        gpus.insert(gpus.end(), lines[line].gpus.begin(), lines[line].gpus.end());
    }
    std::stable_sort(gpus.begin(), gpus.end(), [](const GresGpu& a, const GresGpu& b) {
        return std::pair(a.file.empty(), false) <
               std::pair(b.file.empty(), is_before(a.file, b.file));
    });
    const bool have_links = std::all_of(gpus.begin(), gpus.end(),
                                        [](const GresGpu& gpu) { return !gpu.links.empty(); });
    if (have_links) {
        std::stable_sort(gpus.begin(), gpus.end(), [](const GresGpu& a, const GresGpu& b) {
            return own_place(a) < own_place(b);
        });
    }
    return gpus;
}

GresConf parse_gres_conf(std::string_view text, std::string_view file_name) {
    Reader reader(file_name);
    reader.read(text);
    return reader.take();
}

Expected<GresConf> read_gres_conf(const std::string& path) {
    const auto text = read_file(path, largest_file);
    if (!text) {
        return unexpected(text.error());
    }
    return parse_gres_conf(*text, path);
}

std::vector<std::uint32_t> sockets_of(const std::vector<GresGpu>& gpus, std::uint32_t sockets,
                                      std::uint32_t cores_per_socket) {
    std::vector<std::uint32_t> found;
    for (const GresGpu& gpu : gpus) {
        if (gpu.cores.empty() || cores_per_socket == 0) {
            return {};
        }
        const std::uint32_t socket = gpu.cores.front() / cores_per_socket;
        if (socket >= sockets || gpu.cores.back() / cores_per_socket != socket) {
            return {};
        }
        found.push_back(socket);
    }
    return found;
}

}  // namespace hora::read

// Are the records of one run found in a folder, whatever else a user has put there?
#include "scripts/hora/timeline/trace_folder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "libplanner/read/trace/rank_record.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::scripts {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

std::string record_of(std::uint32_t rank) {
    return fmt::format(R"({{"version":1,"host":"n1","pid":17,"rank":{},"device":)"
                       R"({{"type":"a100","uuid":"","busid":""}}}})"
                       "\n",
                       rank);
}

class TraceFolders : public testing::Test {
  protected:
    void put(const std::string& name, const std::string& text) const {
        fs::create_directories(fs::path(of_.file(name)).parent_path());
        of_.write(name, text);
    }
    std::string problem(const std::string& folder = "") const {
        const auto found = read_trace_folder(at(folder));
        return found ? "none" : found.error().message;
    }
    std::string at(const std::string& name) const {
        return name.empty() ? of_.path() : of_.file(name);
    }
    Expected<TraceFolder> read() const { return read_trace_folder(of_.path()); }

    tests::ScratchFolder of_;
};

// Root may read everything; this user may not. The rights to files are a thread's own.
class AsNobody {
  public:
    AsNobody() { ::setfsuid(65534); }
    ~AsNobody() { ::setfsuid(::geteuid()); }
    AsNobody(const AsNobody&) = delete;
    AsNobody& operator=(const AsNobody&) = delete;
};

TEST_F(TraceFolders, HoldTheFilesOfTheNewestRun) {
    struct Case {
        const char* sentence;
        Names files;
        const char* path;  // below the folder
        std::size_t records;
        Names others;  // newest first
    };
    const Case cases[] = {
        {"records of the folder itself", {"/0.jsonl", "/1.jsonl"}, "", 2, {}},
        {"a folder of their own", {"/run/0.jsonl"}, "/run", 1, {}},
        {"digits count as numbers",
         {"/1.9/0.jsonl", "/1.10/0.jsonl", "/0.99/0.jsonl"},
         "/1.10",
         1,
         {"/1.9", "/0.99"}},
        {"the folder itself comes first",
         {"/0.jsonl", "/1.0/0.jsonl", "/1.0/1.jsonl"},
         "",
         1,
         {"/1.0"}},
        {"a newer folder without records is passed over",
         {"/1.0/0.jsonl", "/2.0/notes.txt"},
         "/1.0",
         1,
         {}},
        {"folders of folders are not looked into",
         {"/1.0/0.jsonl", "/2.0/deep/0.jsonl"},
         "/1.0",
         1,
         {}},
        {"hidden ones are no records", {"/0.jsonl", "/.1.jsonl", "/.2/0.jsonl"}, "", 1, {}},
        {"other endings are no records", {"/0.jsonl", "/1.jsonl.gz", "/2.JSONL"}, "", 1, {}},
        {"a folder that is named as a record", {"/0.jsonl/1.jsonl"}, "/0.jsonl", 1, {}},
    };
    for (const Case& test : cases) {
        SCOPED_TRACE(test.sentence);
        const tests::ScratchFolder of;
        std::uint32_t rank = 0;
        for (const std::string& file : test.files) {
            fs::create_directories(fs::path(of.path() + file).parent_path());
            of.write(file.substr(1), record_of(rank++));
        }
        const auto found = read_trace_folder(of.path());
        ASSERT_TRUE(found) << found.error().message;
        EXPECT_EQ(found->path, of.path() + test.path);
        EXPECT_EQ(found->records.size(), test.records);
        Names others;
        for (const std::string& other : found->others) {
            others.push_back(other.substr(of.path().size()));
        }
        EXPECT_EQ(others, test.others);
    }
}

TEST_F(TraceFolders, NameFilesOfProcessesThatWroteNothing) {
    put("0.jsonl", record_of(0));
    put("1.jsonl", "");
    put("2.jsonl", std::string(5000, '\0'));
    const auto found = read();
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->records.size(), 1U);
    EXPECT_EQ(found->empty_files, (Names{"1.jsonl", "2.jsonl"}));
    fs::remove(at("0.jsonl"));
    EXPECT_EQ(problem(), "the 2 records in the folder \"" + of_.path() +
                             "\" are empty: their processes ended before they wrote; see the job's "
                             "output for why");
    fs::remove(at("1.jsonl"));
    EXPECT_EQ(problem(), "the record in the folder \"" + of_.path() +
                             "\" is empty: its process ended before it wrote; see the job's output "
                             "for why");
    fs::remove(at("2.jsonl"));
    EXPECT_TRUE(problem().starts_with("there is no record in the folder \"" + of_.path() + "\""))
        << problem();
}

TEST_F(TraceFolders, SayWhatIsWrongAndWhere) {
    const std::string torn = record_of(0) + "{\"step\":-1,\"at\":0}\n";
    struct Case {
        const char* sentence;
        std::string text;
        const char* problem;
    };
    const Case cases[] = {
        {"a damaged line", torn, "/1.jsonl: line 2: "},
        {"no record", "hello\n", "/1.jsonl: line 1: "},
        {"the rank of another", record_of(0),
         ": both \"0.jsonl\" and \"1.jsonl\" are of rank 0; a folder holds the records of one run"},
    };
    for (const Case& test : cases) {
        put("0.jsonl", record_of(0));
        put("1.jsonl", test.text);
        EXPECT_NE(problem().find(test.problem), std::string::npos)
            << test.sentence << ": " << problem();
    }
    EXPECT_EQ(problem("nowhere"),
              "cannot open the folder \"" + at("nowhere") + "\": No such file or directory");
    EXPECT_EQ(problem("0.jsonl"),
              "cannot open the folder \"" + at("0.jsonl") + "\": Not a directory");
}

TEST_F(TraceFolders, AreNamedWhole) {
    const std::string deep = std::string(90, 'a') + "/" + std::string(90, 'b') + "/1.10";
    put(deep + "/0.jsonl", "");
    EXPECT_NE(problem(deep).find("\"" + at(deep) + "\""), std::string::npos) << problem(deep);
    EXPECT_NE(problem(deep + "/no").find("\"" + at(deep) + "/no\""), std::string::npos)
        << problem(deep + "/no");
    put(deep + "/1.jsonl", record_of(3));
    put(deep + "/2.jsonl", record_of(3));
    EXPECT_NE(problem(deep).find("\"" + at(deep) + "\": both"), std::string::npos) << problem(deep);
}

// A name is its user's: it could write lines of its own on another's terminal, or move its cursor.
TEST_F(TraceFolders, ShowNoControlCharacters) {
    const std::string name = "0\nhora: all is well\x1b[2J.jsonl";
    const std::string folder = "run\n2\x1b[1m";
    const auto has_control = [](const std::string& text) {
        return text.find_first_of("\n\x1b") != std::string::npos;
    };
    put(name, "hello\n");
    EXPECT_NE(problem().find("/0?hora: all is well?[2J.jsonl: line 1: "), std::string::npos);
    EXPECT_FALSE(has_control(problem())) << "damaged: " << problem();
    put(name, record_of(1));
    put("1.jsonl", record_of(1));
    EXPECT_FALSE(has_control(problem())) << "the rank of another: " << problem();
    fs::remove(at("1.jsonl"));
    fs::permissions(at(name), fs::perms::none);
    fs::permissions(of_.path(), static_cast<fs::perms>(0755));
    {
        const AsNobody user;
        if (::access(at(name).c_str(), R_OK) != 0 || ::geteuid() == 0) {
            EXPECT_NE(problem().find("cannot open \""), std::string::npos) << problem();
            EXPECT_FALSE(has_control(problem())) << "unreadable: " << problem();
        }
    }
    fs::remove(at(name));
    put(folder + "/0.jsonl", "hello\n");
    EXPECT_FALSE(has_control(problem())) << "a folder: " << problem();
    EXPECT_FALSE(has_control(problem(folder + "/none"))) << problem(folder + "/none");
}

TEST_F(TraceFolders, AreOfRegularFiles) {
    put("0.jsonl", record_of(0));
    ASSERT_EQ(::mkfifo(at("1.jsonl").c_str(), 0600), 0) << "it would wait for a writer";
    fs::create_symlink("/dev/zero", at("2.jsonl"));  // has no end
    fs::create_symlink("nowhere", at("3.jsonl"));
    fs::create_symlink("4.jsonl", at("4.jsonl"));  // to itself
    const auto found = read();
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->records.size(), 1U);
    EXPECT_TRUE(found->empty_files.empty());
}

TEST_F(TraceFolders, FollowLinks) {
    put("kept/old", record_of(7));
    fs::create_symlink(at("kept/old"), at("0.jsonl"));
    const auto found = read();
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(found->records.size(), 1U);
    EXPECT_EQ(found->records[0].rank, 7U);
}

TEST_F(TraceFolders, AreEachOneFolderUnderTwoNames) {
    put("1.0/0.jsonl", record_of(0));
    put("2.0/0.jsonl", record_of(0));
    fs::create_directory_symlink("2.0", at("latest"));
    const auto found = read();
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->path, at("latest"));
    EXPECT_EQ(found->others, (Names{at("1.0")})) << "2.0 is the one that is shown";
    put("0.jsonl", record_of(0));
    fs::create_directory_symlink(".", at("self"));
    const auto itself = read();
    ASSERT_TRUE(itself) << itself.error().message;
    EXPECT_EQ(itself->others, (Names{at("latest"), at("1.0")}));
}

TEST_F(TraceFolders, AreReadBesideFoldersOfOthers) {
    put("0.jsonl", record_of(0));
    put("private/0.jsonl", record_of(0));
    fs::permissions(of_.path(), static_cast<fs::perms>(0755));
    fs::permissions(at("private"), fs::perms::none);
    {
        const AsNobody user;
        const auto found = read();
        EXPECT_TRUE(found) << found.error().message;
        EXPECT_EQ(found ? found->path : "", of_.path());
    }
    fs::rename(at("0.jsonl"), at("0.txt"));
    {
        const AsNobody user;
        EXPECT_EQ(problem(), "cannot open the folder \"" + at("private") + "\": Permission denied")
            << "it may be the newest run";
    }
    fs::permissions(at("private"), static_cast<fs::perms>(0755));
}

TEST_F(TraceFolders, SayWhereTheirFilesMayNotBeLookedAt) {
    put("run/0.jsonl", record_of(0));
    fs::permissions(of_.path(), static_cast<fs::perms>(0755));
    fs::permissions(at("run"), static_cast<fs::perms>(0444));
    {
        const AsNobody user;
        EXPECT_EQ(problem("run"), "cannot look at the files in the folder \"" + at("run") +
                                      "\": Permission denied");
    }
    fs::permissions(at("run"), static_cast<fs::perms>(0755));
}

TEST_F(TraceFolders, HaveABoundForEachFile) {
    put("0.jsonl", record_of(0));
    put("1.jsonl", "");
    fs::resize_file(at("1.jsonl"), read::largest_rank_record + 1);  // takes no space
    EXPECT_EQ(problem(), "\"" + at("1.jsonl") +
                             "\" is larger than 268435456 bytes, the most that is read of such a "
                             "file");
}

}  // namespace
}  // namespace hora::scripts

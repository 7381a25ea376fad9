#include "libplanner/read/settings/checkpoint_path.hpp"

#include <gtest/gtest.h>

namespace hora::read {
namespace {

const CheckpointOwner ada{.user = "ada",
                          .uid = 1001,
                          .cluster = "blue",
                          .job = 17,
                          .submit = 1700000000,
                          .work_directory = "/home/ada/run"};

struct Case {
    const char* sentence;
    std::string path_template;
    CheckpointOwner owner;
    std::string answer;  // the path, or "error: ..."
};

CheckpointOwner with_user(const char* name) {
    CheckpointOwner owner = ada;
    owner.user = name;
    return owner;
}

CheckpointOwner in_directory(const char* name) {
    CheckpointOwner owner = ada;
    owner.work_directory = name;
    return owner;
}

const Case cases[] = {
    {"nothing set: below the working directory", "", ada,
     "/home/ada/run/.hora-1001/blue-17-1700000000"},
    {"a working directory of / gives no //", "", in_directory("/"),
     "/.hora-1001/blue-17-1700000000"},
    {"a site's own template", "/scratch/{user}/{uid}/{cluster}/{job}.{submit}", ada,
     "/scratch/ada/1001/blue/17.1700000000"},
    {"a template that ends in slashes names the same folder", "/s/{user}/{job}-{submit}//", ada,
     "/s/ada/17-1700000000"},
    {"a relative one as well", "c/{job}-{submit}/", ada, "/home/ada/run/c/17-1700000000"},
    {"one that ends in a dot as well", "/s/{user}/{job}-{submit}/.", ada, "/s/ada/17-1700000000"},
    {"in dots and slashes", "/s/{job}-{submit}/.//./", ada, "/s/17-1700000000"},
    {"with them in its middle", "//s/.//{user}/./{job}-{submit}", ada, "/s/ada/17-1700000000"},
    {"relative, from a dot", "./.hora-{uid}/./{job}-{submit}", ada,
     "/home/ada/run/.hora-1001/17-1700000000"},
    {"a dot that begins a name stays", "/s/.{user}/{job}-{submit}.", ada, "/s/.ada/17-1700000000."},
    {"a name cannot add parts", "/s/{user}/{job}-{submit}", with_user("a/../b"),
     "/s/a_.._b/17-1700000000"},
    {"a name cannot climb", "/s/{user}/{job}-{submit}", with_user(".."), "/s/_/17-1700000000"},
    {"without the job's id jobs would share", "/s/{submit}", ada,
     "error: checkpoint.path \"/s/{submit}\" lacks {job}: jobs would share a folder"},
    {"job ids wrap", "/s/{job}", ada,
     "error: checkpoint.path \"/s/{job}\" lacks {submit}: jobs would share a folder"},
    {"a slip is guessed", "/s/{usr}/{job}-{submit}", ada,
     "error: unknown name \"usr\" in checkpoint.path; use {user}, {uid}, {cluster}, {job}, "
     "{submit}; did you mean \"user\"?"},
    {"an open brace", "/s/{job}-{submit}/{user", ada,
     "error: checkpoint.path has a '{' without its '}'"},
    {"a template may not climb either", "/s/../{job}-{submit}", ada,
     "error: checkpoint.path \"/s/../{job}-{submit}\" holds \"..\""},
    {"a relative path needs a working directory", "", in_directory(""),
     "error: the job's working directory is not known"},
    {"an endless path", "/" + std::string(4000, 'a') + "/{job}-{submit}", ada,
     "error: the checkpoint folder's path is longer than 4000 characters"},
};

TEST(CheckpointPath, TellsOneJobFromAnother) {
    for (const Case& test : cases) {
        const auto path = checkpoint_path(test.path_template, test.owner);
        EXPECT_EQ(path ? *path : "error: " + path.error().message, test.answer) << test.sentence;
    }
}

}  // namespace
}  // namespace hora::read

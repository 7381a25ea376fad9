// Is a network found by its name or in its file, and is what is neither named without harm?
#include "libplanner/read/model/model_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "tests/unit/scratch_folder.hpp"

namespace hora::read {
namespace {

constexpr const char* small_table = "input = [4]\n[[layer]]\ntype = \"dense\"\nwidth = 2\n";

// In its folder: good.toml, bad.toml and others that are no plain files.
class ModelFile : public testing::Test {
  protected:
    ModelFile() {
        folder_.write("good.toml", small_table);
        folder_.write("bad.toml", "input = [4]\n");
        folder_.write("two\nlines.toml", "input = [4]\n");
        folder_.write("torn\nlines.toml", "input = [\n");
        folder_.write("bad.onnx", "no model");
        mkdir(folder_.file("folder.toml").c_str(), 0700);
        mkfifo(folder_.file("pipe.toml").c_str(), 0600);
        mkfifo(folder_.file("pipe.onnx").c_str(), 0600);
        static_cast<void>(!symlink("good.toml", folder_.file("link.toml").c_str()));
        static_cast<void>(!symlink("/dev/null", folder_.file("device.toml").c_str()));
        static_cast<void>(!symlink("gone", folder_.file("dangling.toml").c_str()));
    }

    // The network's name, or what is wrong, without the folder.
    std::string read(const std::string& name) {
        const auto network = read_model(name);
        std::string text = network ? network->name : network.error().message;
        for (std::size_t at = 0; (at = text.find(folder_.path() + "/")) != std::string::npos;) {
            text.erase(at, folder_.path().size() + 1);
        }
        return text;
    }
    std::string read_file(const std::string& name) { return read(folder_.file(name)); }

    tests::ScratchFolder folder_;
};

TEST_F(ModelFile, IsABuiltInNetworkOrAFile) {
    EXPECT_EQ(read("resnet50"), "resnet50");
    EXPECT_EQ(read_file("good.toml"), "good");
    EXPECT_EQ(read_file("link.toml"), "link");
    EXPECT_TRUE(read("resnet5").starts_with("unknown model \"resnet5\"; did you mean"));
    EXPECT_TRUE(read("a/resnet50").starts_with("cannot tell what \"a/resnet50\" is: "));
    EXPECT_TRUE(read_file("missing.toml").starts_with("cannot open \""));
    EXPECT_TRUE(read_file("dangling.toml").starts_with("cannot open \""));
    EXPECT_TRUE(read_file("missing.onnx").starts_with("cannot open \""));
    EXPECT_TRUE(read_file("bad.toml").starts_with("bad.toml:"));
}

TEST_F(ModelFile, IsPlain) {
    for (const char* const name : {"folder.toml", "pipe.toml", "pipe.onnx", "device.toml"}) {
        EXPECT_EQ(read_file(name),
                  "\"" + std::string(name) + "\" is no plain file; give the model's file itself");
    }
}

TEST_F(ModelFile, OfAnyNameEndsNoLineOfAMessage) {
    for (const std::string& name :
         {std::string("resnet\n50"), std::string("\x1b[2Jresnet50"),
          folder_.file("two\nlines.toml"), folder_.file("torn\nlines.toml"),
          folder_.file("no\nfile.onnx")}) {
        const std::string text = read(name);
        EXPECT_EQ(text.find_first_of("\n\x1b"), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace hora::read

// The wavefront rule equals the GPU's counter for every pattern of results/nvidia-h200/wavefronts.csv.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "simt/requests.h"

namespace {

TEST(Wavefronts, EqualTheHardwareCounter) {
    std::ifstream file("results/nvidia-h200/wavefronts.csv");
    ASSERT_TRUE(file) << "results/nvidia-h200/wavefronts.csv is missing: run from the top of the repository";
    std::string line;
    std::getline(file, line);
    int patterns = 0;
    while (std::getline(file, line)) {
        for (char& c : line)
            if (c == ',') c = ' ';
        std::istringstream fields(line);
        unsigned bytes = 0, mask = 0;
        int expected = 0;
        simt::Request request{};
        fields >> bytes >> mask;
        request.size = std::uint8_t(bytes);
        request.lanes = mask;
        for (std::uintptr_t& address : request.address) {
            fields >> address;
            address *= bytes;
        }
        fields >> expected;
        ASSERT_TRUE(fields) << line;
        EXPECT_EQ(simt::wavefronts(request).taken, expected) << line;
        ++patterns;
    }
    EXPECT_EQ(patterns, 240);
}

}  // namespace

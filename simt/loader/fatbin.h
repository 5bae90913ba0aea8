// A fat binary: what nvcc puts into a program, one image for each architecture, compressed or not.
#pragma once
#include <cstdint>
#include <vector>

namespace sass {

/// The cubin of sm_90 in a fat binary, given by what a program registers (magic 0x466243b1) or by its
/// contents (magic 0xba55ed50). Throws std::runtime_error, one line, that names what is there if there is
/// none.
std::vector<std::uint8_t> cubin_of_fat_binary(const void* wrapper_or_data);

/// One block of LZ4. Throws std::runtime_error if it does not give `bytes` bytes.
std::vector<std::uint8_t> decompress_lz4(const std::uint8_t* from, std::size_t from_bytes, std::size_t bytes);

}  // namespace sass

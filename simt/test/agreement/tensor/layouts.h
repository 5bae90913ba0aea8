// Matrices in shared memory, by how many are loaded or stored at once, the bytes from one row to the next,
// and whether they are transposed: CHECK(count, stride, transposed) for each of some.
#pragma once

#define EVERY_LAYOUT(CHECK) \
    CHECK(1, 16, false);    \
    CHECK(2, 16, true);     \
    CHECK(4, 16, false);    \
    CHECK(4, 16, true);     \
    CHECK(1, 32, false);    \
    CHECK(2, 32, false);    \
    CHECK(4, 32, true);     \
    CHECK(4, 64, false);    \
    CHECK(1, 128, true);    \
    CHECK(2, 128, false);   \
    CHECK(4, 128, false);   \
    CHECK(4, 144, false);   \
    CHECK(4, 80, true)

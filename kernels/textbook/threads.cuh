// Which threads are active at one level of a tree.
//
// Level of stride 2, nodes 3, 7, 11, 15 of a tile of 16 elements:
//
//     thread       0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15
//     spaced                *           *           *           *     the thread with the node's own index
//     contiguous   *  *  *  *                                         the lowest threads, in order
//
// halving, for reductions only, changes the tree as well: the lowest threads are active, and thread t adds
// element t + stride to element t.
#pragma once

namespace trial {

enum class Threads { spaced, contiguous, halving };

}  // namespace trial

// The compaction of one launch that this machine can run: the SIMT machine has no bulk copies.
#pragma once
#ifdef SIMT_MACHINE
#include "kernels/device/compact_look_ahead.cuh"
template <class T, class Predicate>
using OurCompaction = LookAheadCompaction<T, Predicate>;
#else
#include "kernels/device/compact_ring.cuh"
template <class T, class Predicate>
using OurCompaction = RingCompaction<T, Predicate>;
#endif

// What the kernels must do, by arithmetic alone: the "predicted" column of the report.
//
// tile_ files are of one tile, the others of whole vectors.
#pragma once
#include "experiments/harness/closed_forms/arithmetic.h"
#include "experiments/harness/closed_forms/compaction.h"
#include "experiments/harness/closed_forms/device_reductions.h"
#include "experiments/harness/closed_forms/device_scans.h"
#include "experiments/harness/closed_forms/parts.h"
#include "experiments/harness/closed_forms/radix_sort.h"
#include "experiments/harness/closed_forms/run_length_decoding.h"
#include "experiments/harness/closed_forms/tile_cost.h"
#include "experiments/harness/closed_forms/tile_operations.h"
#include "experiments/harness/closed_forms/tile_reductions.h"
#include "experiments/harness/closed_forms/tile_scans.h"

#pragma once
#include <cooperative_groups.h>  // memcpy_async() and wait()

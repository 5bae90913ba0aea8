// The toolkit's header of this name: all is in these.
#pragma once
#include <cuda_runtime_api.h>
#include <vector_types.h>

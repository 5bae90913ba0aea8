// vLLM, custom all-reduce (github.com/vllm-project/vllm/pull/2760): each of several GPUs writes one byte of
// a word that all poll as a whole. Accesses of different sizes are not morally strong, so they race. Blocks
// stand for the GPUs here.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int BLOCKS = 4;

template <bool CURED>
__global__ void meet(unsigned* signal, unsigned* signals, int* out) {
    if (threadIdx.x > 0) return;
    if (CURED) {
        static_cast<volatile unsigned*>(signals)[blockIdx.x] = 1;
        for (int b = 0; b < BLOCKS; ++b)
            while (static_cast<volatile unsigned*>(signals)[b] == 0) continue;
    } else {
        reinterpret_cast<volatile unsigned char*>(signal)[blockIdx.x] = 1;        // fault
        while (*static_cast<volatile unsigned*>(signal) != 0x01010101) continue;  // fault
    }
    out[blockIdx.x] = 1;
}

template <bool CURED>
std::string run() {
    return result_of(meet<CURED>, BLOCKS, 32, ones(BLOCKS), zeros<unsigned>(1), zeros<unsigned>(BLOCKS),
                     zeros(BLOCKS));
}

const Bench exhibit("fences",
                    {{"vllm_signal", Expected::race, "bytes are written, a word is read", run<false>},
                     {"vllm_signal_cured", Expected::clean, "a word for each", run<true>}});

}  // namespace

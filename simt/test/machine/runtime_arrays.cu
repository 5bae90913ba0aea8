// Copies to and from arrays: what every call of the runtime returns.
#include <string>

#include "simt/test/machine/runtime.h"

namespace {

const cudaChannelFormatDesc INT = {32, 0, 0, 0, cudaChannelFormatKindSigned};
constexpr auto TO_DEVICE = cudaMemcpyHostToDevice, TO_HOST = cudaMemcpyDeviceToHost,
               BETWEEN = cudaMemcpyDeviceToDevice;

char host[4096];

void rows_of_arrays() {
    cudaArray_t array, other;
    SAY(cudaMallocArray(&array, &INT, 8, 4));
    SAY(cudaMallocArray(&other, &INT, 8, 4));
    SAY(cudaMemcpy2DToArray(array, 0, 0, host, 32, 32, 4, TO_DEVICE));
    SAY(cudaMemcpy2DToArray(array, 4, 0, host, 32, 32, 4, TO_DEVICE));
    SAY(cudaMemcpy2DToArray(array, 0, 1, host, 32, 32, 4, TO_DEVICE));
    SAY(cudaMemcpy2DToArray(array, 0, 0, host, 16, 32, 4, TO_DEVICE));
    SAY(cudaMemcpy2DToArray(array, 0, 0, host, 32, 32, 4, TO_HOST));
    SAY(cudaMemcpy2DToArray(array, 0, 0, host, 32, 32, 4, cudaMemcpyDefault));
    SAY(cudaMemcpy2DToArray(array, 0, 0, host, 32, 0, 4, TO_DEVICE));
    SAY(cudaMemcpy2DToArray(nullptr, 0, 0, host, 32, 32, 4, TO_DEVICE));
    SAY(cudaMemcpy2DToArray(array, 0, 0, nullptr, 32, 32, 4, TO_DEVICE));
    SAY(cudaMemcpy2DToArray(array, 0, 0, data, 32, 32, 4, BETWEEN));
    SAY(cudaMemcpy2DFromArray(host, 32, array, 0, 0, 32, 4, TO_HOST));
    SAY(cudaMemcpy2DFromArray(host, 32, array, 0, 0, 32, 5, TO_HOST));
    SAY(cudaMemcpy2DFromArray(host, 32, array, 0, 0, 32, 4, TO_DEVICE));
    SAY(cudaMemcpy2DToArrayAsync(array, 0, 0, host, 32, 32, 4, TO_DEVICE, nullptr));
    SAY(cudaMemcpy2DFromArrayAsync(host, 32, array, 0, 0, 32, 4, TO_HOST, nullptr));
    SAY(cudaMemcpy2DArrayToArray(other, 0, 0, array, 0, 0, 32, 4, BETWEEN));
    SAY(cudaMemcpy2DArrayToArray(other, 4, 0, array, 0, 0, 32, 4, BETWEEN));
    LAST();
    for (int i = 0; i < 128; ++i) host[i] = char(i);
    SAY(cudaMemcpy2DToArray(array, 8, 1, host, 16, 12, 2, TO_DEVICE));
    SAY(cudaMemcpy2DFromArray(host + 256, 32, array, 0, 0, 32, 3, TO_HOST));
    for (int i = 0; i < 96; i += 4) std::printf(" %d", host[256 + i]);
    std::puts("");
    SAY(cudaFreeArray(array));
    SAY(cudaFreeArray(other));
}

void copy(const char* what, const cudaMemcpy3DParms& all) {
    std::printf("%s: %s\n", what, cudaGetErrorName(cudaMemcpy3D(&all)));
    cudaGetLastError();
}

void volumes() {
    cudaArray_t volume, plane, line, lines;
    SAY(cudaMalloc3DArray(&volume, &INT, make_cudaExtent(8, 4, 3), 0));
    SAY(cudaMallocArray(&plane, &INT, 8, 4));
    SAY(cudaMallocArray(&line, &INT, 8));
    SAY(cudaMalloc3DArray(&lines, &INT, make_cudaExtent(8, 0, 3), cudaArrayLayered));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(host, 32, 8, 4);
    p.dstArray = volume;
    p.extent = make_cudaExtent(8, 4, 3);
    p.kind = TO_DEVICE;
    copy("volume", p);
    const auto of = [&](int width, int height, int depth, cudaPos at) {
        p.extent = make_cudaExtent(width, height, depth);
        p.dstPos = at;
        return p;
    };
    copy("too deep", of(8, 4, 4, {0, 0, 0}));
    copy("too wide", of(9, 4, 3, {0, 0, 0}));
    copy("no depth", of(8, 4, 0, {0, 0, 0}));
    copy("layer 2", of(8, 4, 1, {0, 0, 2}));
    copy("layer 3", of(8, 4, 1, {0, 0, 3}));
    copy("from x 1", of(8, 4, 1, {1, 0, 0}));
    copy("7 from x 1", of(7, 4, 1, {1, 0, 0}));
    p.srcPos.x = 4;
    copy("7 of 8 elements from the 4th", p);
    p.srcPos.x = 1;
    copy("7 of 8 elements from the 1st", p);
    p.srcPos.x = 0;
    p.dstArray = plane;
    copy("plane", of(8, 4, 1, {0, 0, 0}));
    p.dstArray = line;
    copy("line", of(8, 1, 1, {0, 0, 0}));
    copy("line, no height", of(8, 0, 1, {0, 0, 0}));
    p.dstArray = lines;
    copy("lines", of(8, 1, 3, {0, 0, 0}));
    copy("lines as rows", of(8, 3, 1, {0, 0, 0}));
    cudaMemcpy3DParms between = {};
    between.srcArray = volume;
    between.dstArray = plane;
    between.extent = make_cudaExtent(8, 4, 1);
    between.kind = BETWEEN;
    copy("between arrays", between);
    between.srcPtr = p.srcPtr;
    copy("two sources", between);
    cudaMemcpy3DParms back = {};
    back.extent = make_cudaExtent(8, 4, 1);
    copy("nothing", back);
    back.srcArray = volume;
    back.dstPtr = make_cudaPitchedPtr(host, 32, 8, 4);
    for (const cudaMemcpyKind kind : {TO_HOST, TO_DEVICE, cudaMemcpyDefault}) {
        back.kind = kind;
        copy(("back " + std::to_string(kind)).c_str(), back);
    }
    for (cudaArray_t each : {volume, plane, line, lines}) SAY(cudaFreeArray(each));
}

}  // namespace

int main() {
    begin();
    rows_of_arrays();
    volumes();
    return 0;
}

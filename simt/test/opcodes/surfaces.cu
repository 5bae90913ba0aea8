// Reads and writes of surfaces: every shape, width and way to treat what lies outside. A case reads where its
// words point, or writes an element of its own; then all of the surface is the output.
#include "simt/test/opcodes/textures.h"

namespace {

using namespace opcodes;

using Object = cudaSurfaceObject_t;
struct Place {
    int x, y, z;  ///< x in bytes
};

// clang-format off: a list.
#define RANK(NAME, ...)                                     \
    template <class T, cudaSurfaceBoundaryMode M>           \
    struct Rank##NAME {                                     \
        static __device__ T read(Object s, Place at) {      \
            T v;                                            \
            surf##NAME##read(&v, s, __VA_ARGS__, M);        \
            return v;                                       \
        }                                                   \
        static __device__ void write(Object s, Place at, T v) { \
            surf##NAME##write(v, s, __VA_ARGS__, M);        \
        }                                                   \
    }
RANK(1D, at.x);
RANK(2D, at.x, at.y);
RANK(3D, at.x, at.y, at.z);
RANK(1DLayered, at.x, at.y);
RANK(2DLayered, at.x, at.y, at.z);
RANK(Cubemap, at.x, at.y, at.z);
RANK(CubemapLayered, at.x, at.y, at.z);
// clang-format on

constexpr int ELEMENT = 16;  ///< bytes
constexpr unsigned LAYERS = cudaArrayLayered | cudaArrayCubemap;
constexpr Format WORDS4 = {"u32", cudaChannelFormatKindUnsigned, 32, 4};

/// Where a case points: inside if `is_inside`, else often beside.
template <class T>
__device__ Place place(u32 a, u32 b, u32 c, int3 size, bool is_inside) {
    const int most = is_inside ? 0 : 5;
    const auto within = [&](u32 word, int count) {
        return !is_inside && word % 16 == 0 ? int(word) : int(word % u32(count + most)) - most / 2;
    };
    const int units = size.x * ELEMENT / int(sizeof(T));
    return {within(a, units) * int(sizeof(T)), within(b, size.y), within(c, size.z)};
}

template <class T, class Rank>
__global__ void read(const u32* in, uint4* out, Object s, int3 size, bool is_inside) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const T v = Rank::read(s, place<T>(in[i], in[i + CASES], in[i + 2 * CASES], size, is_inside));
    uint4 words = make_uint4(7, 7, 7, 7);
    memcpy(&words, &v, sizeof(T));
    out[i] = words;
}
/// Each case has an element; of those at an edge some write beside it.
template <class T, class Rank>
__global__ void write(const u32* in, Object s, int3 size, bool is_inside, bool has_layers) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const u32 b = in[i + CASES];
    Place at = {i % size.x, i / size.x % size.y, i / size.x / size.y};
    const int offset = int(b >> 8) % ELEMENT / int(sizeof(T)) * int(sizeof(T));
    const int beside = is_inside ? 0 : int(b % 4);
    const auto move = [&](int& k, int count) { k += k == 0 ? -beside : k == count - 1 ? beside : 0; };
    if (size.x > 1) move(at.x, size.x);
    if (size.y > 1) move(at.y, size.y);
    if (size.z > 1) move(at.z, size.z);
    // Layers are counted by 16 bits: what lies before the first is beyond the last.
    if (has_layers && size.z > 1) at.z = at.z < 0 ? 0 : at.z;
    if (has_layers && size.z == 1) at.y = at.y < 0 ? 0 : at.y;
    at.x = at.x * ELEMENT + (at.x < 0 ? 0 : at.x >= size.x ? ELEMENT - int(sizeof(T)) : offset);
    const u64 words[2] = {u64(in[i]) << 32 | b, u64(b) << 32 | in[i + 2 * CASES]};
    T v;
    memcpy(&v, words, sizeof(T));
    Rank::write(s, at, v);
}

cudaArray_t array_at(const Shape& shape) {
    static std::vector<std::pair<std::string, cudaArray_t>> all;
    for (const auto& [name, array] : all)
        if (name == shape.name) return array;
    return all.emplace_back(shape.name, array_of(WORDS4, shape, true)).second;
}
Object surface_of(cudaArray_t array) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    Object object = 0;
    cudaCreateSurfaceObject(&object, &resource);
    return object;
}
void copy_out(cudaArray_t array, const Shape& shape, void* out) {
    cudaMemcpy3DParms copy = {};
    copy.srcArray = array;
    copy.dstPtr = make_cudaPitchedPtr(out, std::size_t(shape.width) * ELEMENT, shape.width, shape.rows());
    copy.extent = make_cudaExtent(shape.width, shape.rows(), shape.layers());
    copy.kind = cudaMemcpyDeviceToDevice;
    cudaMemcpy3D(&copy);
}

/// Enter an operation for a kernel of each kind.
void enter_both(const std::string& name, const Shape& shape, bool is_inside, const void* read,
                const void* write) {
    const bool has_lines = shape.height == 0 && shape.depth != 0;  // of 1-D layers the second counts layers
    const int3 size =
        make_int3(shape.width, has_lines ? shape.depth : shape.rows(), has_lines ? 1 : shape.layers());
    const auto kept = [](const std::string& text) { return (new std::string(text))->c_str(); };
    enter(kept("read " + name), Set::words, 16, since("surf"), [=](const void* in, void* out) mutable {
        Object surface = surface_of(array_at(shape));
        int3 of = size;
        void* arguments[] = {&in, &out, &surface, &of, &is_inside};
        cudaLaunchKernel(read, CASES / 128, 128, arguments, 0, nullptr);
    });
    enter(kept("write " + name), Set::words, 16, since("surf"), [=](const void* in, void* out) mutable {
        const cudaArray_t array = array_of(WORDS4, shape, false);
        Object surface = surface_of(array);
        int3 of = size;
        bool has_layers = (shape.flags & LAYERS) != 0;
        void* arguments[] = {&in, &surface, &of, &is_inside, &has_layers};
        cudaLaunchKernel(write, CASES / 128, 128, arguments, 0, nullptr);
        copy_out(array, shape, out);
    });
}

template <class T, class Rank>
void add(const std::string& name, const Shape& shape, bool is_inside) {
    const auto reads = reinterpret_cast<const void*>(read<T, Rank>);
    enter_both(name, shape, is_inside, reads, reinterpret_cast<const void*>(write<T, Rank>));
}

template <template <class, cudaSurfaceBoundaryMode> class Rank, class T>
void add_modes(const std::string& name, const Shape& shape) {
    add<T, Rank<T, cudaBoundaryModeTrap>>(name + " trap", shape, true);
    add<T, Rank<T, cudaBoundaryModeClamp>>(name + " clamp", shape, false);
    add<T, Rank<T, cudaBoundaryModeZero>>(name + " zero", shape, false);
}
template <template <class, cudaSurfaceBoundaryMode> class Rank>
void add_types(const std::string& name, const Shape& shape) {
    add_modes<Rank, unsigned char>(name + " u8", shape);
    add_modes<Rank, short>(name + " s16", shape);
    add_modes<Rank, u32>(name + " u32", shape);
    add_modes<Rank, uchar4>(name + " u8x4", shape);
    add_modes<Rank, float2>(name + " f32x2", shape);
    add_modes<Rank, uint4>(name + " u32x4", shape);
}

bool add_all() {
    constexpr unsigned SURFACE = cudaArraySurfaceLoadStore;
    add_types<Rank1D>("surf1D", {"6144", 6144, 0, 0, SURFACE});
    add_types<Rank2D>("surf2D", {"96x64", 96, 64, 0, SURFACE});
    add_types<Rank3D>("surf3D", {"16x24x16", 16, 24, 16, SURFACE});
    add_types<Rank1DLayered>("surf1DLayered", {"96 layers 64", 96, 0, 64, SURFACE | cudaArrayLayered});
    add_types<Rank2DLayered>("surf2DLayered", {"16x24 layers 16", 16, 24, 16, SURFACE | cudaArrayLayered});
    add_types<RankCubemap>("surfCubemap", {"cube 32", 32, 32, 6, SURFACE | cudaArrayCubemap});
    add_types<RankCubemapLayered>("surfCubemapLayered",
                                  {"cubes 16", 16, 16, 24, SURFACE | cudaArrayCubemap | cudaArrayLayered});
    return true;
}
const bool added = add_all();

}  // namespace

int main(int argc, char** argv) { return opcodes::run(argc, argv); }

// Fetches from textures: every format, shape, filter and address mode. Each case fetches where its three
// words point, and gives the bits of four channels.
#include "simt/test/opcodes/textures.h"

namespace {

using namespace opcodes;

using Object = cudaTextureObject_t;
struct At {
    float x, y, z;
    int layer;
    u32 a, b;
};

/// The compiler divides by the largest of the three, which a GPU does not do exactly but for powers of two.
__device__ float3 direction(const At& at) {
    constexpr float MAJOR = 4;
    const auto within = [&](float v) { return isnan(v) ? v : fminf(fmaxf(v, -MAJOR), MAJOR); };
    const float sign = at.b & 2 ? -MAJOR : MAJOR;
    const float3 all = make_float3(within(at.x), within(at.y), within(at.z));
    return at.a % 5 == 0   ? make_float3(sign, all.y, all.z)
           : at.a % 5 == 1 ? make_float3(all.x, sign, all.z)
                           : make_float3(all.x, all.y, sign);
}

// clang-format off: a list.
#define FETCH(NAME, ...) struct NAME { static __device__ uint4 of(Object t, const At& at) { __VA_ARGS__; } }
FETCH(Fetch1D, return tex1D<uint4>(t, at.x));
FETCH(Fetch2D, return tex2D<uint4>(t, at.x, at.y));
FETCH(Fetch2DPair, const uint2 v = tex2D<uint2>(t, at.x, at.y); return make_uint4(v.x, v.y, 7, 7));
FETCH(Fetch2DOne, return make_uint4(tex2D<u32>(t, at.x, at.y), 7, 7, 7));
FETCH(Fetch2DSome, const uint4 v = tex2D<uint4>(t, at.x, at.y); return make_uint4(v.y, v.w, 7, 7));
FETCH(Fetch2DThree, const uint4 v = tex2D<uint4>(t, at.x, at.y); return make_uint4(v.x, v.y, v.w, 7));
FETCH(Fetch3D, return tex3D<uint4>(t, at.x, at.y, at.z));
FETCH(Fetch1DLayered, return tex1DLayered<uint4>(t, at.x, at.layer));
FETCH(Fetch2DLayered, return tex2DLayered<uint4>(t, at.x, at.y, at.layer));
FETCH(FetchCube, const float3 v = direction(at); return texCubemap<uint4>(t, v.x, v.y, v.z));
FETCH(FetchCubeLayered, const float3 v = direction(at);
      return texCubemapLayered<uint4>(t, v.x, v.y, v.z, at.layer));
FETCH(Fetch1DLod, return tex1DLod<uint4>(t, at.x, at.y));
FETCH(Fetch2DLod, return tex2DLod<uint4>(t, at.x, at.y, at.z));
FETCH(Fetch3DLod, return tex3DLod<uint4>(t, at.x, at.y, at.z, at.x));
FETCH(Fetch1DLayeredLod, return tex1DLayeredLod<uint4>(t, at.x, at.layer, at.y));
FETCH(Fetch2DLayeredLod, return tex2DLayeredLod<uint4>(t, at.x, at.y, at.layer, at.z));
FETCH(FetchCubeLod, const float3 v = direction(at); return texCubemapLod<uint4>(t, v.x, v.y, v.z, at.x));
FETCH(Fetch1DGrad, return tex1DGrad<uint4>(t, at.x, at.y, at.z));
FETCH(Fetch2DGrad, return tex2DGrad<uint4>(t, at.x, at.y, make_float2(at.z, at.x), make_float2(at.y, at.z)));
FETCH(Fetch1DLayeredGrad, return tex1DLayeredGrad<uint4>(t, at.x, at.layer, at.y, at.z));
FETCH(Fetch2DLayeredGrad, return tex2DLayeredGrad<uint4>(t, at.x, at.y, at.layer, make_float2(at.z, at.x),
                                                         make_float2(at.y, at.z)));
FETCH(Gather0, return tex2Dgather<uint4>(t, at.x, at.y, 0));
FETCH(Gather1, return tex2Dgather<uint4>(t, at.x, at.y, 1));
FETCH(Gather2, return tex2Dgather<uint4>(t, at.x, at.y, 2));
FETCH(Gather3, return tex2Dgather<uint4>(t, at.x, at.y, 3));
FETCH(Fetch1DNumber, return tex1Dfetch<uint4>(t, number_of(at.a, 100)));
FETCH(Fetch1DNumberPair, const uint2 v = tex1Dfetch<uint2>(t, number_of(at.a, 100));
      return make_uint4(v.x, v.y, 7, 7));
FETCH(Sizes, u32 w, h, d; asm volatile("txq.width.b32 %0, [%1];" : "=r"(w) : "l"(t));
      asm volatile("txq.height.b32 %0, [%1];" : "=r"(h) : "l"(t));
      asm volatile("txq.depth.b32 %0, [%1];" : "=r"(d) : "l"(t)); return make_uint4(w, h, d, at.a));
// clang-format on

template <class F>
__global__ void fetch(const u32* in, uint4* out, Object texture, float sx, float sy, float sz) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const u32 a = in[i], b = in[i + CASES], c = in[i + 2 * CASES];
    out[i] =
        F::of(texture, {coordinate(a, sx), coordinate(b, sy), coordinate(c, sz), number_of(c >> 3, 4), a, b});
}
/// Handles that differ among the lanes of a warp.
template <class F>
__global__ void fetch_either(const u32* in, uint4* out, const Object* textures, float sx, float sy,
                             float sz) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const u32 a = in[i], b = in[i + CASES], c = in[i + 2 * CASES];
    out[i] = F::of(textures[c & 1], {coordinate(a, sx), coordinate(b, sy), coordinate(c, sz), 0, a, b});
}

constexpr const char* MODES[] = {"wrap", "clamp", "mirror", "border"};
constexpr float COLOURS[][4] = {
    {0, 0, 0, 0}, {0.3f, -2.7f, 1e10f, -0.4f}, {0.999f, 0.5f, -0.0f, 0.123456f}, {1.5f, -2.5f, 3.25f, 1e-3f}};

struct How {
    Format format;
    Shape shape;
    bool is_linear = false, is_normalised = true, gives_fractions = false, is_wide = false;
    cudaTextureAddressMode mode = cudaAddressModeWrap;
    Memory memory = Memory::array;
    int colour = 0;

    Object make() const {
        const cudaResourceDesc resource = resource_of(format, shape, is_wide, memory);
        cudaTextureDesc texture = {};
        for (int k = 0; k < 3; ++k) texture.addressMode[k] = mode;
        for (int k = 0; k < 4; ++k) texture.borderColor[k] = COLOURS[colour][k];
        texture.filterMode = is_linear ? cudaFilterModeLinear : cudaFilterModePoint;
        texture.normalizedCoords = is_normalised;
        texture.readMode = gives_fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
        Object object = 0;
        cudaCreateTextureObject(&object, &resource, &texture, nullptr);
        return object;
    }
    std::string text() const {
        std::string said =
            format.text() + " " + shape.name + (is_linear ? " linear " : " point ") + MODES[mode];
        if (is_normalised) said += " normalised";
        if (gives_fractions) said += " fraction";
        if (is_wide) said += " wide";
        if (memory != Memory::array) said += memory == Memory::linear ? " of linear memory" : " of rows";
        if (colour != 0) said += " colour " + std::to_string(colour);
        return said;
    }
};

const char* kept(const std::string& name) { return (new std::string(name))->c_str(); }

template <class F>
void add(const char* call, const How& how) {
    const float sx = how.is_normalised ? 0.5f : how.shape.width / 4.0f;
    const float sy = how.is_normalised ? 0.5f : how.shape.rows() / 4.0f;
    const float sz = how.is_normalised ? 0.5f : how.shape.layers() / 4.0f;
    operations().push_back(
        {kept(call + (" " + how.text())), Set::words, 16, since("tex"), [=](const void* in, void* out) {
             fetch<F><<<CASES / 128, 128>>>(static_cast<const u32*>(in), static_cast<uint4*>(out), how.make(),
                                            sx, sy, sz);
         }});
}

constexpr auto INT = cudaChannelFormatKindSigned, UNSIGNED = cudaChannelFormatKindUnsigned,
               FLOAT = cudaChannelFormatKindFloat;
constexpr Format F1 = {"f32", FLOAT, 32, 1}, F4 = {"f32", FLOAT, 32, 4};
constexpr Shape LINE = {"16", 16, 0, 0}, PLANE = {"16x8", 16, 8, 0}, VOLUME = {"16x8x4", 16, 8, 4};
constexpr Shape ODD_LINE = {"13", 13, 0, 0}, ODD_PLANE = {"13x7", 13, 7, 0},
                ODD_VOLUME = {"13x7x5", 13, 7, 5};
constexpr Shape WIDE = {"20000", 20000, 0, 0}, WIDEST = {"65536", 65536, 0, 0}, ROWS = {"3x5000", 3, 5000, 0};
constexpr Shape OF_SIZES[] = {{"3001", 3001, 0, 0},   {"6000", 6000, 0, 0},    {"8191", 8191, 0, 0},
                              {"8193", 8193, 0, 0},   {"10001", 10001, 0, 0},  {"12000", 12000, 0, 0},
                              {"16383", 16383, 0, 0}, {"100000", 100000, 0, 0}};
constexpr Shape LINES = {"16 layers 5", 16, 0, 5, cudaArrayLayered};
constexpr Shape PLANES = {"13x7 layers 5", 13, 7, 5, cudaArrayLayered};
constexpr Shape CUBE = {"cube 6", 6, 6, 6, cudaArrayCubemap}, CUBE8 = {"cube 8", 8, 8, 6, cudaArrayCubemap};
constexpr Shape CUBES = {"cubes 5", 5, 5, 18, cudaArrayCubemap | cudaArrayLayered};
constexpr Shape GATHERED = {"13x8", 13, 8, 0, cudaArrayTextureGather}, HUNDRED = {"100", 100, 0, 0};

void add_formats() {
    for (const int channels : {1, 2, 4})
        for (const Format& kind :
             {Format{"u8", UNSIGNED, 8}, Format{"s8", INT, 8}, Format{"u16", UNSIGNED, 16},
              Format{"s16", INT, 16}, Format{"u32", UNSIGNED, 32}, Format{"s32", INT, 32},
              Format{"f16", FLOAT, 16}, Format{"f32", FLOAT, 32}}) {
            const Format f = {kind.name, kind.kind, kind.bits, channels};
            const bool is_float = f.kind == FLOAT, has_fractions = !is_float && f.bits < 32;
            for (const bool fraction : {false, true}) {
                if (fraction && !has_fractions) continue;
                add<Fetch2D>("tex2D", {f, PLANE, false, true, fraction, true});
                add<Fetch1DNumber>("tex1Dfetch", {f, HUNDRED, false, false, fraction, true,
                                                  cudaAddressModeClamp, Memory::linear});
                for (const int colour : {1, 2})
                    add<Fetch2D>("tex2D", {f, PLANE, false, true, fraction, false, cudaAddressModeBorder,
                                           Memory::array, colour});
            }
            if (!is_float && !has_fractions) continue;
            for (const Shape& shape : {PLANE, ODD_PLANE})
                add<Fetch2D>("tex2D", {f, shape, true, true, has_fractions, has_fractions});
            add<Fetch3D>("tex3D", {f, ODD_VOLUME, true, true, has_fractions, has_fractions});
            for (const int colour : {1, 2})
                add<Fetch2D>("tex2D", {f, PLANE, true, true, has_fractions, false, cudaAddressModeBorder,
                                       Memory::array, colour});
        }
    for (const Format& f : {F1, Format{"f16", FLOAT, 16, 4}}) {
        add<Fetch1D>("tex1D", {f, WIDE, true, true, false, true});
        add<Fetch2D>("tex2D", {f, PLANE, true, true, false, true});
        add<Fetch3D>("tex3D", {f, VOLUME, true, true, false, true});
        add<Fetch1DNumberPair>("tex1Dfetch pair",
                               {f, HUNDRED, false, false, false, true, cudaAddressModeClamp, Memory::linear});
    }
}

void add_modes() {
    for (const bool is_linear : {false, true})
        for (const bool is_normalised : {false, true})
            for (const auto mode :
                 {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder}) {
                const auto how = [&](const Shape& shape, const Format& format,
                                     Memory memory = Memory::array) {
                    return How{format, shape, is_linear, is_normalised, false, false, mode, memory, 3};
                };
                for (const Shape& shape : {LINE, ODD_LINE, WIDE, WIDEST})
                    add<Fetch1D>("tex1D", how(shape, F1));
                for (const Shape& shape : {PLANE, ODD_PLANE, ROWS}) add<Fetch2D>("tex2D", how(shape, F1));
                for (const Shape& shape : {VOLUME, ODD_VOLUME}) add<Fetch3D>("tex3D", how(shape, F1));
                add<Fetch2D>("tex2D", how(ODD_PLANE, F1, Memory::pitched));
                add<Fetch2DOne>("tex2D one", how(PLANE, F4));
                add<Fetch2DPair>("tex2D pair", how(PLANE, F4));
                add<Fetch2DSome>("tex2D some", how(PLANE, F4));
                add<Fetch2DThree>("tex2D three", how(PLANE, F4));
                add<Fetch1DLayered>("tex1DLayered", how(LINES, F1));
                add<Fetch2DLayered>("tex2DLayered", how(PLANES, F1));
                add<Gather0>("tex2Dgather 0", how(GATHERED, F4));
                add<Gather1>("tex2Dgather 1", how(GATHERED, F4));
                add<Gather2>("tex2Dgather 2", how(GATHERED, F1));
                add<Gather3>("tex2Dgather 3", how(GATHERED, F4));
                if (mode == cudaAddressModeMirror) continue;
                add<Fetch1DLod>("tex1DLod", how(LINE, F4));
                add<Fetch2DLod>("tex2DLod", how(PLANE, F4));
                add<Fetch3DLod>("tex3DLod", how(VOLUME, F4));
                add<Fetch1DLayeredLod>("tex1DLayeredLod", how(LINES, F4));
                add<Fetch2DLayeredLod>("tex2DLayeredLod", how(PLANES, F4));
                add<Fetch1DGrad>("tex1DGrad", how(LINE, F4));
                add<Fetch2DGrad>("tex2DGrad", how(PLANE, F4));
                add<Fetch1DLayeredGrad>("tex1DLayeredGrad", how(LINES, F4));
                add<Fetch2DLayeredGrad>("tex2DLayeredGrad", how(PLANES, F4));
            }
}

void add_sizes() {
    for (const Shape& shape : OF_SIZES)
        for (const auto mode : {cudaAddressModeWrap, cudaAddressModeClamp})
            add<Fetch1D>("tex1D", {F1, shape, true, true, false, false, mode});
}

void add_cubes() {
    for (const bool is_linear : {false, true})
        for (const auto mode : {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror}) {
            for (const Shape& shape : {CUBE, CUBE8})
                add<FetchCube>("texCubemap", {F4, shape, is_linear, true, false, false, mode});
            add<FetchCubeLayered>("texCubemapLayered", {F1, CUBES, is_linear, true, false, false, mode});
            add<FetchCubeLod>("texCubemapLod", {F1, CUBE, is_linear, true, false, false, mode});
        }
}

bool add_all() {
    add_formats();
    add_modes();
    add_sizes();
    add_cubes();
    for (const Shape& shape : {LINE, PLANE, VOLUME, LINES, PLANES, CUBE, CUBES})
        add<Sizes>("txq", {F1, shape});
    add<Sizes>("txq", {F1, ODD_PLANE, false, true, false, false, cudaAddressModeWrap, Memory::pitched});
    add<Sizes>("txq", {F4, HUNDRED, false, false, false, false, cudaAddressModeWrap, Memory::linear});
    operations().push_back({"tex2D of either", Set::words, 16, since("tex"), [](const void* in, void* out) {
                                Object objects[2] = {How{F4, PLANE}.make(), How{F1, ODD_PLANE, true}.make()};
                                Object* on_device;
                                cudaMalloc(&on_device, sizeof(objects));
                                cudaMemcpy(on_device, objects, sizeof(objects), cudaMemcpyHostToDevice);
                                fetch_either<Fetch2D><<<CASES / 128, 128>>>(static_cast<const u32*>(in),
                                                                            static_cast<uint4*>(out),
                                                                            on_device, 0.5f, 0.5f, 0.5f);
                            }});
    return true;
}
const bool added = add_all();

}  // namespace

int main(int argc, char** argv) { return opcodes::run(argc, argv); }

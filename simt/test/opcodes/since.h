// Which architecture an operation of this folder needs at least, by its name, which is a line of PTX or says
// what PTX it is of. For all others sm_75 will do.
#pragma once
#include <string_view>

namespace opcodes {

/// The architecture from which on PTX has what `text` names. Of several that a name contains the first holds.
struct Since {
    std::string_view text;
    int architecture;
};
// Of products of matrices of floats the values depend on the architecture: those of sm_90 and later ones
// agree.
inline constexpr Since SINCE[] = {
    {"col.s32", 80},     {"satfinite.s32", 80}, {"mma.sync", 90},   {"mma.sp", 90},
    {"stmatrix", 90},    {"e4m3", 89},          {"e5m2", 89},       {"of neg.bf16", 90},
    {"of abs.bf16", 90}, {"cvt.f32.bf16", 80},  {"bf16.f32", 80},   {"bf16x2.f32", 80},
    {"bf16:", 80},       {"xorsign", 86},       {"NaN", 80},        {"fma.rn.bf16", 80},
    {"relu.bf16", 80},   {"min.bf16", 80},      {"max.bf16", 80},   {"neg.bf16", 80},
    {"abs.bf16", 80},    {"bf16", 90},          {"min.relu.s", 90}, {"max.relu.s", 90},
    {".s16x2", 90},      {".u16x2", 90},        {".relu", 80},      {"tf32", 80},
    {"f16x2.f32", 80},   {"cluster", 90},       {"mbarrier", 90},   {"bulk", 90},
    {"fence.proxy", 90}, {"griddep", 90},       {"elect", 90},      {"aggr_smem", 90},
    {"b128", 90},        {"add.v4.f32", 90},    {".v2.f", 90},      {".v4.f", 90},
    {"cp.async", 80},    {"L2::256B", 80},      {"tex", 75},        {"txq", 75},
    {"surf", 75},
};

constexpr int since(std::string_view name) {
    for (const Since& each : SINCE)
        if (name.find(each.text) != std::string_view::npos) return each.architecture;
    return 75;
}

}  // namespace opcodes
